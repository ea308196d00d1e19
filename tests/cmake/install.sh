# install.sh CMAKE SOURCE BUILD FOLDER: cmake --install makes an installation, with a script in
# place of the cmake that builds it; where the folder holds something else it fails.
cmake=$1 source=$2 build=$3 folder=$4
fail() { echo "$*"; cat log calls 2>/dev/null; exit 1; }
git -C "$source" rev-parse HEAD >/dev/null 2>&1 ||
    { echo "SKIPPED: $source is no git checkout"; exit 77; }
rm -rf "$folder" && mkdir -p "$folder/bin" "$folder/other" && cd "$folder" || exit 2
printf '#!/bin/sh\necho "$*" >>"%s/calls"\n' "$folder" >bin/cmake && chmod +x bin/cmake
PATH=$folder/bin:$PATH
"$cmake" --install "$build" --prefix "$folder/shared" >log 2>&1 || fail "not installed"
grep -q -e "-S $folder/shared -B $folder/shared/build " calls || fail "not configured there"
grep -q -e "--build $folder/shared/build .*--target all" calls || fail "not built there"
[ -s shared/installed.txt ] && [ -x shared/course ] && [ -s shared/README.md ] ||
    fail "not whole: $(ls shared)"
[ -z "$(find shared -perm /go+w)" ] || fail "others can write there"
"$cmake" --install "$build" --prefix "$folder/other" >log 2>&1 &&
    fail "another folder was taken for an installation"
grep -q "cannot make the folder" log && grep -q "nothing was installed" log || fail "not said"
[ -z "$(ls other)" ] || fail "something was written there"
echo "cmake --install works"
