# authors.sh COURSE FOLDER: pair, tables and reset on a course of one exercise that is made up for
# the purpose.
. "$(dirname "$0")/prelude.sh"
rm $template

cat >$solution <<'END'
int a;
    // TODO 1 begin: set b
    int b = 1;
    // TODO 1 end
int c;
// TODO 2 begin
int d;
// TODO 2 end
void g(void)
{
}
float f(void)
{
    float sum = 0.0f;

    // TODO 3 begin
    sum = 1.0f;
    // TODO 3 end
    return sum;
}
END
"$course" pair && fail "a missing template must be named"
"$course" pair --fix || fail "--fix must make the template"
grep -q '^    NOT_IMPLEMENTED(1);$' $template || fail "the unfilled body must stand there, indented"
grep -q '^    NOT_IMPLEMENTED_VALUE(3, sum);$' $template ||
    fail "what returns a value must return one"
grep -q 'int b' $template && fail "the answer must not be in the template"
"$course" pair || fail "a fresh template must agree"

# A student's text in a region stays; the author's changes outside are carried over.
sed -i 's/    NOT_IMPLEMENTED(1);/    int mine = 7;/' $template
sed -i 's/^int c;/int c = 3;/' $solution
"$course" pair >out && fail "a difference outside the regions must be found"
grep -q 'template line 5, solution line 5' out || fail "the line must be named: $(cat out)"
"$course" pair --fix ex77 || fail "--fix failed"
grep -q 'int mine = 7;' $template || fail "a student's lines were lost"
grep -q 'int c = 3;' $template || fail "the shared text was not carried over"
"$course" pair || fail "after --fix they must agree"

# The rows of the solution's table, which the harness demands of every template.
cat >>$solution <<'END'
extern "C" const struct variant deviceVariants[] = {
    {"a, b", one<two, 3>},
#if NEW
    {"long",
     BY(four)},
#endif
    {"wide", sumOfTheRowsOfTheMatrix<launchSeveralElementsPerThread, FOUR_ELEMENTS_AT_ONCE>},
    {NULL, NULL},
};
END
"$course" pair --fix || fail "--fix failed"
cat >rows <<'END'
/* The rows of deviceVariants, which ./course pair --fix copies, and their traits. */
DEVICE_ROW("a, b", "one<two, 3>", 0)
DEVICE_ROW_IF("long", "BY(four)", 0)
DEVICE_ROW("wide", "sumOfTheRowsOfTheMatrix<launchSeveralElementsPerThread, FOUR_ELEMENTS_AT_ONCE>",
           0)
END
cmp -s rows ex77_made_up/variants.inc || fail "wrong rows: $(cat ex77_made_up/variants.inc)"
sed -i 's/BY(four)", 0/BY(four)", SLOW | OTHER/; s/^  *0)/           SLOW)/' \
    rows ex77_made_up/variants.inc # an author adds traits
"$course" pair || fail "fresh rows were called stale"
sed -i 's/{"a, b", one/{"a, b", five/' $solution $template
"$course" pair >out && fail "stale rows must be found"
grep -q "variants.inc does not have the solution's rows" out || fail "not named: $(cat out)"
sed -i 's/{"a, b", five<two, 3>}/{7}/' $solution
"$course" pair 2>out && fail "a row without a name must be found"
grep -q 'a row of deviceVariants is' out || fail "not named: $(cat out)"
sed -i 's/{7}/{"a, b", one<two, 3>, two<2>}/; s/{NULL, NULL}/{NULL, NULL, NULL}/' $solution
"$course" pair --fix || fail "--fix failed"
sed -i 's/one<two, 3>"/one<two, 3>, two<2>"/' rows
cmp -s rows ex77_made_up/variants.inc || fail "wrong rows: $(cat ex77_made_up/variants.inc)"

# Broken markers.
sed -i 's/TODO 2 end/TODO 3 end/' $solution
"$course" pair 2>out && fail "a region that ends as another must be found"
grep -q 'TODO 3 ends, but TODO 2 is open' out || fail "not named: $(cat out)"

# Tables.
mkdir solutions && echo "$old_columns" >results.csv && cat >>results.csv <<'END'
ex77,fast one,GPU,8,PASS,0.001,0.001,2e9,0,4e12,0.5,0.1,0,block=32 grid=2,device,,,,,,,,,,,,,,,,,,,
ex77,slow one,GPU,8,PASS,0.002,0.001,2e9,0,4e12,0.25,0.1,0,block=64 grid=2,device,,,,,,,,,,,,,,,,,,,
END
cat >solutions/ex77.md <<'END'
before
<!-- table: results.csv columns=variant,param:block,time,GB/s,fraction variant=fast_one -->
old
<!-- end -->
after
END
"$course" tables --check && fail "a stale table must be found"
"$course" tables || fail "tables failed"
grep -q '^| fast one | 32 | 1.000 ms | 2000 | 0.50 |$' solutions/ex77.md ||
    fail "wrong: $(cat solutions/ex77.md)"
grep -q 'slow one' solutions/ex77.md && fail "the filter let a row through"
[ "$(head -n 1 solutions/ex77.md)" = before ] && [ "$(tail -n 1 solutions/ex77.md)" = after ] ||
    fail "text was lost"
"$course" tables --check || fail "a fresh table was called stale"

# Facts of a device.
cat >device.txt <<'END'
Device 0: GPU
  clock rate:      100 MHz
  highest clock rate:   1980 MHz
  copy engines:   3
END
printf '<!-- table: device.txt copy_engines clock_rate -->\n<!-- end -->\n' >solutions/facts.md
"$course" tables || fail "tables failed"
[ "$(sed -n 4,5p solutions/facts.md)" = "| copy engines | 3 |
| clock rate | 100 MHz |" ] || fail "wrong: $(cat solutions/facts.md)"
sed -i 's/clock_rate/colour/' solutions/facts.md
"$course" tables 2>out && fail "a fact that is not stated must be found"
grep -q "device.txt states no 'colour'" out || fail "not named: $(cat out)"
rm solutions/facts.md device.txt

# The summary of a folder: the fastest variant on the device, of those with a limit, beside the
# fastest library row of the same problem.
row() { sed -n \
    "2{s/fast one/$1/; s/0.001,0.001/$2,$2/; s/block=32/block=$3/; s/,device,/,$4,/; p;}" \
    results.csv; }
no_limit() { row "$1" 0.00001 32 device | sed 's/,0.5,0.1,/,,0.1,/'; }
mkdir results && { head -n 1 results.csv; no_limit first; tail -n +2 results.csv; no_limit last; } \
    >results/ex77.csv &&
    { row "a library" 0.0005 32 library; row "a slow one" 0.004 32 library
    row "other problem" 0.0001 1 library; row "all cores" 0.02 32 cpu; } >>results/ex77.csv
printf '<!-- table: results -->\n<!-- end -->\n' >solutions/all.md
"$course" tables || fail "tables failed"
grep -q '^| ex77 | fast one | block=32 grid=2 | 1.000 ms | 0.50 | 0.50 × a library |$' \
    solutions/all.md ||
    fail "wrong: $(cat solutions/all.md)"
printf '    <!-- table: no_such.csv -->\n    <!-- end -->\n' >solutions/example.md
"$course" tables || fail "a marker behind four blanks is an example"
printf -- '- item\n\n  <!-- table: results.csv -->\n  <!-- end -->\n' >solutions/example.md
"$course" tables --check 2>out && fail "a marker in an item of a list was skipped"
grep -q "example.md: a marker does not begin its line:   <!-- table: results.csv" out ||
    fail "marker: $(cat out)"
rm solutions/example.md
printf '%s' "$(cat results/ex77.csv)" >results/cut.csv
printf '<!-- table: results/cut.csv -->\n<!-- end -->\n' >solutions/cut.md
"$course" tables && grep -q '^| all cores |' solutions/cut.md ||
    fail "a last line without an end was lost"
rm solutions/cut.md
for text in '<!-- table: results.csv --> <!-- end -->\n' \
    '<!-- table: results.csv -->\n<!-- table: results.csv -->\n<!-- end -->\n'; do
    # shellcheck disable=SC2059
    printf "$text" >solutions/broken.md
    cp solutions/broken.md broken.md
    "$course" tables 2>out && fail "a table without an end of its own must be found"
    grep -q "has no line '<!-- end -->' of its own" out || fail "not named: $(cat out)"
    cmp -s broken.md solutions/broken.md || fail "a broken document was changed"
    rm solutions/broken.md broken.md
done
rm -r results results.csv
"$course" tables >out && fail "a CSV file that is not there must be found"
grep -q 'there is no .*results.csv' out || fail "not named: $(cat out)"

# reset keeps what the student wrote.
if command -v git >/dev/null 2>&1; then
    git init -q . && git add . && git -c user.name=t -c user.email=t@example.org commit -q -m t ||
        exit 2
    echo "// a student's line" >>$template
    "$course" reset ex77 >/dev/null || fail "reset failed"
    grep -q "a student's line" $template && fail "reset did not bring the template back"
    grep -q "a student's line" $template.* || fail "reset lost what the student wrote"
    for i in 1 2 3; do
        echo "// line $i" >>$template
        "$course" reset ex77 >/dev/null || fail "reset failed"
    done
    [ "$(cat $template.* | grep -c '^// line')" -eq 3 ] ||
        fail "a second reset lost what the first one kept"
    mv .git no_git
    rm -rf .templates # where an archive's are kept; one that is worked on already is not
    echo "// another line" >>$template && sed -i 's/NOT_IMPLEMENTED(.*);/int filled;/' $template
    GIT_CEILING_DIRECTORIES=$folder "$course" reset ex77 2>out &&
        fail "without git there is nothing to reset to"
    grep -q "yours is as it was" out || fail "not named: $(cat out)"
    grep -q "another line" $template || fail "a failed reset lost what the student wrote"
fi
echo "the authors' checks work"
