# Is the GPU faster? From the recorded files exNN_faster.csv: how many times as fast as all cores of the CPU each
# exercise's fastest kernel is, at each size, alone and with allocation and copies. With -v curve=NAME: "size alone
# with" of that exercise; without: a table of the sizes from which on the GPU wins.
#
#     awk -f plots/faster.awk timings/h200/ex??_faster.csv timings/h200/ex05_sizes.csv

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

# The size at which a speed-up crosses 1 for good, between two recorded ones on a line in log-log; "" if it never does.
function crossing(exercise, speedup,    k, n, from, to)
{
    for (k = sizes[exercise]; k > 0 && speedup[exercise, k] >= 1; k--)
        ;
    if (k == sizes[exercise])
        return "more than " short(size[exercise, k])
    if (k == 0)
        return "less than " short(size[exercise, 1])
    from = log(speedup[exercise, k])
    to = log(speedup[exercise, k + 1])
    n = log(size[exercise, k + 1] / size[exercise, k]) * -from / (to - from)
    return "about " short(size[exercise, k] * exp(n))
}

function short(n)
{
    if (n < 1000)
        return sprintf("%d", n)
    return n < 1e6 ? digits(n / 1e3) " thousand" : digits(n / 1e6) " million"
}

function digits(v) { return v < 9.95 ? sprintf("%.1f", v) : sprintf("%.0f", v) }

FNR == 1 { next }
{
    line = $0
    for (i = 1; i <= 15; i++)
        value[i] = field()
    exercise = substr(value[1], 1, 4)
    n = value[4] + 0
    if (value[5] != "PASS" || value[6] + 0 == 0 || n == 0)
        next
    if (!((exercise, "at", n) in number)) {
        number[exercise, "at", n] = ++sizes[exercise]
        size[exercise, sizes[exercise]] = n
    }
    k = number[exercise, "at", n]
    if (!(exercise in known)) {
        known[exercise] = 1
        order[++exercises] = exercise
        names[exercise] = value[1]
    }
    if (value[15] == "cpu")
        cpu[exercise, k] = smaller(cpu[exercise, k], value[6] + 0)
    if (value[15] == "device") {
        alone[exercise, k] = smaller(alone[exercise, k], value[6] + 0)
        with[exercise, k] = smaller(with[exercise, k], value[12] + 0)
    }
}
END {
    if (!curve) {
        print "| exercise | the GPU wins from | with allocation and copies from |"
        print "| --- | --- | --- |"
    }
    for (e = 1; e <= exercises; e++) {
        exercise = order[e]
        for (k = 1; k <= sizes[exercise]; k++) {
            fast[exercise, k] = alone[exercise, k] > 0 ? cpu[exercise, k] / alone[exercise, k] : 0
            slow[exercise, k] = with[exercise, k] > 0 ? cpu[exercise, k] / with[exercise, k] : 0
            if (curve == exercise)
                print size[exercise, k], fast[exercise, k], slow[exercise, k]
        }
        if (!curve)
            printf "| %s | %s elements | %s elements |\n", names[exercise], crossing(exercise, fast), crossing(exercise, slow)
    }
}
