# student.sh SOURCE BUILD FOLDER: the twelve programs as a student of an installation meets them:
# none passes before it is mended, each alone does afterwards, and an instructor counts them.
source=$1 build=$2 folder=$3 name=lab_debugging
. "$(dirname "$0")/../runner/installed.sh"

expect 0 "[ ] labd  Twelve programs" student list
expect 0 "Next: labd, TODO 1: the total price" student next
expect 0 "atomicExch" student hint lab_debugging 10 3
expect 3 "program 12: NOT IMPLEMENTED: TODO 12 at $name/template.cu:" student check labd

# Not mended, although a cause stands there: what each is WRONG for.
sed -i 's/"UNFILLED"/"a guess"/' "$template"
expect 1 "0 of 12 programs pass" student check $name
mv out guessed
number=0
while IFS= read -r finding; do
    number=$((number + 1))
    awk -v program="$number:" '{ text = text $0 "\n" }
        /^program / { if ($2 == program && $3 == "WRONG:") printf "%s", text; text = "" }' guessed |
        grep -qF -- "$finding" || fail "program $number: no '$finding' in $(cat guessed)"
done <<END
invalid-address: kernel addUp, thread (0,0,0) of block (0,0,0) reads a host address
misaligned: kernel weigh, thread (0,0,0) of block (0,0,0) writes 8 bytes at byte 196
out-of-bounds: kernel search, thread (95,0,0) of block (0,0,0) reads 4 bytes
uninitialised-read: kernel curve, thread (0,0,0) of block (0,0,0) reads d_height[0]
line 1 is 'sum 3072', and should be 'sum 4656'
line 1 is '500 pixels, 400 of them wrong; the last is 0'
race: kernel countPairs, thread (1,0,0) of block (0,0,0) writes byte 4 of shared variable tile
race: kernel largestOf, thread
barrier-divergence: kernel climb, thread (0,0,0) of block (0,0,0) waits at this __syncthreads()
endless-kernel: kernel pay, thread (0,0,0) of block
race: kernel add, thread (0,0,0) of block (0,0,0) reads d_x[0]
line 1 is 'highest -42.42', and should be 'highest -2.66'
END
[ $number -eq 12 ] || fail "$number programs"

# Those with an odd number mended: the others stay what they are.
awk 'FNR == 1 { region = odd = 0 }
    /TODO [0-9]+ begin/ { region++; odd = $3 % 2; if (NR > FNR && odd) printf "%s", mended[region] }
    NR == FNR { mended[region] = mended[region] $0 "\n"; next }
    !odd' "$solution" "$source/$name/template.cu" >"$template"
expect 3 "6 of 12 programs pass" student check labd
[ "$(grep -cE '^program ([13579]|11): PASS' out)" -eq 6 ] || fail "not the odd ones: $(cat out)"
expect 0 "Next: labd, TODO 2" student next
expect 0 "6 of 12 basic TODOs" student list

cp "$solution" "$template"
expect 0 "PASS also with --" student check labd
expect 0 "[x] labd" student list
expect 0 "12 of 12 programs pass" student bench --template --quick --device=emulated --report labd
[ ! -e labd ] || fail "a report named as the exercise"
expect 0 "1 of 1 PASS verdict held" instructor rollup --verify=here "$work" --csv rows.csv
grep -q ',yes$' rows.csv || fail "not verified: $(cat out rows.csv)"
expect 0 "yours is kept in $template." student reset labd
expect 3 "NOT IMPLEMENTED: TODO 1" student check labd

command -v git >/dev/null && git -C "$source" rev-parse 2>/dev/null || exit 0
git -C "$source" diff --quiet -- "$name/template.cu" || exit 0 # an author is at work on it
expect 0 "Handed out: $folder/class, 1 exercise" instructor handout "$folder/class" $name
for there in template.cu README.md output.txt checks.txt; do
    [ -s "class/$name/$there" ] || fail "the handout lacks $there"
done
for kept in "$name/solution.cu" solutions/labd.md ex00_first_program tests/labd/mutants; do
    [ ! -e "class/$kept" ] || fail "the handout has $kept"
done
expect 0 "Released: the solution and the answers of labd" instructor release "$folder/class" labd
