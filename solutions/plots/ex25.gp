# The plots of ex25.md. In the folder solutions: gnuplot plots/ex25.gp
load 'plots/common.gp'
# The rate of each link, in GB/s, of one way to copy: from, to, rate.
link(variant) = "< " . rows('ex25_links', 'link: ' . variant, "split($14, p, /[= ]/); print p[2], p[4], $8 / $6 * 1e-9")

set terminal svg size 760,400 background 'white'
set output plots . 'ex25_links.svg'
unset key
unset grid
set palette defined (0 '#ffffff', 1 '#7fb2dc')
set cbrange [0:*]
set cblabel 'GB/s'
set tics scale 0
set xtics 1
set ytics 1
set xrange [-0.5:3.5]
set yrange [3.5:-0.5]
set style fill solid
set size ratio -1
set xlabel 'to device'
set ylabel 'from device'
set multiplot layout 1,2 title 'From one device to another, GB/s, ' . device
do for [way in 'peer_copy loads_of_a_kernel'] {
    name = system("echo " . way . " | tr _ ' '")
    set title name
    plot link(name) using 2:1:($2 - 0.5):($2 + 0.5):($1 - 0.5):($1 + 0.5):3 with boxxyerror fc palette, \
         link(name) using 2:1:(sprintf('%.0f', $3)) with labels
}
unset multiplot
