/* thrust/random.h: engines and distributions, which are those of the C++ library. */
#include <random>

#include "../emulated/thrust.h"
namespace thrust
{
using ::std::default_random_engine;
using ::std::minstd_rand;
using ::std::minstd_rand0;
using ::std::normal_distribution;
using ::std::uniform_int_distribution;
using ::std::uniform_real_distribution;
namespace random
{
using namespace ::std;
}
} // namespace thrust
