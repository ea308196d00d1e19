# slides.sh COURSE SOURCE FOLDER: each exercise and lab has a deck: a slide for each section of its
# lesson, all that a slide shows fits on it, the notes have the instructor's section, and nothing is
# there from the task on. Printed, a deck is small.
. "$(dirname "$0")/functions.sh"
course=$1 source=$2 folder=$3
command -v cmark-gfm >/dev/null || { echo "SKIPPED: cmark-gfm is not installed"; exit 77; }
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 2
# one_line STATUS TEXT COMMAND...: as expect, and nothing else is said.
one_line() {
    expect "$@"
    [ "$(wc -l <out)" -eq 1 ] || fail "more than a line: $(cat out)"
}
expect 0 "Written: slides/ex00.html" "$course" slides
echo "lab_building|" | cat "$COURSE_BUILD/exercises.txt" - >lessons
while IFS='|' read -r name _; do
    brief=$(echo "$name" | short)
    deck=slides/$brief.html lesson=$source/$name/README.md
    [ -s "$deck" ] || fail "no deck of $name"
    for tag in section details ul li pre code table div; do
        [ "$(grep -o "<${tag}[ >]" "$deck" | wc -l)" -eq "$(grep -o "</$tag>" "$deck" | wc -l)" ] ||
            fail "$deck: <$tag> and </$tag> differ in number"
    done
    ! grep -E '<(img|link|script)[^>]* (src|href)="[^"]' "$deck" | grep -v '"data:' ||
        fail "$deck needs other files"
    sed '/^## Task/,$d' "$lesson" >text
    grep -c '^!\[' text >wanted
    grep -c '<img src="data:image/' "$deck" | cmp -s - wanted ||
        fail "$deck: not the $(cat wanted) pictures of its lesson"
    sed -n 's/^### //p' text | tr -d '`*' | sed 's/&/\&amp;/g; s/"/\&quot;/g' >sections
    sed -n 's/.*class="slide"><h2>\(.*\)<\/h2>/\1/p' "$deck" | sed 's/<[^>]*>//g' >slides_of
    ! grep -qvxFf slides_of sections ||
        fail "$deck: no slide of $(grep -vxFf slides_of sections)"
    grep -q "<h3>$brief .*minutes</h3>" "$deck" || fail "$deck: no notes of TEACHING.md"
    grep -qx "Poll: right or wrong?" slides_of || fail "$deck has no poll"
    ! grep -q -e '<h2>Hints' -e '<h2>Task' -e 'TODO [0-9]* begin' "$deck" ||
        fail "$deck goes on behind the lesson"
    # The lines of a slide that are certainly there, in px of 570
    awk '/class="slide"/ { slide = 1; px = 0 }
        slide && /<li>/ { px += 45 }
        slide && /<pre>/ { code = 1; px += 20 }
        /<\/pre>/ { code = 0 }
        slide && code { px += 24 * (1 + int((length($0) - 1) / 140)) }
        slide && /--h:/ { px += 360 }
        px > 600 { print FILENAME ": slide overflows at: " $0; bad = 1; exit }
        /<\/section>/ { slide = 0 }
        END { exit bad }' "$deck" || fail "that does not fit"
done <lessons
[ "$(find slides -type f | wc -l)" -eq "$(wc -l <lessons)" ] || fail "other files: $(ls slides)"

# The first sentence is on the slide, the whole in the notes.
expect 0 "Written: a.html" "$course" slides ex04 -o a.html
cmp -s a.html slides/ex04.html || fail "another deck by another name"
sentence='The result is right in any case; only time is lost, and only if both ways are long.'
grep -q "<li>$sentence</li>" a.html ||
    fail "no first sentence: $(grep 'The result is right' a.html)"
grep -q '^<p>The result is right in any case' a.html || fail "no paragraph in the notes"

# What is higher than a slide goes on on the next one: a table with its head, a function from near
# its middle on, and no slide begins a function that would fit on the next one as a whole.
mkdir made_up && ln -s "$source"/* made_up && rm made_up/lab_building && mkdir made_up/lab_building
{
    printf '# A title\n\n## What you need\n\nA word.\n\n### A table\n\nIts text.\n\n'
    printf '| a | the head |\n| --- | --- |\n'
    for row in $(seq 30); do echo "| $row | a cell that takes a line |"; done
    printf '| 31 | %s |\n' "$(yes 'a cell that takes many lines' | head -n 20 | tr '\n' ' ')"
    printf '\n### A program\n\nIts text.\n\n```c\n#include <a.h>\n\n'
    for function in short long; do
        printf 'void %s(void)\n{\n' $function
        [ $function = short ] || seq -f '    line(%g);' 24
        printf '}\n\n'
    done
    printf '```\n\n## Task\n'
} >made_up/lab_building/README.md
COURSE_SOURCE=$PWD/made_up expect 0 "" "$course" slides labb -o made.html
[ "$(grep -c '<table>' made.html)" -eq 3 ] || fail "parts: $(grep -c '<table>' made.html)"
[ "$(grep -c '<th>the head</th>' made.html)" -eq 3 ] || fail "a part of a table has no head"
sed -n 's/^<td>\([0-9]*\)<\/td>/\1/p' made.html >rows
seq 31 | cmp - rows || fail "other rows than those of the table"
awk '/class="slide"/ { slide++ } /Its text/ { text = slide } /short/ { short = slide }
    /line\(1\)/ { first = slide } /line\(12\)/ { twelfth = slide } /line\(24\)/ { last = slide }
    END { exit !(short == text && first == twelfth && last == first + 1) }' made.html ||
    fail "the program is divided in other places"

# In a browser: nothing is beyond the edge of its slide, and a printed picture is no bitmap.
for browser in chromium chromium-browser google-chrome; do
    command -v $browser >/dev/null 2>&1 || continue
    visit() {
        timeout 100 $browser --headless=new --no-sandbox --disable-gpu --no-pdf-header-footer \
            --user-data-dir="$folder/profile" "$@" 2>/dev/null
    }
    cat slides/*.html made.html - >asked.html <<'END2'
<script>
addEventListener("load", () => {
  const beyond = [...document.querySelectorAll(".slide")].filter(s => {
    const edge = s.getBoundingClientRect();
    return [...s.querySelectorAll("*")].some(e => {
      const box = e.getBoundingClientRect();
      return box.bottom > edge.bottom - 20 * edge.height / 720 || box.right > edge.right;
    });
  });
  document.title = "beyond: " + beyond.map(s => s.textContent.slice(0, 40)).join(";");
});
</script>
END2
    visit --window-size=1280,720 --dump-dom "file://$folder/asked.html" >dom
    grep -q '</html>' dom || break # it does not run here
    sed -n 's/.*<title>\(beyond: .*\)<\/title>.*/\1/p' dom | grep -qx 'beyond: ' ||
        fail "on a slide $(grep '<title>' dom)"
    visit --print-to-pdf="$folder/ex04.pdf" "file://$folder/slides/ex04.html"
    [ "$(wc -c <ex04.pdf)" -lt 1000000 ] || fail "ex04 printed has $(wc -c <ex04.pdf) bytes"
    break
done

# A handout has no TEACHING.md.
mkdir handed && ln -s "$source"/* handed && rm handed/TEACHING.md
COURSE_SOURCE=$PWD/handed expect 0 "" "$course" slides 4 -o b.html
! grep -q '<h3>ex04 ' b.html || fail "notes without TEACHING.md"

# The lab without a template is there to read.
expect 0 "lab_building: from a source to a program" "$course" read lab_building
one_line 2 "lab_building has no template; ./course read labb shows its lesson" "$course" check labb

one_line 2 "there is no exercise 'ex77'" "$course" slides ex77 -o none
[ ! -e none ] || fail "a folder for nothing"
one_line 2 "takes one exercise" "$course" slides ex04 ex05 -o two.html
one_line 2 "'--nonsense' is not understood" "$course" slides --nonsense
one_line 2 "cannot make the folder no/such" "$course" slides ex04 -o no/such
one_line 2 "cannot write" "$course" slides ex04 -o a.html/x.html
[ -z "$(find . -name '*.partial*' -o -name '*.tmp*')" ] || fail "left behind: $(ls)"
echo "$(find slides -type f | wc -l) decks"
