# quick.sh COURSE FOLDER: after a change of the template alone its own rules are run, and not make as a whole.
. "$(dirname "$0")/prelude.sh"
echo 'echo "$device: $(cat "$0.made")"; verdict PASS; exit 0' | behave
mkdir -p "$folder/build/quick" "$folder/build/ready" common
make_script() { # DEVICE: what makes its program, and tells so
    cat >"$folder/build/quick/ex77_template_$1.sh" <<END2
echo quick $1 >>"$folder/build/calls"
grep -q error $template && { echo "template.cu:1: error: no such thing"; echo "make: *** [x/template.cu.o] Error 1"; exit 2; }
grep -q damaged $template && { echo "ld: damaged"; echo "make: *** [$1/ex77_template] Error 1"; exit 2; }
cat $template >"$folder/build/$1/ex77_template.made"
touch "$folder/build/$1/ex77_template"
END2
}
make_script emulated
cat >bin/cmake <<'END2'
#!/bin/sh
echo make as a whole >>"$COURSE_BUILD/calls"
for device in emulated gpu; do
    cat ex77_made_up/template.cu >"$COURSE_BUILD/$device/ex77_template.made"
    touch "$COURSE_BUILD/$device/ex77_template"
done
: >"$COURSE_BUILD/ready/ex77_template"
exit 0
END2
# calls WORDS [OPTION...]: a check passes, and this is what has been called for it.
calls() {
    called=$1; shift
    : >"$folder/build/calls"
    expect 0 "emulated: " "$course" check ex77 "$@"
    [ "$(sort "$folder/build/calls" | tr '\n' ' ')" = "$called" ] || fail "called '$called', called: $(cat "$folder/build/calls")"
}
on_one() { calls "$1" --device=emulated; }
on_one "make as a whole "
on_one ""
echo "// one" >>$template
on_one "quick emulated "
grep -q '// one' out || fail "the program is the old one"
on_one ""
# A header, what the template includes, the course's own files: make looks at everything.
echo "int h;" >ex77_made_up/mine.h
on_one "make as a whole "
echo '#include "mine.h"' >>$template
on_one "make as a whole "
mv ex77_made_up/mine.h gone # what it includes is not there any more: the program from before would pass
on_one "make as a whole "
mv gone ex77_made_up/mine.h
on_one "make as a whole "
echo "int c;" >common/new.c
on_one "make as a whole "
on_one ""
echo "int longer;" >common/new.c
on_one "make as a whole "
echo "CUDA=other" >"$folder/build/CMakeCache.txt"
on_one "make as a whole "
rm "$folder/build/emulated/ex77_template.inputs"
on_one "make as a whole "
# What the compiler refuses is told; what fails otherwise may be for make to mend.
echo "// error" >>$template
: >"$folder/build/calls"
expect 2 "template.cu:1: error: no such thing" "$course" check ex77 --device=emulated
grep -q whole "$folder/build/calls" && fail "make would say the same once more"
sed -i 's/error/damaged/' $template
on_one "make as a whole quick emulated "

# Both devices at once, if both can.
with_gpu
calls "make as a whole "
echo "// two" >>$template
calls "make as a whole "
make_script gpu
echo "// three" >>$template && sed -i '/damaged/d' $template
calls "quick emulated quick gpu "
[ "$(grep -c '// three' out)" -eq 2 ] || fail "both are new: $(cat out)"
calls ""
echo "// four" >>$template
on_one "quick emulated "
calls "quick gpu "
echo "// error" >>$template
expect 2 "template.cu:1: error: no such thing" "$course" check ex77
echo "quick builds work"
