# read.sh COURSE FOLDER: documents in a terminal, the tick list, the next TODO, and the watch.
. "$(dirname "$0")/prelude.sh"

# Markdown without its marks, in 80 columns.
cat >ex77_made_up/README.md <<'END2'
# ex77: made up

<!-- table: nothing.csv -->
| variant | what it *means*, in more words than 80 columns hold beside the rest of the row | time |
| --- | --- | ---: |
| `a \| b` | short | 1.5 ms |
| two | long enough to take several lines of its cell when there are only eighty columns | 20 µs |
<!-- end -->

A **bold** word, an *emphasised* one, `code_with *stars*`, [a link](somewhere.md), 2 * 3 &lt; 7, and
a paragraph that is longer than a line.
![A picture](x.svg)

- an item that is long enough to need a second line, which is indented like the first one, of course
- another

## Task

1. First.
2. Second,
   in two lines.

```cuda
int x = 1; /* a line of code too long for the terminal: it is folded at a blank, not cut off */
./course cc a.cu  # a remark that is too long for the terminal: its rest must be one, too
./course check ex77 --all-columns --quick --variant one    this says what it is for
./course check ex77 --all-columns --quick --variant one --size 1000 --block 32
```

## Hints

### TODO 1

1. The concept.
2. Nearly `code`.
END2
export COLUMNS=80
expect 0 "A bold word, an emphasised one, code_with *stars*, a link, 2 * 3 < 7, and a" \
    "$course" read ex77
[ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ] || fail "wider than 80 columns: $(cat out)"
for text in 'ex77: made up' '=============' '[picture: A picture]' '- another' \
    '2. Second, in two lines.' 'a | b    short' \
    '    int x = 1;' '  20 µs' '        # must be one, too' '        # is for' \
    '        32'; do
    grep -qF -- "$text" out || fail "'$text' is not in $(cat out)"
done
for mark in '**' '`' '<!--' '](' '| ---' '&lt;' '```' '## '; do
    grep -qF -- "$mark" out && fail "the mark $mark is still there: $(cat out)"
done
grep -q '^  indented like the first one' out || grep -q '^  [a-z]' out ||
    fail "an item's second line is indented"
expect 0 "2. Nearly code." "$course" hint ex77 1 2
# Of the hints of a TODO the first; all if asked for. Numbered lists elsewhere stay whole.
expect 0 "1. The concept." "$course" read ex77
grep -q "Nearly code" out && fail "a further hint: $(cat out)"
grep -qF "2. Second, in two lines." out || fail "the task is cut: $(cat out)"
grep -qF "./course hint ex77 N 2" out || fail "no word about the others: $(cat out)"
expect 0 "2. Nearly code." "$course" read ex77 --hints
expect 2 "there is no hint 3 for TODO 1" "$course" hint ex77 1 3
# A lesson that belongs to no exercise.
mkdir lessons && echo "# A *lesson*" >lessons/other.md
expect 0 "A lesson" "$course" read other
expect 2 "there is no exercise '../lessons/other'" "$course" read ../lessons/other
expect 2 "there is no exercise 'another'" "$course" read another
expect 0 "First." "$course" hint ex77
COLUMNS=40
expect 0 "A bold word" "$course" read ex77
[ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 42 ] || fail "COLUMNS is not honoured: $(cat out)"
unset COLUMNS
expect 2 "cannot read" "$course" answer ex77
mkdir solutions && echo 'An **answer**.' >solutions/ex77.md
expect 0 "An answer." "$course" answer ex77
grep -q "$(printf '\033')" out && fail "colour without a terminal"

# The tick list: the last check's verdict, as long as the template is unchanged.
unfilled=$(sed 's/int b = 1;/NOT_IMPLEMENTED(1);/; s/^int d;/NOT_IMPLEMENTED(2);/' $solution)
echo "$unfilled" >$template
expect 0 "[ ] ex77  nothing" "$course"
grep -qF 'Next: ex77, TODO 1: set b' out || fail "not named: $(cat out)"
grep -qF 'ex77_made_up/template.cu:2' out || fail "not named: $(cat out)"
cat >ex77_made_up/behaviour <<'END2'
echo "ran"
grep -q '^    wrong' ex77_made_up/template.cu && { verdict WRONG 1; exit 1; }
grep -q 'IMPLEMENTED(1)' ex77_made_up/template.cu && { verdict "NOT IMPLEMENTED" 0 1; exit 3; }
if grep -q 'IMPLEMENTED(2)' ex77_made_up/template.cu; then
    case $arguments in *"--advanced 2 "*) verdict PASS 0 2; exit 0 ;; esac
    verdict "NOT IMPLEMENTED" 0 2; exit 3
fi
verdict PASS; exit 0
END2
expect 3 ran "$course" check ex77 --device=emulated
expect 0 "[ ] ex77" "$course" list
sed -i 's/NOT_IMPLEMENTED(1);/int b = 1;/' $template
expect 0 "changed since the last check" "$course" list
expect 0 "PASS" "$course" check ex77 --device=emulated
expect 0 "[x] ex77" "$course" list
grep -qF 'basic PASS, advanced 0 of 1' out || fail "not told: $(cat out)"
expect 0 "TODO 2 (advanced): d" "$course" next
expect 0 "TODO 2 (advanced): d" "$course" next ex77
grep -q '^ex77_made_up PASS 0/1 20..-..-..T..:..:..Z [0-9a-f]\{16\}$' "$folder/build/progress.txt" \
    || fail "$(cat "$folder/build/progress.txt")"
rm "$folder/build/progress.txt"
for left_out in "--variant one" "--size 7" "--only device"; do
    # shellcheck disable=SC2086
    expect 0 "ran" "$course" check ex77 --device=emulated $left_out
    expect 0 "[ ] ex77" "$course" list
done
expect 0 "PASS" "$course" check ex77 --device=emulated --seed 2 # runs everything
expect 0 "[x] ex77" "$course" list
sed -i 's/int b = 1;/wrong/' $template
expect 1 "ran" "$course" check ex77 --device=emulated
expect 0 "[!] ex77" "$course" list
for words in next "next ex77"; do # the mistake comes before TODO 2
    # shellcheck disable=SC2086
    expect 0 "Next: ./course check ex77, which was WRONG" "$course" $words
    ! grep -q TODO out || fail "$words: $(cat out)"
done
echo "$unfilled" | sed 's/NOT_IMPLEMENTED([12]);/int x;/' >$template
expect 0 "Next: ./course check ex77" "$course" next
expect 0 "ran" "$course" check ex77 --device=emulated
expect 0 "Everything has passed" "$course" next
# A region without an end, which cannot be filled in.
for words in "check ex77 --device=emulated" next "next ex77"; do
    sed '/TODO 1 end/d' $solution >$template
    # shellcheck disable=SC2086
    expect 0 "ex77_made_up/template.cu:2: TODO 1 begin has no end" "$course" $words
    sed '/TODO 2 end/d' $solution >$template
    # shellcheck disable=SC2086
    expect 0 "ex77_made_up/template.cu:6: TODO 2 begin has no end" "$course" $words
done
cp $solution $template
rm "$folder/build/progress.txt"
expect 0 "[ ] ex77" "$course" list
printf 'ex77_made_up|nothing\nex78_too|more\n' >"$folder/build/exercises.txt"
cp -r ex77_made_up ex78_too &&
    cp "$folder/build/emulated/ex77_template" "$folder/build/emulated/ex78_template"
expect 0 "[x] ex78  PASS" "$course" check --device=emulated
grep -qF '[x] ex77  PASS             advanced 1 of 1' out || fail "no summary: $(cat out)"
expect 0 "ex78_too PASS" cat "$folder/build/progress.txt"

# A template of 30 MB takes no time for each of its lines that grows with the rest of the file.
yes "// a line of a comment that says nothing, and says that often" | head -c 30000000 >>$template
timeout 20 "$course" list >out 2>&1 || fail "a long template: exit status $?"

# The watch: a saved template is checked within a second, one that is put in its place too, and the
# next TODO shown.
echo "$unfilled" >$template
"$course" watch ex77 >watched 2>&1 &
watch=$!
trap 'kill $watch 2>/dev/null' EXIT
# appears TEXT N: the text is in the output N times, before long.
appears() {
    i=0
    until [ "$(grep -cF -- "$1" watched)" -ge "$2" ]; do
        i=$((i + 1))
        [ $i -le 200 ] || fail "'$1' has not appeared $2 times: $(cat watched)"
        sleep 0.05
    done
}
appears 'Next: TODO 1 at ex77_made_up/template.cu:2: set b' 1
appears 'Watching' 1
sed 's/NOT_IMPLEMENTED(1);/int b = 1;/' $template >other && mv other $template
appears 'Next: TODO 2 (advanced) at ex77_made_up/template.cu:6: d' 1
appears 'PASS: the basic part; advanced 0 of 1' 1
[ "$(grep -c 'TODO 2' watched)" -eq 1 ] || fail "the next TODO is named twice: $(cat watched)"
rm $template && sleep 0.5 && echo "$unfilled" >$template
appears 'Next: TODO 1 at ex77_made_up/template.cu:2: set b' 2
touch $template && sleep 0.6
# No next TODO is named before a mistake is corrected.
next=$(grep -c "Next: " watched)
cp $template away
sed 's/NOT_IMPLEMENTED(1);/wrong/' away >$template
appears 'ran' 4
sleep 1 # until watch has looked for the next TODO, too
mv away $template
appears 'ran' 5
appears 'Next: ' $((next + 1))
[ "$(grep -c "Next: " watched)" -eq $((next + 1)) ] ||
    fail "another TODO is named beside a WRONG: $(cat watched)"
# A folder that is named as a header might be, or for a moment in the place of the template, does
# not end it.
mkdir ex77_made_up/my.code && mv $template away && mkdir $template
sleep 1
kill -0 $watch 2>/dev/null || fail "a folder ended the watch: $(cat watched)"
rmdir $template ex77_made_up/my.code && mv away $template
[ "$(grep -c '^ran' watched)" -eq 5 ] || fail "a new date alone is no change: $(cat watched)"
echo "// mine" >ex77_made_up/mine.h
appears 'ran' 6
# Within a second of the save; of several, since the machine may be busy.
best=9999
for i in 1 2 3 4 5; do
    start=$(date +%s%N)
    echo "// $i" >>$template
    appears 'ran' $((6 + i))
    took=$((($(date +%s%N) - start) / 1000000))
    [ $took -ge $best ] || best=$took
    sleep 0.3
done
echo "checked $best ms after a save"
[ $best -le 1000 ] || fail "the watch is slow"
kill $watch
expect 2 "watch: '--now' is not understood" "$course" watch --now
echo "reading and watching work"
