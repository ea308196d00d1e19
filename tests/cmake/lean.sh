# lean.sh LEAN FOLDER [NVCC]: a template is compiled without the special functions where that is enough, and else as ever.
lean=$1 folder=$2 nvcc=$3
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 2
fail() { echo "$*"; exit 1; }
guard=-D_GLIBCXX_BITS_SPECFUN_H=1
# In place of nvcc: it tells how it was called, and refuses what $refuses names.
cat >compiler <<'E2'
#!/bin/sh
echo "$*" >>calls
case " $* " in *$refuses*) echo "refused: $*"; exit 3 ;; esac
echo "a warning" >&2
E2
chmod +x compiler
# tried STATUS CALLS: so it ends, and so often has the compiler been called.
tried() {
    : >calls
    sh "$lean" ./compiler -c 'a b.cu' >out 2>&1
    status=$?
    [ $status -eq "$1" ] && [ "$(wc -l <calls)" -eq "$2" ] || fail "refusing '$refuses': $status after $(cat calls)"
}
export refuses=nothing
tried 0 1
grep -qx -e "-c a b.cu $guard" calls || fail "called so: $(cat calls)"
[ "$(cat out)" = "a warning" ] || fail "its words are passed on: $(cat out)"
refuses=$guard
tried 0 2
[ "$(tail -n 1 calls)" = "-c a b.cu" ] && [ "$(cat out)" = "a warning" ] || fail "the second one counts: $(cat calls out)"
refuses=-c
tried 3 2
[ "$(cat out)" = "refused: -c a b.cu" ] || fail "an error is told once, as nvcc has it: $(cat out)"
if [ -n "$nvcc" ]; then
    printf '#include <cmath>\nfloat both(float x, float y) { return std::max(x, (float)std::cyl_bessel_j(0.0, (double)y)); }\n' >needs.cu
    sh "$lean" "$nvcc" -std=c++17 -c needs.cu -o needs.o >out 2>&1 && [ -e needs.o ] || fail "a file that needs them: $(cat out)"
fi
echo "lean where that is enough"
