# counted.sh SOURCE: how many kernels the README says were counted beside an H200, and for how many
# of them all counters are equal, is what the table of emulated/README.md has.
cd "$1" || exit 2
found=$(awk '/^### Beside an H200/ { inside = 1; next } /^#/ { inside = 0 }
    inside && /^\| [A-Za-z0-9]+ \|/ && !/^\| kernel / { all++; equal += / equal \|$/ }
    END { print all " kernels on an H200. For " equal " of them" }' emulated/README.md)
tr '\n' ' ' <README.md | grep -qF -- "counted $found" || { echo "README.md: not '$found'"; exit 1; }
