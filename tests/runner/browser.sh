# browser.sh COURSE SOURCE BUILD FOLDER: the page of the recorded results in a real browser: nothing
# on its console, no horizontal scrolling from 360 px on, all that scrolls or opens within reach of
# the keyboard, readable colours in both schemes, and a print on A4. Skipped without Chromium.
. "$(dirname "$0")/functions.sh"
course=$1 COURSE_SOURCE=$2 COURSE_BUILD=$3 folder=$4
export COURSE_SOURCE COURSE_BUILD
for browser in chromium chromium-browser google-chrome; do command -v $browser >/dev/null 2>&1 &&
    break; done
command -v $browser >/dev/null 2>&1 ||
    { echo "SKIPPED: no Chromium here: install chromium"; exit 77; }
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 2
"$course" report -o page.html "$COURSE_SOURCE/solutions/timings/h200" >out ||
    fail "no page: $(cat out)"

# What the page itself is asked, in a copy: its answers go to the page around it, a frame of the
# width to test (a window has a smallest width), and stand in the title there.
cat >questions.html <<'END2'
<script>
addEventListener("load", () => {
  const wrong = [], all = s => [...document.querySelectorAll(s)], root = document.documentElement;
  const say = (bad, text) => { if (bad) wrong.push(text); };
  say(root.scrollWidth > innerWidth, `scrolls to ${root.scrollWidth} px at ${innerWidth}`);
  all("details").forEach(d => d.open = true);
  say(root.scrollWidth > innerWidth,
      `scrolls to ${root.scrollWidth} px at ${innerWidth} when all is open`);
  for (const e of all("body *")) {
    if (e.closest("svg") || e.scrollWidth <= e.clientWidth + 1 ||
        getComputedStyle(e).overflowX === "visible") continue;
    e.focus();
    say(e.tabIndex < 0 || document.activeElement !== e,
        `${e.tagName} ${e.className} scrolls, but the keyboard does not reach it`);
  }
  for (const e of all("a, summary")) {
    e.focus();
    say(document.activeElement !== e, `${e.tagName} is out of reach`);
    say(e.tagName === "A" && !document.querySelector(e.getAttribute("href")),
        `${e.href} leads nowhere`);
  }
  for (const t of all("svg text")) {
    const box = t.getBoundingClientRect(), around = t.closest("svg").getBoundingClientRect();
    say(box.left < around.left - 1 || box.right > around.right + 1,
        `'${t.textContent}' is cut off`);
  }
  const light = c => {
    const [r, g, b] = c.match(/[\d.]+/g).map(v => v / 255)
      .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const back = light(getComputedStyle(document.body).backgroundColor);
  const contrast = c => (Math.max(light(c), back) + 0.05) / (Math.min(light(c), back) + 0.05);
  for (const e of all("p, td, th, dt, dd, a, h1, h2, small, figcaption"))
    say(contrast(getComputedStyle(e).color) < 4.5, `${e.tagName} has little contrast`);
  for (const e of all(".curve"))
    say(contrast(getComputedStyle(e).stroke) < 2.9,
        `a curve in ${getComputedStyle(e).stroke} is hard to see`);
  const said = wrong.length ? [...new Set(wrong)].slice(0, 5).join("; ") : "all is well";
  parent.postMessage(`${innerWidth} px: ${said}; background ${Math.round(back)}`, "*");
});
</script>
END2
cat page.html questions.html >asked.html
# visit FILE OPTIONS...: prints the final page; console messages go to the file console.
visit() {
    page=$1
    shift
    timeout 100 $browser --headless=new --no-sandbox --disable-gpu \
        --user-data-dir="$folder/profile" --hide-scrollbars \
        --enable-logging=stderr "$@" --dump-dom "file://$folder/$page" 2>log >dom
    grep -i 'CONSOLE' log >console
}
# frames FILE WIDTH...: a page with the files in frames of these widths; their answers stand in its
# title, in this order. (A browser takes longer to start than to show a page.)
frames() {
    cat <<'END2'
<title>none</title>
<script>
const answers = [];
onmessage = e => {
  const frames = [...document.querySelectorAll("iframe")];
  answers[frames.findIndex(f => f.contentWindow === e.source)] = e.data;
  document.title = answers.join("|");
};
</script>
END2
    while [ $# -gt 0 ]; do
        echo "<iframe src=$1 width=$2 height=800 style='border:0'></iframe>"
        shift 2
    done
}
# ask BACKGROUND "WIDTH..." OPTIONS...: all is well at these widths, and nothing on the console.
ask() {
    background=$1 widths=$2 asked='' wanted=''
    shift 2
    for width in $widths; do
        asked="$asked asked.html $width"
        wanted="$wanted|$width px: all is well; background $background"
    done
    frames $asked >frames.html
    visit frames.html --window-size=1400,900 "$@"
    grep -q '</html>' dom ||
        { echo "SKIPPED: $browser does not run here: $(tail -n 2 log)"; exit 77; }
    [ ! -s console ] || fail "on the console: $(cat console)"
    answer=$(sed -n 's/.*<title>\(.*\)<\/title>.*/\1/p' dom | head -n 1)
    [ "|$answer" = "$wanted" ] || fail "${answer:-no answer: $(tail -n 3 log)} $*"
}
ask 1 "360 1280"
ask 0 360 --blink-settings=preferredColorScheme=0

# The questions find mistakes, here in a page that is soon shown: that of one exercise.
mkdir few && cp "$COURSE_SOURCE"/solutions/timings/h200/ex03*.csv few || exit 2
"$course" report -o few.html few >out || fail "no page of one exercise: $(cat out)"
cat few.html questions.html >asked.html
sed 's/^\.wide { overflow-x: auto; }/.wide { overflow-x: visible; }/' asked.html >worse.html
sed 's/tabindex="0"//' asked.html >mute.html
sed 's/--soft: #59636e/--soft: #d9e3ee/' asked.html >pale.html
sed 's/--c1: #c44e00/--c1: #ffff00/' asked.html >yellow.html
frames worse.html 360 mute.html 360 pale.html 360 yellow.html 360 >frames.html
visit frames.html --window-size=1400,900
sed -n 's/.*<title>\(.*\)<\/title>.*/\1/p' dom | head -n 1 | tr '|' '\n' >answers
number=0
while IFS='|' read -r page text; do
    number=$((number + 1))
    sed -n ${number}p answers | grep -q "$text" ||
        fail "$page: '$text' is not found: $(cat answers)"
done <<'END2'
worse.html|360 px: scrolls to
mute.html|the keyboard does not reach it
pale.html|has little contrast
yellow.html|is hard to see
END2

# And the console is read.
echo "<script>console.error(1)</script>" | cat few.html - >loud.html
visit loud.html
[ -s console ] || fail "an error on the console was not found"

# On paper: A4.
timeout 100 $browser --headless=new --no-sandbox --disable-gpu --user-data-dir="$folder/profile" \
    --no-pdf-header-footer \
    --print-to-pdf="$folder/page.pdf" "file://$folder/few.html" 2>/dev/null
[ "$(head -c 4 page.pdf)" = %PDF ] || fail "it cannot be printed"
grep -aqE '/MediaBox ?\[0 0 59[45][.0-9]* 84[12]' page.pdf ||
    fail "not A4: $(grep -a -m 1 MediaBox page.pdf)"
echo "the page is fine in $browser"
