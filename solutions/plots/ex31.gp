# The plots of ex31.md. In the folder solutions: gnuplot plots/ex31.gp
load 'plots/common.gp'
# Interactions a second against n, and the change of the energy against the length of a step.
rate(variant) = "< " . rows('ex31_sizes', variant, "print $4, $4 * $4 / $6")
drift(variant) = "< " . rows('ex31_dt', variant, "match($14, /steps=[0-9]+/); print 1 / substr($14, RSTART + 6, RLENGTH - 6), $13")

set output plots . 'ex31_sizes.svg'
set title 'Gravity between n bodies, ' . device
set xlabel 'n (log)'
set ylabel 'interactions a second (log)'
set logscale xy
set xtics 256, 4
set xrange [220:150000]
set format y '%.0s %c'
set key outside below
plot for [v in "one_body_a_thread reciprocal_root tile j_split_over_blocks four_bodies_a_thread each_pair_once;_by_atomics each_pair_once;_in_registers pairs_of_floats"] \
    rate(system("printf '%s' '" . v . "' | tr _ ' '")) title system("printf '%s' '" . v . "' | tr '_;' ' ,'")

set output plots . 'ex31_dt.svg'
set title 'The change of the energy in one unit of time, ' . device
set xlabel 'length of a step (log)'
set ylabel 'part of the energy (log)'
set xtics ('1/512' 1.0 / 512, '1/128' 1.0 / 128, '1/32' 1.0 / 32, '1/8' 1.0 / 8)
set xrange [0.0015:0.16]
set format y '%.0e'
set terminal svg size 640,420 background 'white'
plot drift('leapfrog') title 'leapfrog', drift('leapfrog; each pair once') title 'leapfrog, each pair once', \
     2.4e-3 * x ** 2 with lines linetype 7 dashtype 2 title 'slope 2'
