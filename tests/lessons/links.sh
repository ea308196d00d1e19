# links.sh SOURCE: each relative link and picture in the documents leads to a file, and to a heading
# of it where it names one; each term of the glossary is linked from a lesson, and each lesson links
# a term once only.
cd "$1" || exit 2
bad=0
complain() { echo "$*"; bad=1; }

# anchors FILE: its headings as GitHub names them.
anchors() {
    sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

for document in *.md */*.md; do
    folder=$(dirname "$document")
    links=$(awk '/^```/ { quoted = !quoted } !quoted && !/^    /' "$document" |
        grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//' | grep -vE '^(https?|mailto):')
    for link in $links; do
        file=${link%%#*}
        if [ -n "$file" ]; then file=$folder/$file; else file=$document; fi
        if [ ! -e "$file" ]; then
            complain "$document: no file $link"
        elif [ "$link" != "${link#*#}" ] && ! anchors "$file" | grep -qx "${link#*#}"; then
            complain "$document: no heading $link"
        fi
    done
    twice=$(echo "$links" | grep 'GLOSSARY\.md#' | sort | uniq -d)
    [ "$document" = GLOSSARY.md ] || [ -z "$twice" ] ||
        complain "$document links more than once:" $twice
done
if [ -e GLOSSARY.md ]; then
    for term in $(sed -n 's/^### //p' GLOSSARY.md | tr '[:upper:] ' '[:lower:]-' |
        sed 's/[^a-z0-9_-]//g'); do
        grep -qF "GLOSSARY.md#$term)" ex*/README.md lessons/*.md ||
            complain "GLOSSARY.md: no lesson links '$term'"
    done
fi
exit $bad
