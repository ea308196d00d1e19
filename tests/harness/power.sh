# power.sh PROGRAM READER FAKE FOLDER: the power limit in a results file, by a library in place of
# NVIDIA's: the one that is enforced, else the one that was set; and none, without a word, where
# there is no library, no GPU, or no answer.
program=$1 reader=$2 fake=$3 folder=$4
rm -rf "$folder" && mkdir -p "$folder/none" "$folder/foreign" && cd "$folder" || exit 2
fail() { echo "$*"; exit 1; }
FAKE_NVML_LOG=$folder/log
export FAKE_NVML_LOG
# limit WATTS FOLDER [NAME=VALUE...]: the recorded limit with the library of that folder.
limit() {
    want=$1 library=$2
    shift 2
    rm -f r.csv log
    env LD_LIBRARY_PATH="$library" "$@" "$program" --csv r.csv >out 2>&1 ||
        fail "the run failed: $(cat out)"
    [ "$(grep -c -i -e nvml -e nvidia out)" -eq 0 ] || fail "nobody asked: $(cat out)"
    is=$("$reader" r.csv power_limit_w) || fail "not read: $is"
    [ "$is" = "$want" ] || fail "$* with $library: '$is' instead of '$want'"
}
limit 650.5 "$fake" FAKE_NVML_ENFORCED=650500 FAKE_NVML_SET=700000
[ "$(cat log)" = +- ] || fail "asked once, and ended: $(cat log)"
limit 700 "$fake" FAKE_NVML_SET=700000
limit "" "$fake"
limit "" "$fake" FAKE_NVML_BROKEN=1 FAKE_NVML_SET=700000
echo "no library" >foreign/libnvidia-ml.so.1
limit "" "$folder/foreign" FAKE_NVML_SET=700000
# Without a library in the machine, either.
case $(ldconfig -p 2>/dev/null || /sbin/ldconfig -p) in *libnvidia-ml.so.1*) \
    ;; *) limit "" "$folder/none" FAKE_NVML_SET=700000 ;; esac
echo "the power limit is recorded where it is known"
