# installed.sh: the set-up of a test, which sources this file: a student of an installation and an
# instructor, who have one exercise. The test says where things are: $source, $build, $folder (new),
# and the exercise: $name.
# shellcheck disable=SC2034,SC2154
. "$(dirname "$0")/../runner/functions.sh"
rm -rf "$folder" && mkdir -p "$folder/installed" && cd "$folder" || exit 2
ln -s "$build"/* installed/ && rm -f installed/settings.cmake installed/exercises.txt \
    installed/has_gpu_programs || exit 2
grep -v -e COURSE_GPU -e COURSE_ONLY -e CUDA "$build/settings.cmake" >installed/settings.cmake
for setting in 'COURSE_GPU OFF' "COURSE_ONLY $(echo "$name" | short)"; do
    echo "set($setting CACHE STRING \"\")"
done >>installed/settings.cmake
grep "^$name" "$build/exercises.txt" >installed/exercises.txt
course=$source/course work=$folder/cuda-course
student() {
    env -u COURSE_BUILD -u COURSE_WORK HOME="$folder" COURSE_INSTALLED="$folder/installed" \
        "$course" "$@"
}
instructor() { COURSE_SOURCE=$source COURSE_BUILD=$build "$build/course" "$@"; }
solution=$source/$name/solution.cu template=$work/$name/template.cu
