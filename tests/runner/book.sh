# book.sh COURSE FOLDER: the book is one file whose links all lead somewhere, without answers unless
# they are asked for.
. "$(dirname "$0")/functions.sh"
course=$1 folder=$2
command -v cmark-gfm >/dev/null || { echo "SKIPPED: cmark-gfm is not installed"; exit 77; }
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 2
"$course" book -o with.html --answers >out 2>&1 || fail "book --answers: $(cat out)"
"$course" book -o without.html >out 2>&1 || fail "book: $(cat out)"
for book in with without; do
    grep -o 'href="#[^"]*"' $book.html | sed 's/href="#//;s/"//' | sort -u >links
    grep -o ' id="[^"]*"' $book.html | sed 's/ id="//;s/"//' | sort >places
    [ "$(wc -l <links)" -gt 20 ] || fail "$book: hardly any links"
    [ -z "$(uniq places | comm -23 links -)" ] ||
        fail "$book: links that lead nowhere: $(uniq places | comm -23 links - | head)"
    [ -z "$(uniq -d places)" ] || fail "$book: places of one name: $(uniq -d places | head)"
    ! grep -o '\(src\|href\)="[^"#d][^"]*"' $book.html | grep -v 'href="https\{0,1\}://' ||
        fail "$book: needs other files"
    for tag in article details; do
        [ "$(grep -o "<${tag}[ >]" $book.html | wc -l)" -eq \
            "$(grep -o "</$tag>" $book.html | wc -l)" ] ||
            fail "$book: <$tag> and </$tag> differ in number"
    done
done
grep -q 'id="labb"' without.html || fail "no chapter of lab_building"
for lesson in "$(dirname "$0")"/../../lessons/*.md; do
    grep -q "id=\"$(basename "$lesson" .md)\"" without.html || fail "no chapter of $lesson"
done
# Its search, in a browser: one chapter has the word, all have no word.
for browser in chromium chromium-browser google-chrome; do
    command -v $browser >/dev/null 2>&1 || continue
    cat without.html - >asked.html <<'END'
<script>
field.value = "addStrided";
field.oninput();
const shown = [...document.querySelectorAll("article")].filter(a => !a.hidden).length;
field.value = "";
field.oninput();
document.title = `shown: ${shown}, hidden: ${document.querySelectorAll("article[hidden]").length}`;
</script>
END
    timeout 100 $browser --headless=new --no-sandbox --disable-gpu \
        --user-data-dir="$folder/profile" --dump-dom "file://$folder/asked.html" >dom 2>/dev/null
    grep -q '</html>' dom || break # it does not run here
    grep -q '<title>shown: 1, hidden: 0</title>' dom || fail "search: $(grep '<title>' dom)"
    break
done
grep -q '<input type="search"' without.html || fail "no search"
grep -q 'id="answers-' with.html || fail "the answers are missing"
! grep -q 'id="answers-' without.html || fail "the answers are there unasked"
grep -q 'src="data:image/svg+xml;base64,PHN2' without.html || fail "no picture is in the page"
"$course" book --nonsense >out 2>&1
[ $? -eq 2 ] && grep -q "book takes" out || fail "book --nonsense: $(cat out)"
