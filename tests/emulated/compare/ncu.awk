# ncu.awk: the raw CSV page of ncu -> one row per kernel, as compare/kernels.cu prints it on the emulated device.
#   ncu --clock-control none --csv --page raw --metrics METRICS ./kernels | awk -f ncu.awk > h200.csv
# METRICS: l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum, l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum, the same with
# _st, smsp__sass_inst_executed_op_shared_ld.sum and _st, l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum and _st,
# smsp__sass_branch_targets_threads_divergent.sum; and for features.cu smsp__inst_executed_op_shared_atom.sum,
# l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum, smsp__sass_inst_executed_op_ldsm.sum and _ldgsts
function cut(line, field,    n, in_quotes, i, c) {
    n = 1; in_quotes = 0; delete field; field[1] = ""
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"") in_quotes = !in_quotes
        else if (c == "," && !in_quotes) field[++n] = ""
        else field[n] = field[n] c
    }
    return n
}
function value(name) { v = f[column[name ".sum"]]; gsub(",", "", v); return v + 0 }
/^"ID"/ {
    n = cut($0, f)
    for (i = 1; i <= n; i++) column[f[i]] = i
    print "kernel,load_requests,load_sectors,store_requests,store_sectors,shared_requests,shared_wavefronts,divergent_branches"
    next
}
/^"[0-9]+"/ {
    cut($0, f)
    name = f[column["Kernel Name"]]; sub(/\(.*/, "", name)
    t = "l1tex__t_"; g = "_pipe_lsu_mem_global_op_"; s = "smsp__sass_inst_executed_op_shared_"
    w = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_"
    o = "smsp__sass_inst_executed_op_"
    printf "%s,%d,%d,%d,%d,%d,%d,%d\n", name, value(t "requests" g "ld"), value(t "sectors" g "ld"),
        value(t "requests" g "st"), value(t "sectors" g "st"),
        value(s "ld") + value(s "st") + value("smsp__inst_executed_op_shared_atom") + value(o "ldsm") + value(o "ldgsts"),
        value(w "ld") + value(w "st") + value(w "atom"), value("smsp__sass_branch_targets_threads_divergent")
}
