# The plot of ex12.md over the size of the field. In the folder solutions: gnuplot plots/ex12_sizes.gp
load 'plots/common.gp'
# Of one variant, for each side of the field: the points stepped per second in units of 10^9 (8 bytes each).
rate(variant) = "< " . rows('ex12_sizes', variant, "print $4, $8 / 8 / $6 * 1e-9")

set output plots . 'ex12_sizes.svg'
limit = copyRate('ex12_sizes') / 8
set title 'Diffusion in 2D on one ' . device . ' and on its host, 16 steps'
set xlabel 'points on a side of the field (log)'
set ylabel '10^9 points stepped per second (log)'
set logscale x 2
set logscale y
set xrange [230:18000]
plot rate('one core') title 'one core', \
     rate('all cores') title 'all 16 cores', \
     rate('plain kernel; staged exchange') title 'plain kernel, staged', \
     rate('float4; rows in registers') title 'float4, rows in registers', \
     rate('8 steps per exchange') title '8 steps per exchange', \
     limit with lines dt 2 lc rgb 'black' title 'at the copy rate'
