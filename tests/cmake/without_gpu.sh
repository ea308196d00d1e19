# without_gpu.sh SOURCE FOLDER: the target without_gpu of a small project makes what all makes, but
# for the GPU's programs.
source=$1 folder=$2
fail() { echo "$*"; exit 1; }
rm -rf "$folder" && mkdir -p "$folder/sub" && cd "$folder" || exit 2
echo "int main(void) { return 0; }" >main.c
cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.18)
project(without_gpu C)
include($source/common/cmake/without_gpu.cmake)
add_executable(ex01_emulated main.c)
add_executable(ex01_gpu main.c)
add_library(ex01_gpu_acc OBJECT main.c)
add_library(headers INTERFACE)
add_executable(apart EXCLUDE_FROM_ALL main.c)
add_custom_target(on_demand COMMAND false)
add_custom_target(always ALL COMMAND \${CMAKE_COMMAND} -E touch always.txt)
add_subdirectory(sub)
add_target_without_gpu()
END
printf 'add_executable(harness ../main.c)\nadd_executable(harness_gpu ../main.c)\n' \
    >sub/CMakeLists.txt
{ cmake -S . -B build -G "Unix Makefiles" && cmake --build build --target without_gpu; } >log 2>&1 \
    || fail "$(cat log)"
for there in ex01_emulated sub/harness always.txt; do
    [ -e "build/$there" ] || fail "$there was not built: $(cat log)"
done
for gone in ex01_gpu sub/harness_gpu apart CMakeFiles/ex01_gpu_acc.dir/main.c.o; do
    [ ! -e "build/$gone" ] || fail "$gone was built"
done
echo "what is left out is the GPU's"
