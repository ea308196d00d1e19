# first_use.sh SOURCE: each term of the glossary is linked in the lesson that uses it first, in the
# order of the course, at or before the paragraph of its first use. Code and the lesson's head do
# not count.
cd "$1" || exit 2
missing=$(mktemp) || exit 2
# "line" and "limit" are English words as well
sed -n "s/^### //p" GLOSSARY.md | grep -vxE "line|limit" | while IFS= read -r term; do
    anchor=$(echo "$term" | tr '[:upper:] ' '[:lower:]-' | sed 's/[^a-z0-9_-]//g')
    awk -v term="$term" -v anchor="GLOSSARY.md#$anchor)" '
        FNR == 1 { inside = 0; quoted = 0; order++ }
        /^## / { inside = 0; if (/^## What you need/) head = 1 }
        /^Questions that/ { inside = head; head = 0 }
        /^```/ { quoted = !quoted; next }
        !inside || quoted || /^    / || /^!\[/ || /^<!--/ || /^### / || /^- .*\?$/ { next }
        # a word may be broken over two lines: the line before is kept
        {
            text = tolower(last " " $0)
            last = $0
            if (index($0, anchor)) { exit 0 }
            gsub(/`[^`]*`/, "", text)
            gsub(/\]\([^)]*\)/, "]", text)
            pattern = "(^|[^a-z-])" tolower(term) "(s|es)?([^a-z-]|$)"
            if (text ~ pattern && !seen) { seen = FILENAME ":" FNR }
            if (seen && $0 == "") { print term ": first used at " seen ", without a link"; exit 0 }
            if ($0 == "") last = ""
        }' ex0*/README.md ex1[01]_*/README.md lessons/*.md ex1[2-9]_*/README.md ex[2-9]*/README.md
done >"$missing"
cat "$missing"
[ ! -s "$missing" ]
status=$?
rm -f "$missing"
exit $status
