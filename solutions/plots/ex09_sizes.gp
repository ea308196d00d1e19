# Time per particle against the number of particles, from the recorded timings. In the folder solutions:
# gnuplot plots/ex09_sizes.gp
# particles and nanoseconds per particle of the rows of one variant:
rows(variant, file) = sprintf("awk -F, '$2 == \"%s\" {print $4, $6 / $4 * 1e9}' timings/h200/%s.csv", variant, file)
curve(variant) = "< (" . rows(variant, "ex09_sizes") . "; " . rows(variant, "ex09") . ")"

set encoding utf8
set terminal svg size 800,480 background "white"
set termoption noenhanced
set output "plots/ex09_sizes.svg"
set title "Random particles on an H200, 16 to a cell"
set xlabel "particles"
set ylabel "ns per particle"
set logscale x 2
set logscale y
set format x "%.0f"
set grid
set key center top
set rmargin 6
set style data linespoints
set pointsize 0.5
plot curve("atomic increment") linewidth 2 title "atomic increment", \
     curve("chunks and tiles in shared memory") linewidth 2 title "chunks and tiles in shared memory", \
     curve("the same; compact lists") linewidth 2 title "the same, compact lists", \
     curve("CUB radix sort of the cell keys") linewidth 2 title "CUB radix sort of the cell keys"
