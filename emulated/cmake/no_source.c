/* CMake wants a source in each program; this stands in where all else is in objects. */
typedef int nothing;
