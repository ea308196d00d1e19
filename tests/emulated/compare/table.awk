# table.awk: awk -F, -f table.awk h200.csv emulated.csv -> the two side by side, in Markdown. Ends with status 1 if a row
# differs that is not listed as explained below.
function ratio(a, b) { return b ? sprintf("%.4g", a / b) : "-" }
function cell(ours, theirs) { return ours == theirs ? ours : ours " / **" theirs "**" }
BEGIN {
    why["addTail"] = "the early end is predicated on the GPU, which is no branch"
    why["treeReduction"] = "the `if` is predicated on the GPU, which is no branch"
    why["stridedReduction"] = "predicated; nvcc reads `s[2t]`, `s[2t+1]` as one 64-bit load"
    why["productTiled"] = "nvcc reads four `as[y][k]` as one 128-bit load"
    why["surfaceWrite"] = "on the GPU writing to a surface is no global store"
    why["bfloatReduction"] = why["treeReduction"]
    why["wmmaTiled"] = "nvcc fetches the four registers of a fragment by one `ldmatrix`"
    why["copyAsync"] = "`ncu` has no count of what an asynchronous copy writes; the sum over everything is 12542"
    why["groupReduction"] = "predicated; the reduction of a group of unknown size has branches, and 3 wavefronts were repeated"
    print "| kernel | sectors per load | sectors per store | load and store requests | shared requests | shared wavefronts | divergent branches | |"
    print "|---|---|---|---|---|---|---|---|"
}
FNR == 1 { file++ }
/^kernel,/ { next }
file == 1 { for (i = 2; i <= 8; i++) gpu[$1, i] = $i; next }
{
    same = 1
    for (i = 2; i <= 8; i++) same = same && gpu[$1, i] == $i
    if (!same && !($1 in why)) bad = 1
    printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n", $1, cell(ratio($3, $2), ratio(gpu[$1, 3], gpu[$1, 2])),
        cell(ratio($5, $4), ratio(gpu[$1, 5], gpu[$1, 4])), cell($2 + $4, gpu[$1, 2] + gpu[$1, 4]),
        cell($6, gpu[$1, 6]), cell($7, gpu[$1, 7]), cell($8, gpu[$1, 8]), same ? "equal" : ($1 in why ? why[$1] : "DIFFERENT")
    rows++
}
END { exit bad || rows != 33 }
