# testing.sh COURSE FOLDER: what ./course test builds and runs, with and without a GPU, and what
# ./course build builds; scripts in place of cmake and ctest say how they were called.
. "$(dirname "$0")/prelude.sh"
unset CUDAARCHS
mkdir -p tests/harness
for name in cmake ctest; do
    printf '#!/bin/sh\necho "%s $*" >>"%s/calls"; [ ! -e "%s/%s_fails" ]\n' $name "$folder" \
        "$folder" $name >bin/$name
    chmod +x bin/$name
done
# called TEXT...: each stands in the calls since the last time.
called() {
    for text; do grep -qF -e "$text" "$folder/calls" ||
        fail "'$text' was not called: $(cat "$folder/calls")"; done
    rm "$folder/calls"
}
no_nvidia_smi() { printf '#!/bin/sh\nexit 1\n' >bin/nvidia-smi && chmod +x bin/nvidia-smi; }

# Without a GPU its programs are neither built nor run; --author wants all.
if [ ! -e /dev/nvidia0 ]; then
    no_nvidia_smi
    expect 0 "" "$course" test
    called " --target without_gpu" "-LE ^(author|gpu)\$"
    grep -q "left out" out && fail "without nvcc nothing is left out: $(cat out)"
    : >"$folder/build/has_gpu_programs"
    expect 0 "./course build builds them" "$course" test
    rm "$folder/calls"
    expect 0 "" "$course" test --author
    grep -q -e '-LE' "$folder/calls" && fail "tests were left out: $(cat "$folder/calls")"
    called "-DCOURSE_AUTHOR=ON" " --target all" "ctest "
    rm "$folder/build/has_gpu_programs"
fi
with_gpu
expect 0 "" "$course" test
called " --target all" "-LE ^author\$"
: >"$folder/ctest_fails"
expect 1 "" "$course" test
: >"$folder/cmake_fails"
expect 2 "the build failed" "$course" test
rm "$folder/ctest_fails" "$folder/cmake_fails" "$folder/calls"
expect 2 "'--authors' is not understood" "$course" test --authors

expect 0 "the GPU's programs too" "$course" build
called " --target all"
expect 0 "the GPU's programs too" "$course" build ex77 77
called " --target ex77 ex77"
CUDAARCHS="80;90" expect 0 "the GPU's programs too" "$course" build ex77
called "-DCMAKE_CUDA_ARCHITECTURES=80;90" " --target ex77"
rm "$folder/build/has_gpu_programs"
expect 0 "no nvcc was found" "$course" build
expect 2 "there is no exercise 'ex99'" "$course" build ex99
: >"$folder/cmake_fails"
expect 2 "the build failed" "$course" build
echo "test and build do what this machine needs"
