# tools.sh SOURCE BUILD PICTURES COURSE EMULATED-CC: the checks of the lessons fail where they must:
# a stale picture, a stale quotation, a link that leads nowhere.
source=$1 build=$2 pictures=$3 course=$4 compiler=$5 here=$(dirname "$0")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
fail() { echo "NOT CAUGHT: $*"; exit 1; }

mkdir -p "$folder/lessons/pictures" "$folder/ex01" || exit 2
"$pictures" "$folder/lessons/pictures" || exit 2
: >"$folder/README.md" && echo '![a grid](grid.svg)' >"$folder/ex01/README.md"
sh "$here/pictures.sh" "$folder/lessons/pictures" "$pictures" ||
    fail "fresh pictures are called stale"
echo '![](x.svg)' >"$folder/README.md"
sh "$here/pictures.sh" "$folder/lessons/pictures" "$pictures" >/dev/null &&
    fail "no text alternative"
: >"$folder/README.md" && : >"$folder/ex01/README.md"
sh "$here/pictures.sh" "$folder/lessons/pictures" "$pictures" >/dev/null &&
    fail "a lesson without a picture"
echo '![a grid](grid.svg)' >"$folder/ex01/README.md"
cat >"$folder/wide" <<END && sh "$folder/wide" "$folder/lessons/pictures" || exit 2
#!/bin/sh
"$pictures" "\$1" && sed -i "s/array, n =/an array that is too long, n =/" "\$1/grid.svg"
END
sh "$here/pictures.sh" "$folder/lessons/pictures" sh "$folder/wide" >"$folder/out" &&
    fail "a text that is cut off"
grep -q '^cut off: an array' "$folder/out" || fail "which text: $(cat "$folder/out")"
"$pictures" "$folder/lessons/pictures" || exit 2
echo >>"$folder/lessons/pictures/grid.svg"
sh "$here/pictures.sh" "$folder/lessons/pictures" "$pictures" >/dev/null && fail "a stale picture"
cp "$source/lessons/pictures"/* "$folder/lessons/pictures" &&
    sed "s/lane + 1/lane + 2/" "$source/lessons/pictures/accesses.cu" \
        >"$folder/lessons/pictures/accesses.cu" || exit 2
sh "$here/pictures.sh" "$folder/lessons/pictures" sh "$folder/lessons/pictures/draw.sh" \
    "$pictures" "$course" "$compiler" >"$folder/out" 2>&1 &&
    fail "a picture of other accesses"
grep -q "sectors.svg.*differ" "$folder/out" || fail "which picture is stale: $(cat "$folder/out")"

cat >"$folder/quotes.md" <<'END'
<!-- file: lessons/ex01_mistake.cu -->
<!-- end -->
<!-- output: lessons/ex01_mistake.cu -->
<!-- end -->
END
sh "$source/lessons/quote.sh" --check "$build" "$folder/quotes.md" >/dev/null &&
    fail "quotations that are missing"
sh "$source/lessons/quote.sh" "$build" "$folder/quotes.md" || fail "remaking quotations"
grep -q 'out-of-bounds' "$folder/quotes.md" || fail "a finding that is not quoted"
sh "$source/lessons/quote.sh" --check "$build" "$folder/quotes.md" ||
    fail "fresh quotations are called stale"
sed 's/out-of-bounds/race/' "$folder/quotes.md" >"$folder/stale.md"
sh "$source/lessons/quote.sh" --check "$build" "$folder/stale.md" >/dev/null &&
    fail "a stale quotation"

printf '### warp\n' >"$folder/GLOSSARY.md"
echo '[w](../GLOSSARY.md#warp) [d](#task)' >"$folder/ex01/README.md"
sh "$here/links.sh" "$folder" >/dev/null && fail "a link to a heading that is not there"
printf '[w](../GLOSSARY.md#warp) [d](#task)\n## Task\n' >"$folder/ex01/README.md"
sh "$here/links.sh" "$folder" || fail "good links are called bad"
echo '[x](nothing.md)' >>"$folder/ex01/README.md"
sh "$here/links.sh" "$folder" >/dev/null && fail "a link to a file that is not there"
mkdir "$folder/ex02_x"
printf "## What you need\n\nQuestions that\n\nA warp is.\n\n" >"$folder/ex02_x/README.md"
sh "$here/first_use.sh" "$folder" >/dev/null && fail "a term without a link"
printf "## What you need\n\nQuestions that\n\nA [warp](../GLOSSARY.md#warp) is.\n\n" \
    >"$folder/ex02_x/README.md"
sh "$here/first_use.sh" "$folder" || fail "a term with a link"

head='## What you need\n*7 minutes.\nQuestions that this lesson answers:\n'
head=$head'### Common misunderstandings\n### Key points\n## Task\n'
printf "$head" >"$folder/ex02_x/README.md"
echo '| [ex02](ex02_x/README.md) | 7 + 20 | C |' >"$folder/README.md"
sh "$here/syllabus.sh" "$folder" || fail "a good syllabus is called bad"
echo '| [ex02](ex02_x/README.md) | 8 + 20 | C |' >"$folder/README.md"
sh "$here/syllabus.sh" "$folder" >/dev/null && fail "minutes that differ"
printf "$head" | grep -v Key >"$folder/ex02_x/README.md"
echo '| [ex02](ex02_x/README.md) | 7 + 20 | C |' >"$folder/README.md"
sh "$here/syllabus.sh" "$folder" >/dev/null && fail "a lesson without key points"
printf "$head" >"$folder/ex02_x/README.md"
mkdir "$folder/ex20_y" && printf "$head" |
    sed 's/^### Key.*/&\nwords of the lesson/' >"$folder/ex20_y/README.md"
echo '| [ex20](ex20_y/README.md) | 7 + 20 | C |' >>"$folder/README.md"
sh "$here/syllabus.sh" "$folder" || fail "a short lesson is called too long"
yes "three more words" | head -n 500 >"$folder/more"
sed -i "/^### Key/r $folder/more" "$folder/ex20_y/README.md"
sh "$here/syllabus.sh" "$folder" >/dev/null && fail "a lesson that is too long"
rm -r "$folder/ex20_y"

mkdir -p "$folder/tests/ex02/mutants" "$folder/solutions/timings/h200" || exit 2
printf 'expect: race\n' >"$folder/tests/ex02/mutants/late.mutant"
printf 'header\nex02,"a, b",H200,8,PASS,0.0123,0.012,8,8,1,1,2.5,0\n' \
    >"$folder/solutions/timings/h200/ex02.csv"
cat >"$folder/good.md" <<'END'
### ex02 x: 7 + 20 minutes

It takes 12.3 ms, or 2.50 s.
- **Mistakes:** no barrier (`race`).
- **Ask:** So?
END
echo '| [ex02](ex02_x/README.md) | 7 + 20 | C |' >"$folder/README.md"
cp "$folder/good.md" "$folder/TEACHING.md"
sh "$here/teaching.sh" "$folder" || fail "a good TEACHING.md is called bad"
for change in 's/7 + 20/7 + 21/' 's/12\.3/12.4/' 's/`race`/`waits`/' 's/(.*)//'; do
    sed "$change" "$folder/good.md" >"$folder/TEACHING.md"
    sh "$here/teaching.sh" "$folder" >/dev/null && fail "in TEACHING.md: $change"
done

mkdir -p "$folder/ask/ex02_x" "$folder/ask/solutions" || exit 2
printf "## Questions\n\n1. Why?\n2. How?\n" >"$folder/ask/ex02_x/README.md"
printf "**1. So.** Yes.\n\n2. Like that.\n" >"$folder/ask/solutions/ex02.md"
sh "$here/answers.sh" "$folder/ask" || fail "good answers are called bad"
printf "1. So.\n\n3. Like that.\n" >"$folder/ask/solutions/ex02.md"
sh "$here/answers.sh" "$folder/ask" >/dev/null && fail "a question without an answer"

sed "s/check ex01 --solution/check ex01 --nothing/" "$source/lessons/hosted.ipynb" \
    >"$folder/hosted.ipynb"
printf "#!/bin/sh\ncase \$* in *--nothing*) exit 2 ;; esac\n" >"$folder/program" &&
    chmod +x "$folder/program"
if git -C "$source" rev-parse --git-dir >/dev/null 2>&1; then
    sh "$here/notebook.sh" "$source/lessons/hosted.ipynb" "$source" "$build" "$folder/program" ||
        fail "a good notebook is called bad"
    sh "$here/notebook.sh" "$folder/hosted.ipynb" "$source" "$build" "$folder/program" >/dev/null \
        && fail "a command of a notebook that fails"
fi

mkdir "$folder/emulated"
printf '%s\n' '### Beside an H200' '| kernel | |' '|---|---|' '| one | equal |' '| two | not |' \
    '# More' '| x | y |' >"$folder/emulated/README.md"
echo "counted 2 kernels on an H200. For 1 of them" >"$folder/README.md"
sh "$here/counted.sh" "$folder" || fail "a good count is called bad"
echo "counted 3 kernels on an H200. For 1 of them" >"$folder/README.md"
sh "$here/counted.sh" "$folder" >/dev/null && fail "a wrong count"

printf '<!-- mutant: ex02 slow -->\nWRONG: 1\n<!-- end -->\n' >"$folder/README.md"
printf '#!/bin/sh\necho WRONG: 1\n' >"$folder/program" && chmod +x "$folder/program"
sh "$here/excerpt.sh" "$folder/README.md" ex02 slow "$folder/program" ||
    fail "a good excerpt is called stale"
printf '#!/bin/sh\necho WRONG: 2\n' >"$folder/program"
sh "$here/excerpt.sh" "$folder/README.md" ex02 slow "$folder/program" >/dev/null &&
    fail "a stale excerpt"

printf \
    '    ./course check ex02 --fine     it is\n    ./course check ex02 --bad     exit status 2\n' \
    >"$folder/ex02_x/README.md"
printf '#!/bin/sh\ncase "$*" in *--bad*) exit 2 ;; esac\n' >"$folder/program"
sh "$here/commands.sh" "$folder" "$folder" "$folder/program" ex02 >/dev/null ||
    fail "good commands are called bad"
printf '#!/bin/sh\nexit 2\n' >"$folder/program"
sh "$here/commands.sh" "$folder" "$folder" "$folder/program" ex02 >/dev/null &&
    fail "a command that fails"
exit 0
