#!/bin/sh
# nvcc.sh CASE PREFIX PROJECT [CMAKE BUILD SOURCE]: emulated-nvcc as it is installed under PREFIX,
# alone and in the place of nvcc for the small project in the folder PROJECT. The case `install`
# puts it there, from the build folder BUILD of the sources in SOURCE. Prints nothing when all is
# well.
case=$1 prefix=$2 project=$3 cmake=$4 build=$5 source=$6
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
toolkit=$prefix/lib/emulated-nvcc
export PATH="$prefix/bin:$PATH"
failed=0
fail() { echo "FAILED: $*"; failed=1; }
expect_status() { [ "$2" -eq "$1" ] || fail "exit status $2 instead of $1"; }
expect_text() { grep -q -e "$1" "$2" || { fail "no '$1' in:"; cat "$2"; }; }
refuse_text() { ! grep -q -e "$1" "$2" || { fail "'$1' in:"; cat "$2"; }; }
one_line() { [ "$(wc -l <"$1")" -eq 1 ] || { fail "more than one line:"; cat "$1"; }; }
cp -R "$project" "$dir/project" && cd "$dir/project" || exit 2
# In a makefile's way: the flags that our callers' make may have are not for these.
unset MAKEFLAGS MAKELEVEL MFLAGS

case $case in
install) # what is installed does without what it was built from, and may be moved
    rm -rf "$prefix" "$prefix.before"
    "$cmake" --install "$build" --component emulated --prefix "$prefix.before" >out 2>&1 ||
        { fail "install"; cat out; }
    mv "$prefix.before" "$prefix" || exit 1
    for file in bin/emulated-nvcc share/man/man1/emulated-nvcc.1 share/doc/emulated-nvcc/README.md \
        lib/emulated-nvcc/bin/nvcc lib/emulated-nvcc/include/cuda_runtime.h \
        lib/emulated-nvcc/include/cublas.h lib/emulated-nvcc/lib64/libcudart.a; do
        [ -s "$prefix/$file" ] || fail "no $file"
    done
    emulated-nvcc --dryrun -DSHIFT=1 launch.cu main.cpp -o program 2>commands || fail "--dryrun"
    emulated-nvcc -M -DSHIFT=1 launch.cu >headers || fail "-M"
    expect_text "$toolkit/include/cuda_runtime.h" headers
    expect_text "^#. .*-L$toolkit/lib64.* -lcudart_static" commands
    for text in commands headers; do
        # The build folder may lie within the source's, and PREFIX within that.
        sed "s|$prefix||g" $text >$text.rest
        refuse_text "$source/" $text.rest
        refuse_text "$build/" $text.rest
    done
    emulated-nvcc -DSHIFT=1 launch.cu scale.cu sum.cu main.cpp -o program && ./program >out ||
        fail "compile and run"
    expect_text '^10000$' out
    # a mistake is the author's, not that of our headers
    echo '__global__ void k() {}' >wrong.cu
    echo 'int main() { k<<<0, 1>>>(); }' >>wrong.cu
    emulated-nvcc wrong.cu -o wrong && ./wrong 2>err; expect_status 1 $?
    expect_text '^wrong.cu:2: invalid-launch: ' err
    "$cmake" -S "$source" -B "$dir/own" >out 2>&1 || { fail "configure without tests"; cat out; }
    # nothing but the program: one line says what is missing
    mkdir -p "$dir/alone/bin" && cp "$prefix/bin/emulated-nvcc" "$dir/alone/bin/"
    "$dir/alone/bin/emulated-nvcc" main.cpp 2>err; expect_status 2 $?
    expect_text 'cannot read .*alone/lib/emulated-nvcc' err; one_line err ;;
make) # objects, a device link, a static library, dependencies
    make NVCC=emulated-nvcc program >out 2>&1 || { fail "make"; cat out; }
    ./program >out; expect_text '^10000$' out
    sed 's/factor \* x/factor * x + 1/' scale.cu >changed && mv changed scale.cu
    touch -d "1 hour" steps.h
    make NVCC=emulated-nvcc -n program >out 2>&1
    expect_text '-o scale.o' out; expect_text '-o main.o' out
    # the makefile's linker may be g++, and its compiler the toolkit's
    make NVCC="$toolkit/bin/nvcc" program >out 2>&1 || { fail "make again"; cat out; }
    g++ launch.o main.o libsteps.a -L"$toolkit/lib64" -lcudart -o linked && ./linked >out ||
        fail "g++ as the linker"
    expect_text '^10100$' out
    emulated-nvcc libsteps.a launch.o main.o -o linked && ./linked >out ||
        fail "an archive before the objects"
    expect_text '^10100$' out ;;
cmake) # the compiler is identified, the toolkit found, main.cpp compiled by g++
    "$cmake" -S . -B build -DCMAKE_CUDA_COMPILER=emulated-nvcc >out 2>&1 ||
        { fail "configure"; cat out; }
    expect_text 'CUDA compiler identification is NVIDIA 12.0.140' out
    expect_text "Found CUDAToolkit: $toolkit/include" out
    "$cmake" --build build >out 2>&1 || { fail "build"; cat out; }
    ./build/program >out; expect_text '^10000$' out ;;
options)
    # -E, -M and their kind make no object
    emulated-nvcc -E -DSHIFT=5 launch.cu | grep -q 'shift<<<.*(d_x, n, 5)' || fail "-E"
    emulated-nvcc -E -DSHIFT=5 launch.cu -o launch.i; expect_text '(d_x, n, 5)' launch.i
    emulated-nvcc -MM sum.cu >out; expect_text '^sum.o: sum.cu steps.h$' out
    emulated-nvcc -MM -MP -MT 'a b' sum.cu -o out; expect_text '^a b: sum.cu' out
    expect_text '^steps.h:$' out
    emulated-nvcc -c -MD -MT x.o sum.cu -o made.o; expect_text '^x.o: sum.cu' made.d
    emulated-nvcc -c -MMD -MF host.d main.cpp && expect_text '^main.o: main.cpp steps.h' host.d
    mkdir objects && emulated-nvcc -c -odir objects sum.cu scale.cu && [ -f objects/sum.o ] &&
        [ -f objects/scale.o ] || fail "-odir"
    rm -f ./*.o
    emulated-nvcc --dryrun -c sum.cu 2>out; expect_text 'arch compute_90 sum.cu' out
    [ ! -e sum.o ] || fail "--dryrun has made an object"

    # what there is not, one line each
    for option in -ptx --cubin -fatbin; do
        emulated-nvcc $option sum.cu 2>err; expect_status 1 $?
        expect_text "^emulated-nvcc: $option is not there" err; one_line err
    done
    for option in -fopenmp -Wall --use-fast-math --arch=sm_90 -compile -c=1 -Wl,--as-needed; do
        emulated-nvcc $option sum.cu 2>err; expect_status 2 $?
        expect_text "^emulated-nvcc: unknown option $option:" err; one_line err
    done
    emulated-nvcc -rdc 2>err; expect_status 2 $?; expect_text '-rdc needs a value' err; one_line err
    emulated-nvcc -x fortran sum.cu 2>err; expect_status 2 $?; expect_text 'expected cu' err
    emulated-nvcc -Os sum.cu 2>err; expect_status 2 $?; expect_text 'a level from 0 to 3' err
    emulated-nvcc -c sum.cu scale.cu -o two.o 2>err; expect_status 2 $?; one_line err
    emulated-nvcc -c nowhere.cu 2>err; expect_status 2 $?
    expect_text 'nowhere.cu: No such file' err; one_line err
    emulated-nvcc -optf nowhere.txt 2>err; expect_status 2 $?; one_line err
    emulated-nvcc --version >out; expect_text 'release 12.0, V12.0.140' out
    emulated-nvcc --help >out; expect_text '^usage: emulated-nvcc' out

    # every spelling of a value, a file of options, comments in quotes
    printf '%s\n' '-DSHIFT=1' '-c "launch.cu"' >options.txt
    emulated-nvcc --options-file options.txt -o launch.o || fail "--options-file"
    emulated-nvcc -forward-unknown-to-host-compiler -fopenmp -dc -D TWO=1,THREE -I=. -O3 -w -G -g \
        -std=c++20 -gencode=arch=compute_70,code=\"sm_70,compute_70\" --expt-relaxed-constexpr \
        --generate-code "arch=compute_80,code=[sm_80,compute_80]" -Xptxas=-v -Xcompiler \
        "\"-Wall\" -Wextra" --compiler-options=-fPIC -Werror all-warnings --use_fast_math \
        -lineinfo -diag-suppress 177 -maxrregcount=32 -t 2 -cudart shared scale.cu sum.cu ||
        fail "every spelling"
    echo '#if __cplusplus < 202002L || TWO != 1 || !THREE || !defined _OPENMP' >asks.cu
    printf '#error no\n#endif\n' >>asks.cu
    emulated-nvcc -std c++20 -DTWO -D THREE,FOUR -Xcompiler=-fopenmp -c asks.cu || fail "macros"

    # libraries: what nvcc calls shared is linked all the same; the linker's own options; g++'s name
    emulated-nvcc -shared scale.o sum.o -o libsteps.so || fail "-shared"
    emulated-nvcc -ccbin g++ launch.o -x cu main.cpp -L. -lsteps -lcudart \
        -Xlinker -Map,map.txt -o program && ./program >out || fail "a shared library"
    expect_text '^10000$' out
    [ -s map.txt ] || fail "-Xlinker"
    emulated-nvcc -ccbin nowhere-g++ -c sum.cu 2>err; expect_status 1 $?
    expect_text 'cannot start nowhere-g++' err
    # NVIDIA's headers give way
    mkdir theirs && echo '#error not ours' >theirs/cuda_runtime.h &&
        emulated-nvcc -Itheirs -isystem theirs -c sum.cu || fail "headers of another toolkit"
    # what a C program asks of NVIDIA's management library
    emulated-nvcc nvml.c -lnvidia-ml -o nvml && ./nvml >out || fail "nvml"
    expect_text '^1 Emulated device Not Supported$' out ;;
prelude) # cuda_runtime.h is read once, and once more with a source if the compiler refuses that
    cp -R "$prefix" "$dir/copy" && PATH=$dir/copy/bin:$PATH
    folder=$dir/copy/lib/emulated-nvcc/lib64
    compiled() { # HOW MANY compilers run for this source, and is what they read short or full?
        number=$1 wanted=$2 found=full
        shift 2
        emulated-nvcc -v "$@" -c scale.cu -o scale.o 2>log || { fail "$*"; cat log; }
        [ "$(grep -c -e '-x c++-cpp-output' log)" -eq "$number" ] ||
            { fail "not $number:"; cat log; }
        sed -n 's/^#\$ \(.* -E .*-fpch-preprocess.*\)/\1/p' log | head -1 >preprocess
        [ "$(sh preprocess | wc -l)" -gt 5000 ] || found=short
        [ $found = "$wanted" ] || { fail "not $wanted:"; cat preprocess; }
    }
    compiled 1 short
    rm "$folder"/*.gch
    compiled 1 full
    emulated-nvcc --prelude "$folder" || fail "--prelude"
    for file in emulated_prelude.h.gch cuda_runtime.i cuda_runtime.ii cuda_runtime.ii.gch; do
        [ -s "$folder/$file" ] || fail "$file is not written"
    done
    compiled 1 short
    nm -C scale.o | grep -q " set_factor(" || fail "a function is not in the object"
    compiled 1 short -Xcompiler -funroll-loops # has no such header for the compiler
    compiled 1 short -Xcompiler -fwhole-program
    compiled 1 full -std=c++20                 # nor for the preprocessor
    compiled 1 full -arch=sm_80
    compiled 1 full -D_GLIBCXX_ASSERTIONS
    echo "of another compiler" >"$folder/cuda_runtime.ii.gch"
    compiled 2 short
    echo "of another compiler" >"$folder/emulated_prelude.h.gch"
    compiled 1 full
    emulated-nvcc --prelude "$folder/none" 2>log && fail "written into no folder"
    grep -q "cannot write $folder/none/" log || { fail "another message:"; cat log; }
    # in a whole program the runtime still knows a kernel that a node names by its address alone
    cat >node.cu <<'END'
__global__ void store(int *p, int value) { *p = value; }
int main()
{
    int *p, value = 7, result = 0;
    void *arguments[] = {&p, &value};
    cudaKernelNodeParams node = {};
    cudaGraph_t graph;
    cudaGraphNode_t added;
    cudaGraphExec_t run;
    cudaMalloc(&p, sizeof *p);
    node.func = (void *)store;
    node.gridDim = node.blockDim = dim3(1);
    node.kernelParams = arguments;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&added, graph, NULL, 0, &node);
    cudaGraphInstantiate(&run, graph, NULL, NULL, 0);
    cudaGraphLaunch(run, 0);
    cudaMemcpy(&result, p, sizeof result, cudaMemcpyDeviceToHost);
    cudaGraphExecDestroy(run);
    cudaGraphDestroy(graph);
    cudaFree(p);
    return result != value;
}
END
    emulated-nvcc -Xcompiler -fwhole-program node.cu -o node && ./node || fail "a node's kernel" ;;
esac
exit "$failed"
