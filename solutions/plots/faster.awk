# Is the GPU faster? From recorded results files: how many times as fast as all cores of the CPU an exercise's fastest
# kernel is on the same problem, alone and with allocation and copies. With -v curve=NAME (all: every exercise): a line
# for each recorded size, "size alone with seconds-of-the-CPU"; with -v ends=1 as well: the last one of each, and its name.
# Without: a table of the sizes from which on the GPU wins.
#
#     awk -f plots/faster.awk timings/h200/ex??.csv timings/h200/ex??_faster.csv ...

# Takes the next field of the record in `line`.
function field(    i, text)
{
    if (substr(line, 1, 1) == "\"") {
        i = index(substr(line, 2), "\"")
        text = substr(line, 2, i - 1)
        i += 2
    } else {
        i = index(line, ",")
        if (i == 0)
            i = length(line) + 1
        text = substr(line, 1, i - 1)
    }
    line = substr(line, i + 1)
    return text
}

function smaller(a, b) { return a == 0 || (b > 0 && b < a) ? b : a }

# The sizes of an exercise in ascending order: order[1] to order[the number returned].
function ascending(exercise,    n, i, k, held)
{
    n = 0
    for (i = 1; i <= problems; i++)
        if (exerciseOf[i] == exercise && cpu[i] > 0 && alone[i] > 0 && !((exercise, size[i]) in taken)) {
            taken[exercise, size[i]] = 1 # of several problems of one size the first
            order[++n] = i
            for (k = n; k > 1 && size[order[k - 1]] > size[order[k]]; k--) {
                held = order[k]
                order[k] = order[k - 1]
                order[k - 1] = held
            }
        }
    return n
}

# The size at which a speed-up crosses 1 for good: on a line in log-log between two recorded sizes that are not far apart.
function crossing(n, seconds,    k, from, to, low, high)
{
    for (k = n; k > 0 && cpu[order[k]] >= seconds[order[k]]; k--)
        ;
    if (n == 1)
        return k == 0 ? "at the one size recorded" : "not at the one size recorded"
    low = size[order[k > 0 ? k : 1]]
    if (k == n)
        return "more than " short(low)
    if (k == 0)
        return "less than " short(low)
    high = size[order[k + 1]]
    if (high > 4 * low)
        return "between " short(low) " and " short(high)
    from = log(cpu[order[k]] / seconds[order[k]])
    to = log(cpu[order[k + 1]] / seconds[order[k + 1]])
    return "about " short(low * exp(log(high / low) * -from / (to - from)))
}

function short(n)
{
    if (n < 1000)
        return sprintf("%d", n)
    return n < 1e6 ? digits(n / 1e3) " thousand" : digits(n / 1e6) " million"
}

function digits(v) { return v < 9.95 ? sprintf("%.1f", v) : sprintf("%.0f", v) }

function times(v) { return v < 0.995 ? sprintf("%.2f", v) : digits(v) }

FNR == 1 { next }
{
    line = $0
    for (i = 1; i <= 15; i++)
        value[i] = field()
    exercise = substr(value[1], 1, 4)
    if (value[5] != "PASS" || value[6] + 0 == 0 || value[4] + 0 == 0 || exercise == "ex16")
        next # ex16 measures what things cost, and solves no problem
    sub(/block=[0-9x]+ ?/, "", value[14]) # the same problem, whatever the blocks
    key = exercise SUBSEP value[4] SUBSEP value[14] SUBSEP value[8] SUBSEP value[9]
    if (!(key in number)) {
        number[key] = ++problems
        exerciseOf[problems] = exercise
        size[problems] = value[4] + 0
    }
    k = number[key]
    if (!(exercise in names)) {
        names[exercise] = value[1]
        listed[++exercises] = exercise
    }
    if (value[15] == "cpu")
        cpu[k] = smaller(cpu[k], value[6] + 0)
    if (value[15] == "device") {
        alone[k] = smaller(alone[k], value[6] + 0)
        with[k] = smaller(with[k], value[12] + 0)
    }
}
END {
    if (!curve) {
        print "| exercise | largest size | alone | with copies | the GPU wins from | with copies from |"
        print "| --- | ---: | ---: | ---: | --- | --- |"
    }
    for (e = 1; e <= exercises; e++) {
        exercise = listed[e]
        n = ascending(exercise)
        for (k = 1; k <= n; k++) {
            i = order[k]
            if ((curve == exercise || curve == "all") && (!ends || k == n))
                print size[i], cpu[i] / alone[i], (with[i] > 0 ? cpu[i] / with[i] : 0), cpu[i], (ends ? exercise : "")
        }
        if (curve == "all" && !ends)
            print "\n" # the next exercise is another line
        if (!curve && n > 0)
            printf "| %s | %s | %s | %s | %s | %s |\n", names[exercise], short(size[i]), times(cpu[i] / alone[i]),
                times(cpu[i] / with[i]), crossing(n, alone), crossing(n, with)
        else if (!curve)
            printf "| %s | | | | no row of the CPU recorded | |\n", names[exercise]
    }
}
