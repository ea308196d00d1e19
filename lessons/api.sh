# api.sh SOURCE: writes the sheet of the API, which is API.md: each name of CUDA, its libraries,
# MPI, OpenACC and cuda_utils.h in the lessons and templates, in the lesson that uses it first.
cd "$1" || exit 2
names='#pragma (acc \w+|unroll)|\b(cu(da|blas|fft|rand|sparse)[A-Z]\w*|curand_\w+|'
names="$names"'__[a-z]\w+|atomic[A-Z]\w*|atomic_ref|tex[123]D\w*|MPI_\w+|acc_\w+|nccl[A-Z]\w*|'
names="$names"'(thread|block)Idx|(block|grid)Dim|dim3|MEASURE|(init|get)Timer)\b'
cat <<'END'
# The API, lesson by lesson

Each name of CUDA, its libraries, MPI, OpenACC and the course's `cuda_utils.h` that a lesson, a task
or a template uses, in the lesson that uses it first. `sh lessons/api.sh . >API.md` writes this
sheet.

| lesson | new names |
| --- | --- |
END
for lesson in ex0*/README.md ex1[01]_*/README.md lessons/*.md ex1[2-9]_*/README.md \
    ex[2-9]*/README.md lab_*/README.md; do
    # Names that programs of the course define, and halves of names, are none of the API's.
    row=$(cat "$lesson" "${lesson%README.md}"template.c* 2>/dev/null |
        grep -oE "$names" |
        grep -vE '[a-z]_$|_(utils|kernel)$|^atomicEvery|Register|^cudaKernel$' | LC_ALL=C sort -u |
        awk -v lesson="$lesson" -v seen="$seen" '
            BEGIN { split(lesson, part, "/"); label = part[1]
                if (label == "lessons") { label = part[2]; sub(/\.md$/, "", label) }
                else if (label ~ /^ex/) sub(/_.*/, "", label) }
            !index(seen, " " $0 ",") { names = names (names != "" ? ", " : "") "`" $0 "`" }
            END { if (names != "") print "| [" label "](" lesson ") | " names " |" }')
    [ -n "$row" ] || continue
    echo "$row"
    seen="$seen$(echo "$row" | tr '`' '\n' | sed -n '2~2s/.*/ &,/p' | tr -d '\n')"
done
