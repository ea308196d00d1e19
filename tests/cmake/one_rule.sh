# one_rule.sh SOURCE BUILD [cmake options]: configures SOURCE in the fresh folder BUILD and demands
# that each file is made by the rule of one target only. make runs one process per target, so where
# two targets hold the rule of one file, both may write it at once, and a third may link what is
# half written.
source=$1 build=$2
shift 2
rm -rf "$build"
cmake -S "$source" -B "$build" -G "Unix Makefiles" "$@" >"$build.log" 2>&1 ||
    { cat "$build.log"; exit 2; }
find "$build" -name build.make -exec \
    awk 'FNR == 1 { split("", said) }
        /^[^#.$[:blank:]%][^=]*:/ { sub(/:.*/, ""); if (!($0 in said)) print; said[$0] }' {} + |
    grep -v -x cmake_force | sort >"$build.rules"
[ -s "$build.rules" ] || { echo "no rules found in $build"; exit 2; }
twice=$(uniq -d "$build.rules")
if [ -n "$twice" ]; then
    echo "made by several targets at once: $twice"
    exit 1
fi
echo "each of $(wc -l <"$build.rules") files is made by one target"
