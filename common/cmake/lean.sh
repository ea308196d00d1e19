# lean.sh NVCC...: compiles without C++17's special functions (Bessel's and others), which every .cu file gets with
# <cuda_runtime.h>: with all that they include, they take a quarter of nvcc's time for a template. A file that needs them, or
# something that came with them, such as std::max(), is compiled once more, with them: what that says counts.
said=$("$@" -D_GLIBCXX_BITS_SPECFUN_H=1 2>&1) || exec "$@"
[ -z "$said" ] || printf '%s\n' "$said" >&2
