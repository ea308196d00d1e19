# Time and local memory of one kernel against the registers that it may use. In the folder solutions: gnuplot plots/ex21_bounds.gp
load 'plots/common.gp'
# The value of a parameter in the rows of the sweep.
parameter(name) = "match($14, /" . name . "=[0-9]+/); v = substr($14, RSTART + " . strlen(name . '=') . ", RLENGTH - " . strlen(name . '=') . ");"
points(print) = '< ' . rows('ex21_bounds', '8 chains; launch bounds', parameter('registers') . 'r = v; ' . parameter('local') . 'l = v; ' . parameter('resident') . print)

set output plots . 'ex21_bounds.svg'
set title "Eight chains of exp(x) in double, 2^28 intervals, limited by launch bounds: " . device
set xlabel 'registers of a thread (logarithmic)'
set ylabel 'time in ms'
set y2label 'local memory of a thread in bytes'
set logscale x 2
set xtics (32, 40, 48, 64, 80, 128, 168) nomirror
set ytics nomirror
set y2tics
set yrange [0:*]
set y2range [0:*]
set xrange [28:200]
plot points('print r, $6 * 1e3') title 'time', \
     points('print r, l') axes x1y2 title 'local memory', \
     points('print r, $6 * 1e3, v') using 1:2:3 with labels offset 0,1 title 'blocks of 256 that fit'
