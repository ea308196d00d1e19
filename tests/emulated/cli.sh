#!/bin/sh
# cli.sh CC CASE CHECKS: how emulated-cc and the programs that it makes behave on the command line;
# CHECKS is checks.cu as a program. Prints nothing when all is well.
case=$2 checks=$3
dir=$(mktemp -d) || exit 2
cc=$dir/.cc # the folder of CC may have a blank in its name
printf '#!/bin/sh\nexec "%s" "$@"\n' "$1" >"$cc" && chmod +x "$cc"
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2
failed=0
case $case in # the second look by clang++ is the business of those that read messages
limits | findings | trace | times | deterministic | devices | arch | files | textures) \
    cc="$cc --no-syntax-pass" ;;
esac
fail() { echo "FAILED: $*"; failed=1; }
expect_status() { [ "$2" -eq "$1" ] || fail "exit status $2 instead of $1"; }
expect_text() { grep -q -e "$1" "$2" || { fail "no '$1' in:"; cat "$2"; }; }
refuse_text() { ! grep -q -e "$1" "$2" || { fail "'$1' in:"; cat "$2"; }; }

cat > good.cu <<'END'
#include <stdio.h>
__global__ void twice(float *x)
{
    x[threadIdx.x] = 2 * x[threadIdx.x];
}
int main(void)
{
    float *d_x, h_x[32];
    int i;
    for (i = 0; i < 32; i++) h_x[i] = i;
    cudaMalloc((void **)&d_x, sizeof h_x);
    cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice);
    twice<<<1, 32>>>(d_x);
    cudaMemcpy(h_x, d_x, sizeof h_x, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    printf("%g\n", h_x[31]);
    return h_x[31] != 62;
}
END

case $case in
limits) # of the address space, of which the device needs much and uses little: a soft one is
    # raised, a hard one named
    $cc good.cu -o good || { echo "FAILED: compile"; exit 1; }
    # shellcheck disable=SC3045 # dash and bash have it
    (ulimit -S -v 4000000 && exec ./good) > out 2>&1; expect_status 0 $?
    expect_text '^62$' out
    # shellcheck disable=SC3045
    (ulimit -v 4000000 && exec ./good) > out 2>&1; expect_status 2 $?
    expect_text "cannot reserve address space for the device's memory" out
    expect_text 'allows 3906 MB of them: ulimit -v unlimited' out
    ;;
remarks) # on what is seldom meant, and none where it is
    cat > remarks.cu <<'END'
#include <chrono>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
__device__ float variable[32];
__global__ void twice(float *x) { x[threadIdx.x] = 2 * threadIdx.x; }
__global__ void hello(void) { printf("hello\n"); }
static double now(const char *clock_name)
{
    struct timespec t;
    struct timeval v;
    if (strcmp(clock_name, "clock") == 0)
        return (double)clock();
    if (strcmp(clock_name, "steady") == 0)
        return (double)std::chrono::steady_clock::now().time_since_epoch().count();
    if (strcmp(clock_name, "system") == 0)
        return (double)std::chrono::system_clock::now().time_since_epoch().count();
    gettimeofday(&v, NULL);
    clock_gettime(CLOCK_MONOTONIC, &t);
    return strcmp(clock_name, "gettimeofday") == 0 ? (double)v.tv_usec : (double)t.tv_nsec;
}
int main(int argc, char **argv)
{
    const char *task = argv[1], *clock_name = argc > 2 ? argv[2] : NULL;
    float *x = NULL, *other = NULL, h_x[32];
    if (strncmp(task, "hello", 5) == 0) {
        hello<<<1, 1>>>();
        if (strcmp(task, "hello_waits") == 0)
            cudaDeviceSynchronize();
        return 0;
    }
    if (strcmp(task, "managed") == 0)
        cudaMallocManaged(&x, sizeof h_x);
    else if (strcmp(task, "mapped") == 0)
        cudaHostAlloc(&x, sizeof h_x, cudaHostAllocMapped);
    else if (strncmp(task, "variable", 8) == 0)
        cudaGetSymbolAddress((void **)&x, variable);
    else
        cudaMalloc(&x, sizeof h_x);
    double begin = clock_name ? now(clock_name) : 0;
    twice<<<1, 32>>>(x);
    if (strcmp(task, "waits") == 0)
        cudaDeviceSynchronize();
    double launched = clock_name ? now(clock_name) : 0;
    cudaDeviceSynchronize();
    double end = clock_name && strcmp(task, "both") == 0 ? now(clock_name) : 0;
    if (strcmp(task, "variable_by_name") == 0)
        cudaMemcpyFromSymbol(h_x, variable, sizeof h_x);
    else if (strcmp(task, "overwritten") == 0)
        cudaMemcpy(x, h_x, sizeof h_x, cudaMemcpyHostToDevice);
    else if (strcmp(task, "managed") != 0 && strcmp(task, "mapped") != 0 &&
             strcmp(task, "left") != 0)
        cudaMemcpy(h_x, x, sizeof h_x, cudaMemcpyDeviceToHost);
    if (clock_name) { // a clock read later, as of the host's own work
        cudaMalloc(&other, 4);
        cudaMemset(other, 0, 4);
        cudaFree(other);
        printf("%g\n", now(clock_name) + begin + launched + end);
    }
    if (strncmp(task, "variable", 8) != 0)
        strcmp(task, "mapped") == 0 ? cudaFreeHost(x) : cudaFree(x);
    return 0;
}
END
    cat > grids.cu <<'END'
#include <string.h>
__global__ void twice(float *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] *= 2;
}
__global__ void twiceOnce(float *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}
int main(int argc, char **argv)
{
    const char *task = argv[1];
    const int n = 1000, whole = n / 256, rest = n % 256;
    float *x, h_x[1000];
    cudaMalloc(&x, sizeof h_x);
    cudaMemset(x, 0, strcmp(task, "scratch") == 0 ? n / 256 * 256 * sizeof *x : sizeof h_x);
    if (strcmp(task, "loops") == 0)
        twice<<<whole, 256>>>(x, n);
    else
        twiceOnce<<<strcmp(task, "rounds_up") == 0 ? whole + 1 : whole, 256>>>(x, n);
    if (strcmp(task, "in_two_pieces") == 0)
        twiceOnce<<<1, rest>>>(x + n - rest, rest);
    cudaMemcpy(h_x, x, sizeof h_x, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return argc - 2;
}
END
    $cc grids.cu -o grids || { echo "FAILED: compile"; exit 1; }
    ./grids short 2>err
    expect_text "^grids.cu:23: remark: the grid has 768 threads, x has 1000 elements: " err
    expect_text "kernel twiceOnce leaves the last 232 as they are" err
    for task in rounds_up loops in_two_pieces scratch; do
        ./grids $task 2>err
        refuse_text . err
    done
    $cc remarks.cu -o remarks || { echo "FAILED: compile"; exit 1; }
    remark_on() { # TEXT TASK [CLOCK]
        text=$1
        shift
        ./remarks "$@" >out 2>err
        expect_status 0 $?
        expect_text "^remarks.cu:[0-9]*: remark: $text" err
        [ "$(wc -l <err)" -eq 1 ] || fail "more than one line of $*: $(cat err)"
        for without in FAST PROFILE; do
            env CUDA_EMULATED_$without=1 ./remarks "$@" 2>err >out
            refuse_text remark: err
        done
    }
    no_remark_on() {
        ./remarks "$@" >out 2>err
        expect_status 0 $?
        refuse_text . err
    }
    for clock in clock steady system gettimeofday clock_gettime; do
        remark_on "the clock is read at remarks.cu:[0-9]* while kernel twice may still be" \
            launch $clock
        no_remark_on waits $clock
        no_remark_on both $clock
    done
    remark_on "the program ends without waiting for kernel hello" hello
    remark_on "the results of kernel twice never reach the host" left
    remark_on "the results of kernel twice never reach the host" overwritten
    for task in hello_waits managed mapped variable variable_by_name copied; do
        no_remark_on $task
    done
    cat > sizes.cu <<'END'
int main(void)
{
    float *d_x, h_x[4], *p = h_x;
    char *bytes;
    cudaMalloc(&d_x, sizeof h_x);
    cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice);
    cudaMemcpy(d_x, &p, sizeof(p), cudaMemcpyHostToDevice);
    cudaMemset(d_x, 0, sizeof h_x);
    cudaMemset(d_x, 0x7f, sizeof h_x);
    cudaMemset(d_x, -1, sizeof h_x);
    cudaMemset((void *)d_x, 1, sizeof h_x);
    bytes = (char *)d_x;
    cudaMemset(bytes, 1, sizeof h_x);
#ifdef WRONG
    cudaMemcpyAsync(d_x, p, sizeof(p), cudaMemcpyHostToDevice);
    cudaMemcpy(p, d_x, sizeof p, cudaMemcpyDeviceToHost);
    cudaMemset(d_x, 0, sizeof(d_x));
    cudaMemset(d_x, 1, sizeof h_x);
#endif
    cudaFree(d_x);
    return 0;
}
END
    $cc sizes.cu -o sizes 2>err || fail "sizes.cu does not compile"
    refuse_text . err
    $cc -DWRONG sizes.cu -o sizes 2>err || fail "sizes.cu with mistakes does not compile"
    for line in 15 16 17 18; do
        expect_text "^sizes.cu:$line:[0-9]*: warning: " err
    done
    cat > largest.cu <<'END'
__global__ void right(const float *x, float *y, int n)
{
    float most, first, last;
    for (int i = 0; i < n; i++) {
        if (i == 0 || x[i] > most)
            most = x[i];
        if (i == 0)
            first = x[i];
        if (x[i] > first)
            first = x[i];
        if (i > 0 && x[i] < last)
            continue;
        last = x[i];
    }
    *y = most + first + last;
}
END
    $cc -c largest.cu 2>err || fail "largest.cu does not compile"
    refuse_text . err
    ;;
compile) # like a compiler: one step or two, no files left, dependencies
    $cc good.cu -o good && ./good > out || fail "one step"
    expect_text '^62$' out
    $cc -c -MD -MF good.d -o good.o good.cu && $cc good.o -o two && ./two > out || fail "two steps"
    expect_text 'good.o:.*' good.d
    expect_text 'good.cu' good.d
    mkdir empty &&
        TMPDIR=$dir/empty $cc good.cu -o good -arch=sm_70 -O3 -lineinfo --use_fast_math -lcublas \
        || fail "nvcc's options"
    [ -z "$(ls empty)" ] || fail "temporary files left: $(ls empty)"
    [ "$(ls)" = "$(printf 'empty\ngood\ngood.cu\ngood.d\ngood.o\nout\ntwo')" ] ||
        fail "files left: $(ls)"
    # What is wrong is told also where the folder for temporary files is full, so that all that is
    # written there is lost.
    printf '#include <stdio.h>\nFILE *tmpfile(void) { return fopen("/dev/null", "w+"); }\n' > lost.c
    printf 'int main() { return nonsense; }\n' > wrong.cu
    gcc -shared -fPIC lost.c -o lost.so || fail "no library"
    LD_PRELOAD=$dir/lost.so $cc -c wrong.cu > out 2>&1; expect_status 1 $?
    expect_text "error: .*nonsense" out
    printf 'int helper(void) { return 3; }\n' > helper.c
    cat > mixed.cu <<'END'
extern "C" int helper(void);
__global__ void k() {}
int main() { k<<<1, 1>>>(); return helper() - 3; }
END
    $cc mixed.cu helper.c -o mixed && ./mixed || fail "C and CUDA C together"
    # The preprocessor knows the macros that an option for g++ defines.
    cat > openmp.cu <<'END'
#ifndef _OPENMP
#error no OpenMP
#endif
#if WIDTH != 3
#error no WIDTH
#endif
int main() { return 0; }
END
    $cc -Xcompiler -fopenmp,-DWIDTH=3 openmp.cu -o openmp && ./openmp ||
        fail "an option that defines macros"
    # _Pragma() stands beside other text, also where host and device do not see the same.
    cat > pragma.cu <<'END'
__global__ void k(int *x)
{
#ifdef __CUDA_ARCH__
    *x = 1;
#endif
}
int main()
{
    int sum = 0;
    { _Pragma("omp parallel for reduction(+ : sum)") for (int i = 0; i < 4; i++) sum += i; }
    return sum - 6;
}
END
    $cc -Xcompiler -fopenmp pragma.cu -o pragma && ./pragma || fail "a pragma beside other text"
    # The object gets its name when it is whole: the assembler, which writes it, is not given that
    # name.
    mkdir tools
    printf '#!/bin/sh\necho "$@" > "%s/as.called"\nexec as "$@"\n' "$dir" > tools/as &&
        chmod +x tools/as
    $cc -c -Xcompiler -Btools/ -o whole.o good.cu || fail "with another assembler"
    # (A compiler that was configured with an assembler of its own calls that one.)
    [ ! -e as.called ] || expect_text '-o whole.o[.]partial-[0-9]' as.called
    [ -f whole.o ] && [ -z "$(ls ./*.partial-* 2>/dev/null)" ] || fail "not renamed: $(ls)"
    # A blank in a path is escaped in the file of dependencies.
    mkdir 'a b' && cp good.cu 'a b/good.cu' &&
        $cc -c -MD -MF blank.d -o "$dir/a b/good.o" "$dir/a b/good.cu" || fail "a path with a blank"
    expect_text '/a\\ b/good.o: ' blank.d
    # What the program and the runtime both have: a template of the C++ library, the driver's names
    cat > strings.cu << 'END'
#include <string>
int (*cuInit)(unsigned); // as in programs that load the driver themselves
__global__ void ofALongName(float *x) { x[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
    const char *name = argv[0];
    std::string a(name, name + argc), b(name + argc, name + argc + 1), c(name), d(b);
    float *x;
    cudaMalloc(&x, 256);
    ofALongName<<<4, 64>>>(x);
    cudaFree(x);
    return cudaDeviceSynchronize() != cudaSuccess || a.empty() || cuInit;
}
END
    $cc strings.cu -o strings && ./strings || fail "what the program and the runtime both have"
    # Kernels with names of the same length, in two files
    cat > one.cu <<'END'
__global__ void add(int *x) { *x += 1; }
void one(int *x) { add<<<1, 1>>>(x); }
END
    cat > two.cu <<'END'
__global__ void mul(int *x) { *x *= 3; }
void one(int *);
int main()
{
    int *x, h = 1;
    cudaMalloc(&x, 4);
    cudaMemcpy(x, &h, 4, cudaMemcpyHostToDevice);
    one(x);
    mul<<<1, 1>>>(x);
    cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return h - 6;
}
END
    $cc one.cu two.cu -o both && ./both || fail "two CUDA C files"
    $cc good.cu -o wide --gpu-architecture sm_70 -O 3 -Xcompiler -Wall,-Wextra ||
        fail "options with their values apart" ;;
errors) # a compile error names the author's file and line, and shows the author's text
    { head -3 good.cu; echo '    x[threadIdx.x] = 2 * y;'; tail -n +5 good.cu; } > bad.cu
    $cc -c bad.cu -o bad.o 2> err; expect_status 1 $?
    expect_text '^bad.cu:4:' err
    [ ! -e bad.o ] || fail "an object file was left"
    sed 's/twice<<<1, 32>>>(d_x)/twice<<<1, 32>>>(d_x, 3)/' good.cu > launch.cu
    $cc -c launch.cu 2> err; expect_status 1 $?
    expect_text '^launch.cu:13:.*kernel twice takes 1 argument, this launch has 2' err
    refuse_text '::emulated::launch("' err
    sed 's/twice<<<1, 32>>>/twice<<<1, 32/' good.cu > unfinished.cu
    $cc -c unfinished.cu 2> err; expect_status 1 $?
    expect_text '^unfinished.cu:13:[0-9]*: error: this kernel launch is not understood' err
    printf '__global__ void k(float *x) { asm("bra.uni done;" : "=f"(x[0]) : "f"(x[1])); }\n' \
        > ptx.cu
    $cc -c ptx.cu 2> err; expect_status 1 $?
    expect_text '^ptx.cu:1:[0-9]*: error: this inline PTX is not there' err
    name=cudaLaunchCooperativeKernelMultiDevice
    printf 'int main() { %s(0, 0, 0); }\n' $name > missing.cu
    $cc -c missing.cu 2> err; expect_status 1 $?
    expect_text "missing.cu:1:.*$name is not there on the emulated device" err
    printf '__global__ void k() { threadIdx.x = 1; }\n' > assign.cu
    $cc -c assign.cu 2> err; expect_status 1 $?
    expect_text '^assign.cu:1:' err
    cat > count.cu <<'END'
__global__ void k(int *p, int n = 3) { *p = n; }
int main()
{
    k<<<1, 1>>>();
}
END
    $cc -c count.cu 2> err; expect_status 1 $?
    expect_text '^count.cu:4:.*: error: kernel k takes 1 to 2 arguments, this launch has 0' err
    printf '__global__ void k(int *p)\n{\n    cudaDeviceSynchronize();\n}\n' > synchronise.cu
    $cc -c synchronise.cu 2> err; expect_status 1 $?
    said='cudaDeviceSynchronize() is a function for host code: a kernel cannot call it'
    expect_text "^synchronise.cu:3:.*: error: $said" err
    cat > module.cu <<'END'
#include <cuda.h>
int main()
{
    CUmodule m;
    return cuModuleLoad(&m, "a.ptx");
}
END
    $cc -c module.cu 2> err; expect_status 1 $?
    said='the emulated device loads no modules (PTX, cubin): compile the kernel'
    expect_text "^module.cu:5:.*: error: $said" err
    cat > callback.cu <<'END'
#include <cufftXt.h>
int main()
{
    void *f = 0;
    return cufftXtSetCallback(0, &f, CUFFT_CB_LD_REAL, 0);
}
END
    $cc -c callback.cu 2> err; expect_status 1 $?
    expect_text '^callback.cu:5:.*: error: the emulated cuFFT has no callbacks' err
    $cc -c nowhere.cu 2> err; expect_status 2 $?
    expect_text 'nowhere.cu: No such file' err
    cp good.cu kept.cu && $cc good.cu -o good.cu 2> err; expect_status 2 $?
    cmp good.cu kept.cu || fail "-o has overwritten the source"
    $cc -S good.cu 2> err; expect_status 1 $?
    $cc 2> err; expect_status 2 $?
    expect_text '^usage:' err ;;
findings) # the exit status and the CSV
    sed 's/twice<<<1, 32>>>/twice<<<1, 33>>>/' good.cu > bad.cu
    $cc bad.cu -o bad || fail compile
    ./bad > out 2> err; expect_status 1 $?
    expect_text '^bad.cu:4: out-of-bounds: kernel twice, thread (32,0,0) of block (0,0,0) ' err
    CUDA_EMULATED_FINDINGS_FATAL=0 ./bad > out 2> err; expect_status 0 $?
    CUDA_EMULATED_FINDINGS=f.csv CUDA_EMULATED_COUNTERS=c.csv ./bad > out 2> err; expect_status 1 $?
    expect_text '^kind,kernel,file,line,block,thread,object,message,times$' f.csv
    expect_text \
        '^out-of-bounds,twice,bad.cu,4,"(0,0,0)","(32,0,0)","d_x, allocation at bad.cu:11",' f.csv
    columns=kernel,file,line,column,space,operation,bytes,requests,sectors_per_request
    columns=$columns,lines_per_request,conflict_degree,same_address_degree,active_lanes
    expect_text "^$columns$" c.csv
    $cc good.cu -o good || fail compile
    CUDA_EMULATED_FINDINGS=f.csv CUDA_EMULATED_COUNTERS=c.csv ./good > out 2> err
    expect_status 0 $?
    expect_text '^twice,good.cu,4,[1-9][0-9]*,global,load,4,1,4,1,0,0,32$' c.csv
    expect_text '^twice,good.cu,4,[1-9][0-9]*,global,store,4,1,4,1,0,0,32$' c.csv
    [ "$(wc -l < f.csv)" -eq 1 ] || fail "findings: $(cat f.csv)"
    [ ! -s err ] || fail "messages: $(cat err)"
    CUDA_EMULATED_PROFILE=1 ./good > out 2> err; expect_status 0 $?
    expect_text 'good.cu:4:[1-9][0-9]* *global load *4 *1 *4.00' err
    CUDA_EMULATED_PROFILE=source ./good > out 2> err; expect_status 0 $?
    expect_text '^ *|    4      x.threadIdx.x. = 2 . x.threadIdx.x.;$' err
    expect_text '^       1    4.00            32.0 | *^ global load, 4 bytes$' err
    touch -d '+1 hour' good.cu && CUDA_EMULATED_PROFILE=source ./good > out 2> err
    expect_status 0 $?
    expect_text 'good.cu is not there, or newer than the program' err
    sed '/cudaFree/d' good.cu > leak.cu
    $cc leak.cu -o leak && ./leak > out 2> err; expect_status 1 $?
    expect_text '^leak.cu:11: leak: 128 bytes of device memory' err
    events='cudaEvent_t e[2]; for (i = 0; i < 2; i++) cudaEventCreate(&e[i]);'
    { sed '/return/d; $d' good.cu
    echo "    cudaStream_t s; cudaStreamCreate(&s); $events"; echo '}'; } > left.cu
    $cc left.cu -o left && ./left > out 2> err; expect_status 1 $?
    expect_text '^left.cu:17: leak: 1 stream created here is never destroyed' err
    CUDA_EMULATED_FINDINGS=f.csv ./left > out 2> err
    expect_text '^leak,,left.cu,17,,,event,2 events created here are never destroyed' f.csv
    sed '$ s/^}$/cudaDeviceReset(); }/' left.cu > reset.cu
    $cc reset.cu -o reset && ./reset > out 2> err; expect_status 0 $?
    sed 's/x\[threadIdx.x\] = 2/float f; f += x[threadIdx.x]; x[threadIdx.x] = f/' \
        good.cu > unset.cu
    $cc unset.cu -o unset 2> err || fail compile
    expect_text '^unset.cu:4:.*warning: .f. is used uninitialized' err
    # Not certain to g++, but to whoever reads the function: nothing ever sets s. The other one may
    # be right.
    loop='for (int i = 0; i < x[0]; i++)'
    sed "s/x\[threadIdx.x\] = 2/float s; $loop s += i; x[threadIdx.x] = s/" good.cu > sum.cu
    $cc -c sum.cu -o sum.o 2> err || fail compile
    expect_text '^sum.cu:4:.*warning: .s. is used here, and nothing has given it a first value' err
    sed "s/x\[threadIdx.x\] = 2/float s; $loop if (i == 0) s = 1; x[threadIdx.x] = s/" \
        good.cu > some.cu
    $cc -c some.cu -o some.o 2> err || fail compile
    refuse_text warning err
    # A pointer that nothing has set, or perhaps nothing: the message is about one of our headers.
    sed 's/twice<<<1, 32>>>(d_x)/float *d_y; twice<<<1, 32>>>(d_y)/' good.cu > pointer.cu
    $cc pointer.cu -o pointer 2> err || fail compile
    expect_text "^pointer.cu:13:.*warning: 'd_y' is used uninitialized" err
    sed 's/float \*d_y;/float *d_y; if (h_x[3] < 9) d_y = d_x;/' pointer.cu > perhaps.cu
    $cc perhaps.cu -o perhaps 2> err && ! grep . err || fail "what is not certain"
    # printf() as nvcc judges it: long and long long are one, a double is no int.
    sed 's/x\[threadIdx.x\] = 2/printf("%lld %d\\n", 1L, x[0]); x[threadIdx.x] = 2/' \
        good.cu > print.cu
    $cc print.cu -o print 2> err || fail compile
    expect_text "^print.cu:4:.*warning: format '%d' expects argument of type 'int'" err
    refuse_text lld.*expects err
    sed 's/cudaFree(d_x)/cudaFree(d_x + cudaStreamTailLunch)/' good.cu > name.cu
    ! $cc name.cu -o name 2> err || fail "an unknown name"
    expect_text '= the emulated device has nothing of this name' err
    # As many bytes of __shared__ variables as nvcc refuses.
    s='__shared__ float s[16384]; s[threadIdx.x] = 1; __syncthreads()'
    sed "s/x\[threadIdx.x\] = 2/$s; x[threadIdx.x] = s[31 - threadIdx.x]/" good.cu > static.cu
    $cc static.cu -o static && ./static > out 2> err; expect_status 1 $?
    expect_text '__shared__ variables have 65536 bytes, but at most 49152 are possible' err
    CUDA_EMULATED_FINDINGS=/nowhere/f.csv ./good > out 2> err; expect_status 2 $?
    expect_text '/nowhere/f.csv: No such file' err
    sed 's/printf("%g.n", h_x\[31\])/printf("%g\\n", *(volatile float *)d_x)/' good.cu > host.cu
    $cc host.cu -o host && ./host > out 2> err; expect_status 139 $?
    expect_text '^host.cu:16: host-dereference: host code reads' err
    call='cudaLaunchKernel((void *)twice, 1, 32, a, 0, 0)'
    sed "s/twice<<<1, 32>>>(d_x)/void *a[] = {d_x}; $call/" good.cu > argument.cu
    $cc argument.cu -o argument && ./argument > out 2> err; expect_status 139 $?
    said='the launch is to read argument 0 at d_x\[0\]'
    expect_text "^argument.cu:13: host-dereference: $said" err
    # The C library's functions on device memory; in a kernel they are as good as a loop.
    sed 's/cudaMemcpy(h_x, d_x, sizeof h_x, cudaMemcpyDeviceToHost)/memcpy(h_x, d_x, sizeof h_x)/' \
        good.cu > library.cu
    $cc library.cu -o library && ./library > out 2> err; expect_status 139 $?
    expect_text '^library.cu:14: host-dereference: host code reads' err
    sed 's/cudaFree(d_x)/free(d_x)/' good.cu > freed.cu
    $cc freed.cu -o freed && ./freed > out 2> err; expect_status 139 $?
    expect_text '^freed.cu:15: bad-free: free() of .*: device memory is freed with cudaFree' err
    sed 's/cudaMalloc((/cudaMallocHost((/' freed.cu > locked.cu
    $cc locked.cu -o locked && ./locked > out 2> err; expect_status 139 $?
    expect_text \
        '^locked.cu:15: bad-free: free() of .*: page-locked memory is freed with cudaFreeHost' err
    copy='float two[2]; memcpy(two, x + threadIdx.x, 8)'
    sed "s/x\[threadIdx.x\] = 2/$copy; x[threadIdx.x] = 2/" good.cu > kernel.cu
    $cc kernel.cu -o kernel && ./kernel > out 2> err; expect_status 1 $?
    expect_text '^kernel.cu:4: out-of-bounds: ' err
    # Loops that never end: one that the compiler leaves without any access, and one that stores.
    loop='for (int i = 0; i < 32;) x[threadIdx.x + i] = i'
    sed "s/x\[threadIdx.x\] = 2/$loop; x[threadIdx.x] = 2/" good.cu > loop.cu
    $cc loop.cu -o loop || fail compile
    CUDA_EMULATED_PATIENCE=1 timeout 20 ./loop > out 2> err; expect_status 1 $?
    said='has run for 1 s without any access: an endless loop, or'
    expect_text "^loop.cu:4: endless-kernel: kernel twice, .* $said" err
    loop='for (unsigned i = 16; i >= 0; i \/= 2) x[threadIdx.x] += x[threadIdx.x ^ i]'
    sed "s/x\[threadIdx.x\] = 2/$loop; x[threadIdx.x] = 2/" good.cu > steps.cu
    $cc steps.cu -o steps || fail compile
    CUDA_EMULATED_PATIENCE=1 timeout 20 ./steps > out 2> err; expect_status 1 $?
    expect_text '^steps.cu:4: endless-kernel: kernel twice, .* is back where it was' err
    # A counter that is not advanced: the loop is known as endless at once, in one block or many.
    for blocks in 1 2 400 4000; do
        sed "s/x\[threadIdx.x\] = 2/for (int i = threadIdx.x; i < 32;) x[i] = x[i] > 0 ? 3 : 2/
            s/<<<1,/<<<$blocks,/" good.cu > still.cu
        $cc still.cu -o still || fail compile
        timeout 20 ./still > out 2> err; expect_status 1 $?
        expect_text '^still.cu:4: endless-kernel: kernel twice, .* is back where it was' err
    done
    # A launch that would take far longer than the limit is not a mistake; one that will be through
    # in time goes on.
    sed 's/x\[threadIdx.x\] = 2.*/if (!x) x[1] = 0;/; s/<<<1, 32>>>/<<<2147483647, 32>>>/' \
        good.cu > many.cu
    $cc many.cu -o many || fail compile
    CUDA_EMULATED_LIMIT=5 timeout 20 ./many > out 2> err; expect_status 2 $?
    CUDA_EMULATED_CORES=2,0 CUDA_EMULATED_LIMIT=5 timeout 20 ./many > out 2> err; expect_status 2 $?
    said='too much for the emulated device: about [0-9]* \(minutes\|hours\)'
    expect_text "^many.cu:13: kernel twice, 2147483647 blocks: $said" err
    sed 's/2147483647/20000/' many.cu > fewer.cu
    $cc fewer.cu -o fewer || fail compile
    CUDA_EMULATED_LIMIT=20 ./fewer > out 2> err; expect_status 1 $?
    refuse_text 'too much' err
    # A barrier of the whole grid wants a cooperative launch.
    { echo '#include <cooperative_groups.h>'
    sed 's/x\[threadIdx.x\] = 2/cooperative_groups::this_grid().sync(); x[threadIdx.x] = 2/' \
        good.cu; } > grid.cu
    $cc grid.cu -o grid && ./grid > out 2> err; expect_status 1 $?
    expect_text 'was not launched with cudaLaunchCooperativeKernel' err ;;
trace) # a warp's accesses, for a picture
    cat > traced.cu <<'END'
__global__ void reverse(float *y, const float *x)
{
    __shared__ float s[64];
    s[threadIdx.x] = x[2 * threadIdx.x];
    __syncthreads();
    if (threadIdx.x % 2)
        y[threadIdx.x] = s[63 - threadIdx.x];
}
int main(void)
{
    float *d_x, *d_y;
    cudaMalloc(&d_x, 512);
    cudaMalloc(&d_y, 256);
    cudaMemset(d_x, 0, 512);
    for (int i = 0; i < 2; i++)
        reverse<<<2, 64>>>(d_y, d_x);
    cudaFree(d_x);
    cudaFree(d_y);
    return 0;
}
END
    $cc traced.cu -o traced &&
        CUDA_EMULATED_TRACE=t.csv CUDA_EMULATED_FINDINGS_FATAL=0 ./traced 2> err; expect_status 0 $?
    expect_text \
        '^kernel,file,line,column,warp,event,space,bytes,lanes,units,object,addresses$' t.csv
    line='^"reverse","traced.cu",4,[0-9]*' object='"d_x, allocation at traced.cu:12"'
    expect_text "$line,0,load,global,4,ffffffff,8,$object,0 8 16 " t.csv
    expect_text "$line,1,load,global,4,ffffffff,8,$object,256 264 " t.csv
    expect_text '^"reverse","traced.cu",5,[0-9]*,1,barrier,,,ffffffff,,,$' t.csv
    expect_text '^"reverse","traced.cu",[0-9]*,[0-9]*,0,branch,,,aaaaaaaa,,,$' t.csv
    expect_text '^"reverse","traced.cu",7,[0-9]*,0,load,shared,4,aaaaaaaa,1,"s",' t.csv
    expect_text '^"reverse","traced.cu",7,[0-9]*,1,store,global,4,aaaaaaaa,4,"d_y, ' t.csv
    [ "$(grep -c ',load,global' t.csv)" -eq 2 ] ||
        fail "more than the first block of the first launch: $(cat t.csv)"
    CUDA_EMULATED_TRACE=/nowhere/t.csv CUDA_EMULATED_FINDINGS_FATAL=0 ./traced 2> err
    expect_status 2 $?
    expect_text '/nowhere/t.csv: No such file' err ;;
times) # CUDA_EMULATED_TIMES: the seconds of each kernel on a GPU
    cat > timed.cu <<'END'
#include <cuda_runtime.h>
#include <stdlib.h>
namespace own
{
template <class T> __global__ void scale(T *y, const T *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i];
}
__global__ void count(float *sum)
{
    atomicAdd(sum, 1.0f);
}
__global__ void combined(int *sum) // of a warp's atomics nvcc makes one
{
    atomicAdd(sum, 1);
}
__global__ void scattered(int *sums) // over eight lines, each of which takes one after the other
{
    atomicAdd(sums + (blockIdx.x * blockDim.x + threadIdx.x) * 37 % 256, 1);
}
__device__ unsigned address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void fetch(float *tile, const float *x, unsigned long long *full)
{
    asm("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(address(full)) : "memory");
    asm("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];"
        ::"r"(address(tile)), "l"(x), "r"(address(full)) : "memory");
}
template <int TILES> __device__ void sumTiles(const float *x, float *sum)
{
    __shared__ __align__(128) float tile[TILES][1024];
    __shared__ unsigned long long full[TILES];
    float own = 0;
    for (int i = 0; i < TILES && threadIdx.x == 0; i++)
        asm("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address(full + i)) : "memory");
    __syncthreads();
    for (int i = 0; i < TILES && threadIdx.x == 0; i++)
        fetch(tile[i], x + 1024 * i, full + i);
    for (int i = 0; i < 64; i++) {
        int there = 0;
        while (!there)
            asm("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2;"
                " selp.b32 %0, 1, 0, p; }"
                : "=r"(there) : "r"(address(full + i % TILES)), "r"(i / TILES % 2) : "memory");
        own += tile[i % TILES][threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0 && i + TILES < 64)
            fetch(tile[i % TILES], x + 1024 * (i + TILES), full + i % TILES);
    }
    sum[threadIdx.x] = own;
}
// the same number of products, each added to the one before, or to those of an array
__global__ void inOneSum(const float *x, float *y, int n)
{
    float sum = 0, a = x[threadIdx.x];
    for (int i = 0; i < 16 * n; i++)
        sum += a * (float)i;
    y[threadIdx.x] = sum;
}
__global__ void inSixteen(const float *x, float *y, int n)
{
    float sum[16] = {}, a = x[threadIdx.x];
    for (int i = 0; i < n; i++)
#pragma unroll
        for (int j = 0; j < 16; j++)
            sum[j] += a * (float)i;
    for (int j = 0; j < 16; j++)
        y[threadIdx.x + 32 * j] = sum[j];
}
// 256 threads that change one word, by a sum or by compare-and-swap, in global and shared memory
__device__ void addBySwapping(int *sum)
{
    for (int seen = *(volatile int *)sum, before = ~seen; seen != before;)
        seen = atomicCAS(sum, before = seen, seen + 1);
}
__global__ void swapped(int *sum) { addBySwapping(sum); }
__global__ void integersInBlock(int *y)
{
    __shared__ int sum;
    sum = 0;
    __syncthreads();
    atomicAdd(&sum, (int)threadIdx.x % 2);
    __syncthreads();
    *y = sum;
}
__global__ void floatsInBlock(float *y)
{
    __shared__ float sum;
    sum = 0;
    __syncthreads();
    atomicAdd(&sum, 1.0f);
    __syncthreads();
    *y = sum;
}
__global__ void touch(float *m) { m[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f; }
__global__ void fourTiles(const float *x, float *sum) { sumTiles<4>(x, sum); }
__global__ void oneTile(const float *x, float *sum) { sumTiles<1>(x, sum); }
}
int main(void)
{
    const int n = 1 << 16;
    float *d_x, *managed, *locked, *x = (float *)calloc(n, sizeof *x);
    cudaMalloc(&d_x, n * sizeof *x);
    cudaMallocManaged(&managed, n * sizeof *x);
    cudaMallocHost(&locked, n * sizeof *x);
    memset(managed, 0, n * sizeof *x);
    cudaMemcpy(d_x, x, n * sizeof *x, cudaMemcpyHostToDevice);
    for (int i = 0; i < 3; i++)
        own::scale<float><<<n / 256, 256>>>(d_x, d_x, n);
    own::count<<<n / 256, 256>>>(d_x);
    own::combined<<<n / 256, 256>>>((int *)d_x);
    own::scattered<<<n / 256, 256>>>((int *)d_x);
    own::fourTiles<<<1, 128>>>(d_x, d_x);
    own::oneTile<<<1, 128>>>(d_x, d_x);
    own::inOneSum<<<1, 32>>>(d_x, d_x, 1000);
    own::inSixteen<<<1, 32>>>(d_x, d_x, 1000);
    own::swapped<<<1, 256>>>((int *)d_x);
    own::integersInBlock<<<1, 256>>>((int *)d_x);
    own::floatsInBlock<<<1, 256>>>(d_x);
    cudaMemcpy(x, d_x, sizeof *x, cudaMemcpyDeviceToHost);
    cudaMemcpyAsync(locked, d_x, n * sizeof *x, cudaMemcpyDeviceToHost, 0);
    own::touch<<<n / 256, 256>>>(managed);
    own::touch<<<n / 256, 256>>>(managed); // whose pages are on the device now
    cudaMemPrefetchAsync(managed, n * sizeof *x, cudaCpuDeviceId, 0);
    cudaDeviceSynchronize();
    cudaFree(d_x);
    cudaFree(managed);
    cudaFreeHost(locked);
    free(x);
    return 0;
}
END
    $cc timed.cu -o timed && CUDA_EMULATED_TIMES=t.csv ./timed; expect_status 0 $?
    expect_text '^kernel,launches,seconds,limit$' t.csv
    expect_text '^scale,3,[0-9.e-]*,launch$' t.csv
    expect_text '^count,1,[0-9.e-]*,atomics$' t.csv
    expect_text '^combined,1,[0-9.e-]*,launch$' t.csv
    # 1.75 ns for each of 65536; a way to L2 and back, 0.27 us, for each of 256; 85 clocks for each
    # in a block
    awk -F, '{ s[$1] = $3 * 1e6 } END { exit !(s["count"] > 110 && s["count"] < 120 &&
        s["swapped"] > 60 && s["swapped"] < 90 && s["integersInBlock"] < 6 &&
        s["floatsInBlock"] > 10 && s["floatsInBlock"] < 20) }' t.csv ||
        fail "what atomics on one word take: $(cat t.csv)"
    expect_text '^scattered,1,[0-9.e-]*,atomics$' t.csv
    awk -F, '{ s[$1] = $3 } END { exit !(s["oneTile"] > 2 * s["fourTiles"]) }' t.csv ||
        fail "copies ahead are waited for as if they were not: $(cat t.csv)"
    awk -F, '{ s[$1] = $3 } END { exit !(s["inOneSum"] > 2 * s["inSixteen"]) }' t.csv ||
        fail "products for different elements wait for each other: $(cat t.csv)"
    expect_text '^pageable_copy_to_device,1,[0-9.e-]*,link$' t.csv
    expect_text '^page_locked_copy_from_device,1,[0-9.e-]*,link$' t.csv
    expect_text '^touch,2,[34][0-9.]*e-05,link$' t.csv # 256 KB at 6.6 GB/s, once
    expect_text '^prefetch_from_device,1,[0-9.e-]*,link$' t.csv
    [ "$(wc -l < t.csv)" -eq 17 ] && [ ! -e t.csv.part ] ||
        fail "more than sixteen kernels and copies: $(cat t.csv)"
    CUDA_EMULATED_TIMES=old.csv CUDA_EMULATED_TIMES_OF=c2050 ./timed; expect_status 0 $?
    awk -F, 'FNR > 1 && NR == FNR { new[$1] = $3; next }
        FNR > 1 && $3 <= new[$1] { exit 1 }' t.csv old.csv ||
        fail "a Fermi is as fast as an H200: $(cat old.csv)"
    CUDA_EMULATED_TIMES=no.csv CUDA_EMULATED_TIMES_OF=h300 ./timed 2> err; expect_status 2 $?
    expect_text '^CUDA_EMULATED_TIMES_OF=h300: expected h200, a100, .* or c2050$' err
    CUDA_EMULATED_FAST=1 CUDA_EMULATED_TIMES=no.csv ./timed 2> err; expect_status 0 $?
    expect_text 'nothing is counted in fast mode' err
    [ ! -e no.csv ] || fail "a file without times"
    CUDA_EMULATED_MULTIPROCESSORS=0 ./timed 2> err; expect_status 2 $?
    expect_text '^CUDA_EMULATED_MULTIPROCESSORS=0: expected a number from 1 to 1024$' err
    CUDA_EMULATED_TIMES=/nowhere/t.csv ./timed 2> err; expect_status 2 $?
    expect_text '/nowhere/t.csv: No such file' err ;;
deterministic) # equal runs, equal counters and findings
    for i in 1 2; do
        CUDA_EMULATED_COUNTERS=c$i.csv CUDA_EMULATED_FINDINGS=f$i.csv "$checks" steady \
            > out$i 2>&1 || fail "run $i"
    done
    cmp c1.csv c2.csv && cmp f1.csv f2.csv && cmp out1 out2 || fail "runs differ" ;;
devices) # the limits of the chosen device
    cat > limits.cu <<'END'
#include <stdio.h>
int main(void)
{
    cudaDeviceProp p;
    int n;
    cudaGetDeviceCount(&n);
    cudaGetDeviceProperties(&p, n - 1);
    printf("%d %d.%d %d %zu %d\n", n, p.major, p.minor, p.multiProcessorCount,
           p.sharedMemPerBlock, p.maxGridSize[0]);
    return 0;
}
END
    $cc limits.cu -o limits || fail compile
    CUDA_EMULATED_DEVICE=fermi ./limits > out; expect_text '^1 2.0 14 49152 65535$' out
    CUDA_EMULATED_DEVICE=kepler CUDA_EMULATED_DEVICES=2 ./limits > out
    expect_text '^2 3.5 13 49152 2147483647$' out
    CUDA_EMULATED_DEVICE=hopper ./limits > out; expect_text '^1 9.0 132 49152 2147483647$' out
    for device in 'maxwell 5.2 16' 'pascal 6.0 56' 'volta 7.0 80' 'turing 7.5 40' 'ampere 8.0 108' \
        'ada 8.9 142' '35 3.5 13' '6.1 6.1 20' '120 12.0 148'; do
        set -- $device
        CUDA_EMULATED_DEVICE=$1 ./limits > out; expect_text "^1 $2 $3 49152 2147483647$" out
    done
    CUDA_EMULATED_DEVICE=riva ./limits > out 2> err; expect_status 2 $?
    expect_text 'expected fermi, kepler, maxwell' err
    CUDA_EMULATED_DEVICES=0 ./limits > out 2> err; expect_status 2 $?
    CUDA_EMULATED_DEVICES=2x ./limits > out 2> err; expect_status 2 $?
    for order in soon random: random:x early,late; do
        CUDA_EMULATED_ORDER=$order ./limits > out 2> err; expect_status 2 $?
        expect_text "^CUDA_EMULATED_ORDER=$order: expected early, late or random:SEED" err
    done
    CUDA_EMULATED_ORDER=random ./limits > out || fail "random without a seed" ;;
blocking) # the error of a kernel shows at the next call that waits, or at the launch
    cat > null.cu <<'END'
#include <stdio.h>
__global__ void k(int *x) { *x = 1; }
int main()
{
    k<<<1, 1>>>(NULL);
    printf("%d ", cudaGetLastError());
    printf("%d ", cudaGetLastError());
    printf("%d\n", cudaDeviceSynchronize());
    return 0;
}
END
    $cc null.cu -o null || fail compile
    CUDA_EMULATED_ORDER=late ./null > out 2> err; expect_text '^0 0 700$' out
    CUDA_EMULATED_ORDER=late CUDA_LAUNCH_BLOCKING=0 ./null > out 2> err; expect_text '^0 0 700$' out
    CUDA_EMULATED_ORDER=late CUDA_LAUNCH_BLOCKING=1 ./null > out 2> err
    expect_text '^700 0 700$' out ;;
arch) # -arch and CUDA_EMULATED_DEVICE: which code, which device
    cat > which.cu <<'END'
#include <stdio.h>
__global__ void k() { printf("%d ", __CUDA_ARCH__); }
int main()
{
    cudaDeviceProp p;
    k<<<1, 1>>>();
    cudaError_t e = cudaDeviceSynchronize();
    cudaGetDeviceProperties(&p, 0);
    printf("%d.%d %d\n", p.major, p.minor, e);
    return 0;
}
END
    $cc which.cu -o which && ./which > out; expect_text '^900 9.0 0$' out
    $cc -arch=sm_20 which.cu -o which && ./which > out; expect_text '^200 2.0 0$' out
    $cc -arch=sm_13 which.cu -o which && ./which > out; expect_text '^130 2.0 0$' out
    $cc --gpu-architecture compute_75 which.cu -o which &&
        ./which > out; expect_text '^750 7.5 0$' out
    $cc -gencode arch=compute_35,code=sm_35 -gencode=arch=compute_80,code=sm_80 which.cu -o which \
        && ./which > out
    expect_text '^800 8.0 0$' out
    CUDA_EMULATED_DEVICE=volta $cc -gencode arch=compute_35,code=sm_35 \
        -gencode arch=compute_80,code=sm_80 which.cu -o which
    ./which > out; expect_text '^350 3.5 0$' out
    CUDA_EMULATED_DEVICE=volta ./which > out; expect_text '^350 7.0 0$' out
    CUDA_EMULATED_DEVICE=fermi ./which > out 2> err; expect_status 1 $?
    expect_text '^which.cu:6: invalid-launch: .*compiled for sm_35, and the device is sm_20' err
    CUDA_EMULATED_DEVICE=ada $cc which.cu -o which && ./which > out; expect_text '^890 8.9 0$' out
    CUDA_EMULATED_DEVICE=fermi $cc -arch=sm_70 which.cu 2> err; expect_status 2 $?
    expect_text 'has compute capability 2.0' err
    CUDA_EMULATED_DEVICE=riva $cc which.cu 2> err; expect_status 2 $?
    $cc -arch=volta which.cu 2> err; expect_status 2 $?
    expect_text 'expected an architecture such as sm_70' err
    printf '__global__ void k(int *p) { *p = __shfl(*p, 0); }\n' > shuffle.cu
    $cc -c -arch=sm_20 shuffle.cu 2> err; expect_status 1 $?
    expect_text '^shuffle.cu:1:.*needs compute capability 3.0' err
    $cc -c -arch=sm_30 shuffle.cu || fail "shuffles on 3.0"
    printf '__global__ void k(double *p) { atomicAdd(p, 1.0); }\n' > add.cu
    $cc -c -arch=sm_35 add.cu 2> err; expect_status 1 $?
    $cc -c -arch=sm_60 add.cu || fail "atomicAdd on double, 6.0"
    cat > place.cu <<'END'
__global__ void k(int *p) {
#ifdef __CUDA_ARCH__
    *p = wrong;
#endif
}
END
    $cc -c place.cu 2> err; expect_status 1 $?
    expect_text '^place.cu:3:10: error' err
    $cc --help > out; expect_text '-arch=sm_70' out
    [ "$(wc -l < out)" -le 30 ] || fail "--help: more than a screen"
    sed 's/x\[threadIdx.x\] = 2/x[0] = 2/' good.cu > race.cu \
        # a race, which fast mode does not look for
    $cc --fast race.cu -o fast && ./fast > out 2> err
    [ ! -s err ] || fail "--fast: $(cat err)"
    CUDA_EMULATED_FAST=0 ./fast > out 2> err; expect_text ': race: ' err
    # A kernel that writes far past its shared variables does not write to what the device itself
    # works with.
    cat > far.cu <<'END'
__global__ void far(float *y, int n)
{
    __shared__ float tile[256];
    for (int i = threadIdx.x; i < n; i += 256) tile[i] = 7;
    y[threadIdx.x] = tile[threadIdx.x];
}
int main()
{
    float *d;
    cudaMalloc(&d, 1024);
    far<<<1, 256>>>(d, 1000);
    return cudaDeviceSynchronize() == cudaSuccess;
}
END
    $cc far.cu -o far && ./far > out 2>&1; [ $? -lt 128 ] ||
        fail "a write far past a shared variable"
    expect_text ': out-of-bounds: ' out ;;
files) # several files, of which each alone is fine
    printf '__host__ __device__ int twice(int x);\n' > both.h
    cat > host.cpp <<'END'
#include <cuda_runtime.h>
#include "both.h"
__host__ __device__ inline int f(int x) { return x; }
#ifdef __CUDACC__
#error not nvcc
#endif
int main() { return f(0) + twice(0); }
END
    printf '#include "both.h"\n__host__ __device__ int twice(int x) { return 2 * x; }\n' > both.cu
    $cc host.cpp both.cu -o host && ./host || fail "qualifiers in a C++ file"
    cat > vectors.cpp <<'END'
#include <thrust/device_vector.h>
#include <thrust/sort.h>
int main()
{
    thrust::host_vector<int> h(2);
    h[0] = 3;
    thrust::sort(h.begin(), h.end());
    thrust::device_vector<int> d = h;
    return d[1] - 3;
}
END
    $cc vectors.cpp -o vectors && ./vectors || fail "Thrust in a C++ file"
    sed '/sort(/d; s/sort.h/sequence.h/; s/d = h/d; thrust::sequence(d.begin(), d.begin() + 2)/' \
        vectors.cpp > empty.cu
    $cc empty.cu -o empty && ./empty 2> err && fail "an empty device_vector"
    expect_text \
        '^empty.cu:7: invalid-address: kernel thrust, thread .0,0,0. .* writes a null pointer' err
    sed 's/h.begin(), h.end()/thrust::device, h.data(), h.data() + 2/' vectors.cpp > wrong.cpp
    $cc wrong.cpp -o wrong 2> out && fail "Thrust on the device in a C++ file"
    expect_text 'on the device only in a .cu file' out
    # Headers of others ask by these names what has been included.
    cat > guards.cu <<'END'
#include <cublas_v2.h>
#if !defined __DRIVER_TYPES_H__ || !defined __CUDA_RUNTIME_H__ || \
    !defined __VECTOR_TYPES_H__ || !defined CUBLAS_API_H_
#error missing
#endif
int main() { return 0; }
END
    $cc -c guards.cu || fail "include guards"
    # Device functions and variables of another file, and many of them
    for n in 1 2; do
        awk -v n=$n 'BEGIN {
            for (i = 0; i < 400; i++)
                printf "__device__ int f%d_%d(int x) { return %s; }\n", n, i,
                    i ? "f" n "_" (i - 1) "(x) + 1" : "x"
        }' > many$n.cu
    done
    cat >> many2.cu <<'END'
extern __device__ int total;
__device__ int last(int x);
__global__ void k(int *p) { *p = last(f2_399(total)); }
int main()
{
    int *d, h;
    cudaMalloc(&d, 4);
    k<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return h != 3 + 399 + 399;
}
END
    cat >> many1.cu <<'END'
__device__ int total = 3;
__device__ int last(int x) { return f1_399(x); }
END
    $cc -rdc=true many1.cu many2.cu -o many && ./many ||
        fail "device functions and variables of another file"
    # All of them recursive
    sed -i '1i __device__ int f1_399(int x);
s/f1_0(int x) { return x/f1_0(int x) { return x > 1000000 ? f1_399(x) : x/' many1.cu
    $cc -dc many1.cu many2.cu && $cc many1.o many2.o -o many && ./many || fail "recursion"
    $cc -dlink many1.o many2.o -o linked.o && $cc many1.o many2.o linked.o -o many && ./many ||
        fail "a device link" ;;
textures) # what is wrong with them is found
    cat > texture.cu <<'CODE'
__global__ void k(cudaTextureObject_t t, cudaSurfaceObject_t s, float *y)
{
    y[0] = tex2D<float>(t, 1, 1);
    surf2Dwrite(1.0f, s, 16, 0);
}
int main(int argc, char **argv)
{
    cudaArray_t a;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    cudaSurfaceObject_t s;
    float *y;
    cudaMallocArray(&a, &f, 4, 4, cudaArraySurfaceLoadStore);
    r.res.array.array = a;
    cudaCreateTextureObject(&t, &r, &d, 0);
    cudaCreateSurfaceObject(&s, &r);
    cudaMalloc(&y, 4);
    k<<<1, 1>>>(argc > 1 ? 77 : t, s, y);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
CODE
    $cc texture.cu -o texture || fail compile
    ./texture > out 2> err; expect_status 1 $?
    expect_text '^texture.cu:3: uninitialised-read: .*through a texture' err
    said='byte 16 of row 0 lies outside the surface of 16 bytes'
    expect_text "^texture.cu:4: out-of-bounds: .*$said" err
    ./texture destroyed > out 2> err; expect_status 1 $?
    expect_text '^texture.cu:3: invalid-address: .*a texture that has not been created' err ;;
beginners) # their compile errors: the right line, the right words, and none of ours
    mistake() { # LINE 'words': compiles wrong.cu
        $cc -c wrong.cu -o wrong.o 2> err; expect_status 1 $?
        head -1 err | grep -q "^wrong.cu:$1:.*$2" || { fail "no '$2' at line $1:"; cat err; }
        refuse_text 'emulated\|launch\.h\|thunk\|required from' err
    }
    kernel='#define verify(call) do { if ((call) != cudaSuccess) return 1; } while (0)
#define verifyKernel(launch) do { launch; } while (0)
__global__ void k(int *p, float x) { p[threadIdx.x] = x; }
int main(void)
{
    int *d_p;
    float *d_f;'
    in_main() { printf '%s\n    %s\n    return 0;\n}\n' "$kernel" "$1" > wrong.cu; }
    in_main 'k<<1, 1>>(d_p, 1);'; mistake 8 'three brackets: kernel<<<grid, block>>>(arguments)'
    in_main 'k<<<1, 1>>>(d_p);'; mistake 8 'kernel k takes 2 arguments, this launch has 1'
    in_main 'k<<<1, 1>>>(d_p, 1, 2);'; mistake 8 'kernel k takes 2 arguments, this launch has 3'
    in_main 'k<<<1, 1>>>(d_f, 1);'
    mistake 8 'the kernel takes (int\*, float), this launch gives (float\*, int)'
    in_main 'k<<<1, 1>>>(d_f, 1);'; mistake 8 '' &&
        expect_text '^    8 |     k<<<1, 1>>>(d_f, 1);$' err
    expect_text '^      |                ^$' err
    in_main 'verifyKernel(k<<<1, 1>>>(d_p, 1));'; mistake 8 'passed 2 arguments' &&
        expect_text 'second pair of parentheses' err
    in_main 'verify(cudaMalloc((void **)&d_p, 4);'; mistake 8 'unterminated' &&
        expect_text 'a ) is missing: it begins here' err
    in_main 'verify(cudaMalloc(d_p, 4));'; mistake 8 'cudaMalloc' &&
        expect_text 'the address of the pointer' err
    echo 'template <int T> __global__ void twice(int n) { __shared__ float s[T][n]; s[0][0] = n; }
int main(void) { twice<1><<<1, 1>>>(1); twice<2><<<1, 1>>>(1); return 0; }' > wrong.cu; mistake 1 ''
    [ "$(grep -c "storage size" err)" -eq 1 ] ||
        { fail 'an error is told for each instance of a template:'; cat err; }
    echo '__global__ int one(int *p) { return *p; }
int main(void) { one<<<1, 1>>>(0); }' > wrong.cu; mistake 1 'a kernel returns nothing'
    refuse_text 'is launched' err
    in_main 'd_p[threadIdx.x] = 1;'; mistake 8 'here is host code'
    in_main 'for (int i = 0; i < blockIdx.x; i++) ;'; mistake 8 'here is host code'
    in_main 'if (d_p) {'; mistake '[0-9]*' 'expected' &&
        expect_text '^wrong.cu:5:1: note: to match this' err
    in_main 'k(d_p, 1)'; mistake '[89]' 'expected'
    in_main 'int n = threads;'; mistake 8 'threads.* was not declared'
    in_main 'cudaMemcpy(d_p, 2.0f, 4, cudaMemcpyHostToDevice);'
    mistake 8 'cannot convert' && expect_text 'pass it to the kernel as an argument' err
    in_main 'const float *x = d_f; float *t = x;'; mistake 8 'invalid conversion' &&
        expect_text 'nor through a copy of it: const float' err
    device() {
        printf '__global__ void k(float *x)\n{\n    %s\n    x[0] = 1;\n}\n' "$1" > wrong.cu
    }
    device '__shared__ float s[blockDim.x];'; mistake 3 's' && expect_text 'must be a constant' err
    device 'cudaDeviceSynchronize();'; mistake 3 'a function for host code'
    device 'if (x) {'; mistake 2 'the body that begins here does not end: a } or ) is missing'
    device 'cudaMemcpy(x, x, 4, cudaMemcpyDefault);'; mistake 3 'a function for host code'
    device 'threadIdx.x = 1;'; mistake 3 'read-only' &&
        expect_text 'blockDim and gridDim are given' err
    device 'x[blockIDx.x] = 2;'; mistake 3 'blockIDx' && expect_text "name is blockIdx" err
    echo '#include "further/tiles.h"' > wrong.cu; mistake 1 'further/' &&
        expect_text 'of an older release' err
    device 'x[1] = d_f[0];'; mistake 3 'was not declared' &&
        expect_text "a kernel does not see the host's variables" err
    device 'const float4 *q = (const float4 *)x; ((float4 *)x)[1] = q[0] * 2.0f;'
    mistake 3 'operand types' && expect_text 'compute with .x, .y, .z and .w' err
    device '__syncthread();'; mistake 3 '__syncthread' && expect_text "name is __syncthreads" err
    device 'atomicAdd(x, "1");'; mistake 3 'atomicAdd'
    device '#pragma unrol' > /dev/null; $cc -c wrong.cu -o wrong.o 2> err; expect_status 0 $?
    expect_text '^wrong.cu:3:.*warning: .*is unroll meant' err
    cat > right.cu <<'END'
__device__ int twice(int x) { return 2 * x; }
struct s {
    int i;
    __device__ s() : i{(int)threadIdx.x} { i += threadIdx.x; }
};
__global__ void k(int *p)
{
    auto f = [=] __device__(int i) { return i + (int)threadIdx.x; };
    p[0] = twice(f(s().i));
}
END
    $cc -c right.cu 2> err || { fail "threadIdx where it belongs:"; cat err; }
    in_main 'cudaMalloc(d_p, 4);' # the advice is the same in each locale
    for locale in C C.UTF-8; do
        LC_ALL=$locale $cc -c wrong.cu 2> err; expect_status 1 $?
        expect_text "call to 'cudaMalloc(" err; expect_text 'the address of the pointer' err
    done
    device 'extern __shared__ float s[]; extern __shared__ float t[][8]; t[0][0] = s[1];'
    $cc -c -Xcompiler -Wall,-Werror wrong.cu 2> err || { fail "dynamic shared memory:"; cat err; }
    expect_text '^wrong.cu:3:.*warning: all extern __shared__ arrays begin at the same address' err
    cat > right.cu <<'END'
extern __shared__ int first[];
extern __shared__ int second[];
__global__ void one(int *p) { extern __shared__ int s[]; p[0] = s[0] + first[0]; }
__global__ void other(int *p) { extern __shared__ int s[]; p[0] = s[0] + second[0]; }
END
    $cc -c right.cu 2> err && [ ! -s err ] || { fail "dynamic arrays of two kernels:"; cat err; }
    cat > right.cu <<'END'
__global__ void k(int *p)
{
#pragma unroll
    for (int i = 0; i < 4; i++)
        p[i] = i;
}
END
    $cc -c -Xcompiler -Wall,-Werror right.cu 2> err || { fail "#pragma unroll:"; cat err; }
    # --warnings FILE: all of them, with their lines, into that file, which is there when the object
    # is
    cat > suspicious.cu <<'END'
__global__ void k(int *p, int n)
{
#pragma unrol
    if (n = p[0])
        p[1] = 1;
}
END
    $cc -c --warnings found suspicious.cu 2> err || fail "suspicious, and no more"
    [ ! -s err ] || { fail "--warnings prints:"; cat err; }
    expect_text '^suspicious.cu:4:.*: warning: suggest parentheses' found
    expect_text '^    4 |     if (n = p\[0\])' found
    expect_text '^suspicious.cu:3:.*: warning: .*is unroll meant' found
    printf 'int narrow(unsigned long n)\n{\n    return n;\n}\n' > narrow.cu
    $cc -c --warnings narrow narrow.cu &&
        expect_text '^narrow.cu:3:.*: warning: conversion .* may change value .-Wconversion' narrow
    echo 'int *q = 1.5;' >> suspicious.cu
    cp found before && rm suspicious.o
    $cc -c --warnings found suspicious.cu 2> err; expect_status 1 $?
    expect_text '^suspicious.cu:7:.*: error: ' err
    refuse_text warning err
    cmp -s found before || fail "the warnings of what is no object"
    $cc -c --warnings found right.cu && [ ! -s found ] ||
        { fail "nothing is suspicious, an empty file:"; cat found; }
    [ -z "$(find . -name '*partial*')" ] || fail "half a file is left"
    $cc -c --warnings none/found right.cu 2> err; expect_status 1 $?
    expect_text 'cannot write none/found' err ;;
lean) # a program in C's style is compiled without the special functions of C++17, one that speaks
    # of std:: with them
    cat > plain.cu <<'END2'
#ifdef _STL_ALGOBASE_H
#error "more than C needs"
#endif
#warning "said once"
#ifdef __CUDA_ARCH__
#endif
__global__ void k(double *x) { *x = sqrt(*x); }
int main(void) { return 0; }
END2
    if printf '#include <cmath>\n#ifndef _STL_ALGOBASE_H\n#error\n#endif\n' |
        g++ -std=gnu++17 -E -x c++ - > /dev/null 2>&1; then
        $cc -c plain.cu 2> err || { fail "not lean:"; cat err; }
        [ "$(grep -c 'warning: .*said once' err)" -eq 1 ] || { fail "a warning:"; cat err; }
    fi
    cat > library.cu <<'END2'
#warning "said once"
int main(void)
{
    return std::min(3, 4) == 3 && fabs(std::cyl_bessel_j(0, 2.404825557695773)) < 1e-12 ? 0 : 1;
}
END2
    $cc library.cu -o library 2> err || { fail "with std:: "; cat err; }
    ./library || fail "the special functions"
    [ "$(grep -c 'warning: .*said once' err)" -eq 1 ] || { fail "a warning with std:"; cat err; }
    printf 'using namespace std;\nint main(void) { return min(3, 4) - 3; }\n' > using.cu
    $cc using.cu -o using && ./using || fail "using namespace std"
    # texture and surface references are no more in CUDA 12: such names may be the program's own
    cat > own.cu <<'END'
struct surface {
    int x;
};
enum texture { rough };
__global__ void k(surface *s) { s->x = rough; }
END
    cat >> own.cu <<'END'
int main(void)
{
    k<<<1, 1>>>(0);
    return cudaGetLastError() - cudaSuccess;
}
END
    $cc -c own.cu 2> err || { fail "a struct surface of the program's own:"; cat err; }
    cat > references.cu <<'END'
texture <float, 1> t;
surface<void, 2> s;
int main(void) { return 0; }
END
    $cc -c references.cu 2> err || { fail "references:"; cat err; } ;;
clang) # what only the optional pass with clang sees
    command -v clang++ > /dev/null || { echo "SKIPPED: no clang++"; exit 77; }
    cat > host.cu <<'END'
static int f(int x) { return x; }
__global__ void k(int *x)
{
    *x = f(1);
}
END
    $cc -c host.cu 2> err; expect_status 1 $?
    expect_text '^host.cu:4:.*host function.*f' err
    printf '__global__ void k(int *x) { *x = 1; }\nint main()\n{\n    k(0);\n}\n' > call.cu
    $cc -c call.cu 2> err; expect_status 1 $?
    expect_text '^call.cu:4:' err
    printf '__global__ int k(int *x)\n{\n    return *x;\n}\n' > value.cu
    $cc -c value.cu 2> err; expect_status 1 $?
    expect_text '^value.cu:1:' err
    printf '__global__ void k(int *x)\n{\n    __shared__ int s = 3;\n    *x = s;\n}\n' > init.cu
    $cc -c init.cu 2> err; expect_status 1 $?
    expect_text '^init.cu:3:' err
    # (The build compiles checks.cu, language.cu and the programs in the same way.)
    $cc -c good.cu -o any.o 2> err || { fail "good.cu:"; cat err; } ;;
*)
    fail "no case $case" ;;
esac
exit $failed
