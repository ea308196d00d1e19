# student.sh SOURCE BUILD FOLDER: a whole program as a student of an installation meets it, from
# list to reset, and as an instructor hands it out and checks it again. The checkout and its build
# stand in for the installation.
source=$1 build=$2 folder=$3 name=ex00_first_program
. "$(dirname "$0")/../runner/installed.sh"

expect 0 "[ ] ex00  A whole program" student list
expect 0 "Next: ex00, TODO 1" student next
expect 0 "cudaMalloc((void **)&pointer, bytes)" student hint ex00 3 2
expect 3 "NOT IMPLEMENTED: TODO 1 at $name/template.cu:8" student check ex00
sed '/TODO 4 begin/,/TODO 4 end/{/TODO/!d;}' "$solution" >"$template"
expect 3 "NOT IMPLEMENTED: TODO 4 at $name/template.cu:" student check ex00
expect 0 "4 of 5 basic TODOs" student list
sed 's/1.8f \* celsius/1.9f * celsius/' "$solution" >"$template"
expect 1 "line 1 is ' -40 C =  -44.0 F', and should be ' -40 C =  -40.0 F'" student check ex00
expect 0 "Next: ./course check ex00, which was WRONG" student next
# memory that the host uses, too: managed memory needs a Kepler, page-locked memory cannot run out
for calls in cudaMallocManaged:cudaFree cudaMallocHost:cudaFreeHost; do
    sed "s/cudaMalloc(/${calls%:*}(/; s/cudaFree(/${calls#*:}(/
        s/check(cudaMemcpy(d_celsius, .*/for (int i = 0; i < N; i++) d_celsius[i] = celsius[i];/
        s/check(cudaMemcpy(fahrenheit, .*/check(cudaDeviceSynchronize(), \"kernel\");\
        for (int i = 0; i < N; i++) fahrenheit[i] = d_fahrenheit[i];/" "$solution" >"$template"
    expect 0 "PASS also with --" student check ex00
done
{ cat "$solution"; echo "// mine"; } >"$template"
expect 0 "PASS also with --" student check ex00
expect 0 "[x] ex00" student list
expect 0 "// mine" student diff ex00
expect 0 "global store" student check ex00 --profile
expect 0 "passed            1" instructor rollup --verify=here "$work" --csv rows.csv
grep -q ',yes$' rows.csv || fail "not verified: $(cat out rows.csv)"
expect 0 "yours is kept in $template." student reset ex00
expect 3 "NOT IMPLEMENTED: TODO 1" student check ex00

command -v git >/dev/null && git -C "$source" rev-parse 2>/dev/null || exit 0
git -C "$source" diff --quiet -- "$name/template.cu" || exit 0 # an author is at work on it
expect 0 "Handed out: $folder/class, 1 exercise" instructor handout "$folder/class" ex00
for there in template.cu README.md output.txt checks.txt; do
    [ -s "class/$name/$there" ] || fail "the handout lacks $there"
done
[ ! -e "class/$name/solution.cu" ] || fail "the handout has the solution"
