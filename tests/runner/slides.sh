# slides.sh COURSE SOURCE FOLDER: each exercise has a deck: a slide for each section of its lesson,
# all that a slide shows fits on it, the notes have the instructor's section, and nothing is there
# from the task on.
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
done <"$COURSE_BUILD/exercises.txt"
[ "$(find slides -type f | wc -l)" -eq "$(wc -l <"$COURSE_BUILD/exercises.txt")" ] ||
    fail "other files: $(ls slides)"

# The first sentence is on the slide, the whole in the notes.
expect 0 "Written: a.html" "$course" slides ex04 -o a.html
cmp -s a.html slides/ex04.html || fail "another deck by another name"
grep -q '<li>The result is right in any case; only time is lost, and only if both ways are long.</li>' \
    a.html || fail "no first sentence: $(grep 'The result is right' a.html)"
grep -q '^<p>The result is right in any case' a.html || fail "no paragraph in the notes"

# A handout has no TEACHING.md.
mkdir handed && ln -s "$source"/* handed && rm handed/TEACHING.md
COURSE_SOURCE=$PWD/handed expect 0 "" "$course" slides 4 -o b.html
! grep -q '<h3>ex04 ' b.html || fail "notes without TEACHING.md"

one_line 2 "there is no exercise 'ex77'" "$course" slides ex77 -o none
[ ! -e none ] || fail "a folder for nothing"
one_line 2 "takes one exercise" "$course" slides ex04 ex05 -o two.html
one_line 2 "'--nonsense' is not understood" "$course" slides --nonsense
one_line 2 "cannot make the folder no/such" "$course" slides ex04 -o no/such
one_line 2 "cannot write" "$course" slides ex04 -o a.html/x.html
[ -z "$(find . -name '*.partial*' -o -name '*.tmp*')" ] || fail "left behind: $(ls)"
echo "$(find slides -type f | wc -l) decks"
