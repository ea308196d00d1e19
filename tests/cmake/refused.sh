# refused.sh CMAKE SOURCE FOLDER: settings with which the course cannot be built are refused in a
# line that says what to do.
cmake=$1 source=$2 folder=$3
. "$(dirname "$0")/../runner/functions.sh"
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 2
unset CFLAGS CXXFLAGS
configure() { "$cmake" -S "$source" -B "$1" -DCOURSE_GPU=OFF -DCOURSE_ONLY=ex01; }
(CXXFLAGS=-fsanitize=address; export CXXFLAGS
expect 1 "unset CFLAGS and CXXFLAGS" configure sanitizer) || exit 1
if command -v ninja >/dev/null; then
    (CMAKE_GENERATOR='Ninja Multi-Config'; export CMAKE_GENERATOR
    expect 1 "unset CMAKE_GENERATOR" configure several) || exit 1
    (CMAKE_GENERATOR=Ninja; export CMAKE_GENERATOR; expect 0 "" configure one) || exit 1
fi
# Among the sources the program course would take the place of the script; and another project's
# settings are not ours.
mkdir -p among part && cp "$source/CMakeLists.txt" among/
expect 1 "the build needs a folder of its own" "$cmake" -S among -B among
printf 'cmake_minimum_required(VERSION 3.18)\nproject(part NONE)\nadd_subdirectory("%s" course)\n' \
    "$source" >part/CMakeLists.txt
expect 1 "the course is a project of its own" "$cmake" -S part -B part/build
expect 1 "cannot build in a folder whose path has one of" configure 'inches "'
(CFLAGS='-O0 -Werror'; export CFLAGS
expect 0 "" configure 'harmless flags, in a folder called $HOME') || exit 1
expect 0 "" configure "it's a folder"
echo "what cannot be built is refused"
