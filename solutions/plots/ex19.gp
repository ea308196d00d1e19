# The plot of ex19.md. In the folder solutions: gnuplot plots/ex19.gp
load 'plots/common.gp'
# $6: the time of $9 operations, which for a slow row are a part of all 2 n^3; n is $4. $12: with allocation and copies
host(variant) = "< " . rows('ex19_sweep', variant, "print $4, $6 * 2 * $4 ^ 3 / $9")
kernel(variant, parameters) = "< " . rows('ex19_sweep', variant, "if ($14 == \"" . parameters . "\") print $4, $6")
copies(variant, parameters) = "< " . rows('ex19_sweep', variant, "if ($14 == \"" . parameters . "\") print $4, $12")

set output plots . 'ex19_sweep.svg'
set title 'Products of n × n matrices, ' . device . ' beside 16 cores; dashed: with copies'
set xlabel 'n (log)'
set ylabel 'seconds (log)'
set logscale xy
set xtics 16, 2
set xrange [14:4700]
set format y '%.0s %cs'
set terminal svg size 800,600 background 'white'
plot host('one core') title 'one core', host('all cores') title 'all cores', \
     host('all cores in blocks') title 'all cores in blocks', \
     kernel('one element per thread', 'block=8x8') title 'one element per thread, blocks of 8 × 8', \
     copies('one element per thread', 'block=8x8') linetype 4 dashtype 2 notitle, \
     kernel('one element per thread', 'block=16x16') linetype 5 title 'blocks of 16 × 16', \
     copies('one element per thread', 'block=16x16') linetype 5 dashtype 2 notitle, \
     kernel('8 x 8 per thread', '') linetype 6 title '8 × 8 elements per thread', \
     copies('8 x 8 per thread', '') linetype 6 dashtype 2 notitle
