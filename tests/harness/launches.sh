#!/bin/sh
# launches.sh PROGRAM: each launch of a kernel by <<<>>> is counted (common/harness/device_cuda.cu):
# nobody calls the runtime's own function but the one that counts, and the runtime itself.
objdump -d --no-show-raw-insn "$1" | awk '
    /^[0-9a-f]+ <.*>:$/ { within = $2 }
    / <(__)?cudaLaunchKernel>$/ && within !~ /^<(__wrap_|__cuda)/ {
        print within " launches a kernel that nobody counts"
        uncounted = 1
    }
    / <__wrap_(__)?cudaLaunchKernel>$/ { counted++ }
    END { if (!counted) print "no launch is counted"; exit uncounted || !counted }'
