#!/bin/sh
# profiles.sh [--fix] SOURCE: the table in lab_profiling/README.md holds what h200.csv there has
# recorded. --fix renews it.
fix=
[ "$1" = --fix ] && fix=1 && shift
lab=$1/lab_profiling
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
awk -F , '
    function row(name, text, factor, digits, v) {
        line = "| " text " |"
        for (v = 0; v < 4; v++)
            line = line sprintf(" %." digits "f |", factor * value[v, name])
        print line
    }
    { value[$1, $2] = $4 }
    END {
        for (v = 0; v < 4; v++) {
            sectors = value[v, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]
            loads = value[v, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"]
            value[v, "sectors"] = sectors / loads
        }
        print "| what ncu calls it, and its metric | version 0 | 1 | 2 | 3 |"
        print "|---|---:|---:|---:|---:|"
        row("gpu__time_duration.sum", "Duration, µs: `gpu__time_duration.sum`", 1e6, 1)
        row("sm__throughput.avg.pct_of_peak_sustained_elapsed",
            "Compute (SM) Throughput, %: `sm__throughput`", 1, 1)
        row("dram__throughput.avg.pct_of_peak_sustained_elapsed",
            "DRAM Throughput, %: `dram__throughput`", 1, 1)
        row("lts__throughput.avg.pct_of_peak_sustained_elapsed",
            "L2 Cache Throughput, %: `lts__throughput`", 1, 1)
        row("l1tex__throughput.avg.pct_of_peak_sustained_active",
            "L1/TEX Cache Throughput, % on busy multiprocessors: `l1tex__throughput`", 1, 1)
        row("launch__grid_size", "Grid Size, blocks: `launch__grid_size`", 1, 0)
        row("sm__warps_active.avg.pct_of_peak_sustained_active",
            "Achieved Occupancy, %: `sm__warps_active`", 1, 1)
        row("launch__registers_per_thread",
            "Registers Per Thread: `launch__registers_per_thread`", 1, 0)
        row("smsp__inst_executed.sum",
            "Executed Instructions, million: `smsp__inst_executed.sum`", 1e-6, 2)
        row("sectors", "sectors for each load of a warp: " \
            "`l1tex__t_sectors_…_ld.sum` / `l1tex__t_requests_…_ld.sum`", 1, 1)
        row("smsp__average_warp_latency_per_inst_issued.ratio",
            "Warp Cycles Per Issued Instruction", 1, 0)
        row("smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
            "of these waiting for memory: Stall Long Scoreboard", 1, 0)
        row("smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio",
            "of these waiting to ask for memory: Stall LG Throttle", 1, 0)
        row("duration at the clock of the moment", "Duration with `--clock-control none`, µs",
            1e6, 1)
        row("median of 21 launches without ncu", "timed by the program, without ncu, µs", 1e6, 1)
    }' "$lab/h200.csv" >"$work/table"
awk -v table="$work/table" '
    /^<!-- profiles -->/ {
        print
        while ((getline line < table) > 0)
            print line
        inside = 1
    }
    /^<!-- end -->/ { inside = 0 }
    !inside { print }' "$lab/README.md" >"$work/new"
[ "$fix" ] && cat "$work/new" >"$lab/README.md"
cmp -s "$work/new" "$lab/README.md" || {
    echo "stale: sh tests/lessons/profiles.sh --fix . renews lab_profiling/README.md"
    exit 1
}
