/* thrust/detail/type_traits.h: the traits are in the standard library by now. */
#include <type_traits>
