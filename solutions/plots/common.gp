# What all plots share; they are drawn in the folder solutions, from the recorded timings: gnuplot plots/exNN.gp
plots = 'plots/'
device = 'NVIDIA H200'
# The rows of a results file, with ; for each comma in a variant's name and without its quotes, for awk -F,: $2 is the
# variant, $4 the size, $6 the median time, $8 the bytes, $10 the copy rate, $11 the fraction, $14 the parameters.
csv(file) = "sed -e ':a' -e 's/^\\([^\",]*,\"[^\",]*\\),\\([^\"]*\"\\)/\\1;\\2/' -e 'ta' -e 's/^\\([^\",]*,\\)\"\\([^\"]*\\)\"/\\1\\2/' timings/h200/" . file . ".csv"
# What awk prints of the rows of one variant.
rows(file, variant, print) = csv(file) . " | awk -F, '$2 == \"" . variant . "\" {" . print . "}'"
# The copy rate of the device in a file's run, in GB/s.
copyRate(file) = real(system(csv(file) . " | awk -F, '$15 == \"device\" && $10 > 0 && !n++ {print $10 * 1e-9}'"))
copyTitle(rate) = sprintf('copy rate, %.0f GB/s', rate)

# Colours and signs that can be told apart, also in print and by the colour-blind.
set linetype 1 lc rgb '#0063a6' pt 7 lw 1.8
set linetype 2 lc rgb '#c44e00' pt 4 lw 1.8
set linetype 3 lc rgb '#00795a' pt 9 lw 1.8
set linetype 4 lc rgb '#a8327f' pt 12 lw 1.8
set linetype 5 lc rgb '#2b9bd6' pt 11 lw 1.8
set linetype 6 lc rgb '#7a5c00' pt 2 lw 1.8
set linetype 7 lc rgb '#444b52' pt 1 lw 1.8
set linetype 8 lc rgb '#6a3fb5' pt 6 lw 1.8
set linetype cycle 8
set encoding utf8
set terminal svg size 800,480 background 'white'
set termoption noenhanced
set grid
set key outside below height 1.5
set style data linespoints
set pointsize 0.6
