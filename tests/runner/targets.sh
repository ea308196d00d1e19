# targets.sh COURSE FOLDER: a check's messages on rows that are right but far from the counters of
# the solution's counters are: each kind once, nothing where the figures do not apply; and how the
# file with the targets is made and found stale.
. "$(dirname "$0")/prelude.sh"
rows=$folder/build/rows.csv targets=ex77_made_up/targets.csv
head=$old_columns
# row VARIANT REQUESTS SECTORS BANK DIVERGENCE ATOMIC LAUNCHES [LOADS [SHARED [COPIED]]]: one more
# in the file; $device, $size, $verdict, $bytes, $flops, $parameters and $place as they are set.
usual() { device="Emulated device" size=1000 verdict=PASS bytes=100000 flops='' parameters='' \
    place=device used=0.5; }
row() {
    [ -e "$rows" ] || echo "$head" >"$rows"
    counters="requests=$2 sectors_per_request=$3 bytes_used=$used bank_conflict=$4 divergence=$5"
    counters="$counters atomic_conflict=$6 findings=0 launches=$7 loads_together=${8:-2}"
    counters="$counters shared_requests=${9:-0} bytes_copied=${10:-0}"
    what="$device,$size,$verdict,,,$bytes,$flops,,,,,$parameters,$place"
    echo "ex77_made_up,\"$1\",$what,,,$counters,,,,,,,,,,,,,,,," >>"$rows"
}
# The programs write the rows that are in the file.
echo '[ -z "$csv" ] || [ ! -e "$COURSE_BUILD/rows.csv" ] || cp "$COURSE_BUILD/rows.csv" "$csv"
    verdict PASS; exit 0' | behave
# says TEXT: a check says that of its rows, which are forgotten then. quiet: it says nothing of
# them.
says() {
    expect 0 "" "$course" check ex77 --device=emulated
    tr -s '\n ' '  ' <out | grep -qF -- "$1" || fail "'$1' is not said: $(cat out)"
    [ "$(grep -c '^- ' out)" -eq 1 ] || fail "one line for each row: $(cat out)"
    rm "$rows"
}
quiet() {
    expect 0 "" "$course" check ex77 --device=emulated "$@"
    ! grep -q 'far from the targets' out || fail "nothing to say: $(cat out)"
    rm "$rows"
}

# The solution's rows become the targets.
usual
row "coalesced, plain" 1000 4 0 0.01 0 1
row float4 250 16 0 0.01 0 1 4
row tile 1000 4 1 0.1 0 1 2 500
row "one atomic" 1000 4 0 0.2 1 1
row "\"\"quoted\"\"" 1000 4 0 0 0 1
place=library row "a library" 1000 4 0 0 0 1
usual
verdict=SKIPPED row skipped 0 0 0 0 0 0
usual
parameters=n=3 row several 1000 4 0 0 0 4
parameters=n=8 row several 4000 4 0 0 0 4
usual
bytes='' flops=5000 row arithmetic 100 4 0 0 0 1
bytes='' flops='' row latency 100 4 0 0 0 1
usual
expect 0 "" "$course" targets ex77
[ "$(wc -l <$targets)" -eq 10 ] || fail "not the rows of the solution's kernels: $(cat $targets)"
grep -qx '"coalesced, plain",,1000,Emulated device,1000,4,0,0.01,0,1,2,0,0' $targets ||
    fail "$(cat $targets)"
expect 0 "" "$course" targets ex77 --check
quiet

# Each kind of row that is far from its target, and its message.
row "coalesced, plain" 1000 31.2 0 0.01 0 1
neighbours="neighbouring threads do not read and write neighbouring words"
says "- coalesced, plain: 31.2 sectors per request, 4.0 would do: $neighbours"
row '""quoted""' 1000 8 0 0 0 1
says '- "quoted": 8.0 sectors per request'
used=1 row "coalesced, plain" 1000 31.2 0 0.01 0 1
usual
says "- coalesced, plain: 31200 sectors, 4000 would do: kernels move more"
row tile 3000 4 0 0.1 0 1
says "- tile: 3000 requests, 1000 would do: kernels read or write the same words"
row tile 1250 4.9 1 0.1 0 1
says "- tile: 6125 sectors, 4000 would do: kernels move more"
row float4 250 16 0 0.01 0 1 2
says "- float4: 2.0 loads of a warp before it stores, 4.0 would do"
row float4 1000 4 0 0.01 0 1
says "- float4: 1000 requests, 250 would do: each thread moves one"
row tile 1000 4 15.5 0.1 0 1
says "- tile: 15.5 passes for an access to shared memory, 1.0 would do"
row tile 1000 4 0 0.1 0 1
says "- tile: no shared memory is used"
row "one atomic" 1000 4 0 0.2 28.6 1
says "- one atomic: 28.6 lanes of a warp change the same address, 1.0 would do"
row tile 1000 4 1 0.45 0 1
says "- tile: 45% of the branches divide a warp, 10% would do"
parameters=n=8 row several 4000 4 0 0 0 16
usual
says "- several: 16 launches, 4 would do"
parameters=n=8 row several 4000 4 0 0 0 2
usual
says "- several: 2 launches, where this row is to have 4"
row tile 1000 4 1 0.1 0 1 2 1100
says "- tile: 1100 requests of shared memory, 500 would do"
row tile 1000 4 1 0.1 0 1 2 500 80000
says "- tile: 80000 bytes are copied inside MEASURE, 0 would do"
bytes='' flops=5000 row arithmetic 400 4 0 0 0 1
usual
says "- arithmetic: 400 requests, 100 would do"
row "coalesced, plain" 1000 31.2 9 0.9 32 9
row float4 250 16 0 0.01 0 1 4
says "- coalesced, plain: 31.2 sectors per request" # one line for a row, the gravest

# In 80 columns; before the template is whole, too, of the rows that are right.
row "coalesced, plain" 1000 31.2 0 0.01 0 1
cp "$rows" kept
expect 0 "(--profile shows the lines)" "$course" check ex77 --device=emulated
[ "$(wc -L <out)" -le 80 ] || fail "wider than 80 columns: $(cat out)"
cp ex77_made_up/behaviour right &&
    sed 's/verdict PASS; exit 0/verdict "NOT IMPLEMENTED" 0 1; exit 3/' right | behave
expect 3 "- coalesced, plain: 31.2 sectors" "$course" check ex77 --device=emulated
sed 's/verdict PASS; exit 0/verdict WRONG 1; exit 1/' right | behave
expect 1 "" "$course" check ex77 --device=emulated
! grep -q 'far from the targets' out ||
    fail "a program that is wrong has other things to mend: $(cat out)"
verdict=WRONG row tile 1000 4 0 0.1 0 1
usual
expect 1 "tile uses no shared memory: is __shared__ missing?" "$course" check ex77 --device=emulated
rm "$rows"
cp kept "$rows"
behave <right
expect 1 "- coalesced, plain: 31.2 sectors" "$course" targets ex77 --rows "$rows"

# Where the figures do not apply, nothing is said: other sizes, parameters, limits, options, checks
# left out.
quiet --size 7
for option in --quick --fast "--csv=$folder/out.csv" "--type=double"; do
    cp kept "$rows"
    quiet "$option"
done
for change in "size=999" "parameters=n=4" "verdict=WRONG" "place=library" \
    "device=Emulated_device_(Fermi_limits)"; do
    usual
    eval "$(echo "$change" | sed 's/=/="/; s/$/"/; s/_/ /g')"
    row "coalesced, plain" 1000 31.2 0 0.01 0 1
    quiet
done
usual
row "a name of one's own" 1000 31.2 0 0.01 0 1
quiet
# Rows near their targets: a little more, or much more of what hardly counts.
row "coalesced, plain" 1000 5.1 0 0.2 0 1
quiet
row tile 700 4 1.4 0.35 0 1 2 900 9000
quiet
row float4 300 16 1.4 0.01 1.4 1 4
quiet
bytes=10000000 row "coalesced, plain" 1000 31.2 0 0.01 0 1
quiet
usual
bytes='' flops='' row latency 900 9 0 0 0 1
quiet
usual

# Stale: other figures, a row more, a row less, no file.
row "coalesced, plain" 1000 4.2 0 0.01 0 1
expect 1 "ex77: other figures than in targets.csv: coalesced, plain" "$course" targets ex77 --check
rm "$rows"
row "new" 1000 4 0 0.01 0 1
expect 1 "ex77: other figures than in targets.csv: new" "$course" targets ex77 --check
rm "$rows"
row "coalesced, plain" 1000 4 0 0.01 0 1
expect 1 "ex77: targets.csv has rows that the solution lacks" "$course" targets ex77 --check
expect 0 "" "$course" targets ex77
[ "$(wc -l <$targets)" -eq 2 ] || fail "rows are left over: $(cat $targets)"
expect 0 "" "$course" targets ex77 --check
rm $targets
expect 1 "other figures" "$course" targets ex77 --check
row "coalesced, plain" 1000 31.2 0 0.01 0 1
quiet
mv $solution gone
expect 77 "the solution of ex77 is not here" "$course" targets ex77 --check
expect 2 "targets --rows needs one exercise" "$course" targets --rows "$rows"
echo "targets work"
