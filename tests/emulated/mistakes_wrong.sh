# mistakes_wrong.sh CC SCRIPT: the test of the mistakes fails when a message is not the one
# expected, is at another line or missing, when something is said that should not be, and when the
# table is stale.
cc=$1 script=$2
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
printf '#!/bin/sh\nexec "%s" --no-syntax-pass "$@"\n' "$cc" >"$dir/cc" &&
    chmod +x "$dir/cc" # one look is enough
printf '<!-- mistakes: none -->\n<!-- end of mistakes -->\n' >"$dir/table.md"
check() { # 'head' 'line 3' 'line 4' EXPECTED STATUS, OPTION
    mkdir -p "$dir/programs"
    printf '// A title\n%s\n__global__ void f(int *x)\n{\n    %s\n    %s\n}\n' "$1" "$2" "$3" \
        >"$dir/programs/01_one.cu"
    sh "$script" "$dir/cc" "$dir/programs" "$dir/table.md" $5 >"$dir/out" 2>&1
    [ $? -eq "$4" ] || { echo "not exit status $4: $1, $2, $3"; cat "$dir/out"; exit 1; }
}
here='// <-- mistake'
check '// says: is a & missing' "atomicAdd(x[0], 1); $here" '' 0 --write
check '// says: is a & missing' "atomicAdd(x[0], 1); $here" '' 0
check '// says: is a & missing' "atomicAdd(x[1], 1); $here" '' 1
check '// says: is a \* missing' "atomicAdd(x[0], 1); $here" '' 1
check '// says: is a & missing' "atomicAdd(x[0], 1);" "x[0] = 1; $here" 1
check '// says: is a & missing' "atomicAdd(x, 1); $here" '' 1
check '// not found: why' "atomicAdd(x[0], 1); $here" '' 1
