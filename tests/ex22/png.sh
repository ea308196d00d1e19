# png.sh EX22_CPU: it writes a picture as a PNG, and another program reads its pixels: the sky is
# above the floor, and the picture is as large as was asked for.
program=$1
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
"$program" --size 90 --variant tree --picture "$folder/p.png" >"$folder/output" 2>&1 ||
    { cat "$folder/output"; exit 1; }
fail() { echo "$*"; exit 1; }
# If no file can grow, as on a full disk, it says so and leaves no picture.
output=$(trap '' XFSZ; ulimit -f 0
    "$program" --size 90 --variant tree --picture "$folder/q.png" 2>&1)
[ $? -eq 2 ] || fail "a full disk must give exit status 2: $output"
case $output in
*"cannot write $folder/q.png"*) ;;
*) fail "a full disk must be named: $output" ;;
esac
[ -e "$folder/q.png" ] && fail "a part of a picture was left"

# Checks for any machine: the signature, and the size of a file that is not compressed.
[ "$(od -An -tx1 -N8 "$folder/p.png" | tr -d ' \n')" = 89504e470d0a1a0a ] || fail "no PNG signature"
data=$((90 * (1 + 3 * 160)))
[ "$(wc -c <"$folder/p.png")" -eq \
    $((8 + 25 + 12 + 2 + 5 * ((data + 65534) / 65535) + data + 4 + 12)) ] ||
    fail "the file is not as long as 90 rows of 160 pixels"
if command -v pngtopnm >/dev/null; then
    pngtopnm "$folder/p.png" >"$folder/p.ppm" || fail "pngtopnm cannot read it"
elif command -v convert >/dev/null; then
    convert "$folder/p.png" -depth 8 "ppm:$folder/p.ppm" || fail "convert cannot read it"
else
    echo "SKIPPED: neither pngtopnm nor convert reads PNG files here"
    exit 77
fi
[ "$(head -c 13 "$folder/p.ppm" | tr '\n' ' ')" = "P6 160 90 255" ] ||
    fail "it is not 160 x 90 pixels of 8 bits"
# Blue over red at the top of the sky, red over blue at the horizon.
pixel() { od -An -tu1 -j $((14 + 3 * (160 * $1 + 2))) -N3 "$folder/p.ppm"; }
# shellcheck disable=SC2046
set -- $(pixel 0) $(pixel 12)
[ "$#" -eq 6 ] && [ "$6" -lt "$4" ] && [ $(($1 - $3)) -lt $(($4 - $6)) ] ||
    fail "the sky has other colours: $*"
