# quick.sh BUILD: what build/quick makes a program by are the words of make's own rules: emulated-cc's, and the linker's.
# nvcc is told once how to optimise the host's part, or it warns in each build: a template's less than all else.
cd "$1" || exit 2
[ -d quick ] || { echo "no quick builds with this generator"; exit 77; }
words() { sed "s/['\"\\\\]//g"; } # without quotes, which make's rules have otherwise
count=0
for script in quick/*_emulated.sh; do
    target=$(basename "$script" .sh)
    command=$(sed -n "s/^\"\$compiler\" \(.*\) || { echo.*/\1/p" "$script" | words)
    object=$(sed -n 's/.*\[emulated\/\(.*\)\.o\] Error.*/\1/p' "$script")
    link=$(sed -n 's/^sh \(.*\) || { echo.*/\1/p' "$script")
    words <"CMakeFiles/object_$object.dir/build.make" | grep -qF "emulated-cc $command" ||
        { echo "$script: make does not call emulated-cc so: $command"; exit 1; }
    grep -q "emulated/$object\.o" "$link" && [ "$(wc -l <"$link")" -eq 1 ] || { echo "$script: $link does not link $object.o"; exit 1; }
    case $target in *_template_emulated) # a check looks there after a WRONG
        case $command in *"--warnings $PWD/warnings/${target%_emulated} "*) ;; *) echo "$script: no file of warnings"; exit 1 ;; esac ;;
    esac
    [ "$link" = "CMakeFiles/$target.dir/link.txt" ] || { echo "$script: another program's link, $link"; exit 1; }
    count=$((count + 1))
done
for rules in CMakeFiles/ex*_template_gpu.dir/build.make; do
    grep -q "template\.cu" "$rules" 2>/dev/null || continue
    grep -q "common/cmake/lean\.sh.* -c .*template\.cu" "$rules" || { echo "$rules: not by lean.sh"; exit 1; }
done
for flags in CMakeFiles/ex*_gpu.dir/flags.make; do
    case $flags in *_template_gpu.dir*) wanted=-O1 ;; *) wanted=-O3 ;; esac
    grep -q '^CUDA_FLAGS.*-DNDEBUG' "$flags" 2>/dev/null || continue
    found=$(sed -n 's/^CUDA_FLAGS = //p' "$flags" | tr ' ' '\n' | grep '^-O' | tr '\n' ' ')
    [ "$found" = "$wanted " ] || { echo "$flags: $found where $wanted is expected"; exit 1; }
done
echo "$count programs by the words of make's rules"
