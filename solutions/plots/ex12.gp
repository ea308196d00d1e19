# The plots of ex12.md. In the folder solutions: gnuplot plots/ex12.gp
load 'plots/common.gp'
# Of one variant, for each number of ranks: the efficiency (its time on one rank by its time on n, and by n), and the
# points stepped per second in units of 10^9 (8 bytes each).
efficiency(variant) = "< " . rows('ex12_strong', variant, "split($14, p, /[= ]/); n = p[2]; if (n == 1) t = $6; print n, t / $6 / n")
rate(variant) = "< " . rows('ex12_strong', variant, "split($14, p, /[= ]/); print p[2], $8 / 8 / $6 * 1e-9")

set terminal svg size 720,440 background 'white'
set xlabel 'GPUs (log)'
set logscale x 2
set xtics (1, 2, 4)
set xrange [0.9:4.4]

set output plots . 'ex12_efficiency.svg'
set title 'Diffusion in 2D, the same field on all GPUs: efficiency, ' . device
set ylabel 'efficiency (from 0.8)'
set yrange [0.8:1.02]
plot efficiency('plain kernel; staged exchange') title 'plain kernel, staged', \
     efficiency('page-locked buffers') title 'page-locked buffers', \
     efficiency('float4; rows in registers') title 'float4, rows in registers', \
     efficiency('overlapped exchange') title 'overlapped', \
     efficiency('overlapped; peer copies') title 'overlapped, peer copies', \
     efficiency('overlapped; NCCL') title 'overlapped, NCCL', \
     efficiency('8 steps per exchange') title '8 steps per exchange', \
     efficiency('8 steps; peer copies') title '8 steps, peer copies'

set output plots . 'ex12_strong.svg'
set title 'Diffusion in 2D, the same field on all GPUs: rate, ' . device
set ylabel '10^9 points stepped per second (log)'
set logscale y 2
set yrange [200:16000]
limit = copyRate('ex12_strong') / 8 # of one GPU, whose rows come first
plot rate('plain kernel; staged exchange') title 'plain kernel, staged', \
     rate('float4; rows in registers') title 'float4, rows in registers', \
     rate('overlapped; peer copies') title 'overlapped, peer copies', \
     rate('8 steps; peer copies') title '8 steps, peer copies', \
     limit * x with lines dt 2 lc rgb 'black' title 'at the copy rate'
