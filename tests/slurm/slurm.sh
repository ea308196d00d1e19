# slurm.sh: sourced, with a folder in $slurm: starts a Slurm of one machine in that folder, on ports
# of its own, with Slurm's defaults. It ends with the shell. Exit status 77 if Slurm is not
# installed or does not start here. The machine stands for two nodes if this Slurm was built to let
# it.

PATH=$PATH:/usr/sbin:/sbin
for tool in munged slurmctld slurmd sbatch srun; do
    command -v $tool >/dev/null 2>&1 ||
        { echo "SKIPPED: no $tool: install slurm-wlm and munge"; exit 77; }
done
rm -rf "$slurm" && mkdir -p "$slurm/state" "$slurm/spool" "$slurm/tmp" && chmod 700 "$slurm" ||
    exit 2
slurm=$(cd "$slurm" && pwd)
[ ${#slurm} -le 80 ] || { echo "SKIPPED: the name of $slurm is too long for a socket in it"
exit 77; }

# A port that nobody listens on. (Between the look and the use somebody may take it; then Slurm does
# not start.)
free_port() {
    while :; do
        port=$((10000 + $(od -An -N2 -tu2 /dev/urandom) % 20000)) # below those of connections
        grep -qi ":$(printf %04X $port) " /proc/net/tcp /proc/net/tcp6 2>/dev/null || break
    done
    echo $port
}
# Ends the daemons, at once if they do not end by themselves: they wait for the steps of a job.
stop_slurm() {
    for signal in TERM KILL; do
        for pid in "$slurm"/*.pid; do
            [ ! -s "$pid" ] || cp "$pid" "$pid.was"
        done
        for pid in "$slurm"/*.pid.was; do
            [ ! -s "$pid" ] || kill -$signal "$(cat "$pid")" 2>/dev/null
        done
        [ $signal = KILL ] || sleep 2
    done
}
trap stop_slurm EXIT
trap "exit 1" HUP INT TERM

dd if=/dev/urandom of="$slurm/key" bs=128 count=1 2>/dev/null && chmod 400 "$slurm/key"
munged --force --key-file="$slurm/key" --socket="$slurm/munge.socket" \
    --pid-file="$slurm/munged.pid" --seed-file="$slurm/seed" --log-file="$slurm/munged.log" ||
    { echo "SKIPPED: munged does not start here"; exit 77; }

SLURM_CONF=$slurm/slurm.conf
export SLURM_CONF
# write_configuration LINE...: the lines tell of the nodes. Each has its own folder for temporary
# files, as nodes have: by the job's number PMIx makes folders and Open MPI its shared memory, which
# on a common /tmp and /dev/shm the other node, or another Slurm, has made before.
write_configuration() {
    cat >"$slurm/prolog" <<END2
#!/bin/sh
echo export OMPI_MCA_btl_vader_backing_directory=$slurm/tmp/\$SLURMD_NODENAME
echo export OMPI_MCA_btl_sm_backing_directory=$slurm/tmp/\$SLURMD_NODENAME
END2
    chmod +x "$slurm/prolog"
    cat >"$SLURM_CONF" <<END2
ClusterName=course
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
CredType=cred/munge
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool/%n
TmpFS=$slurm/tmp/%n
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd-%n.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
TaskProlog=$slurm/prolog
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MessageTimeout=30
UnkillableStepTimeout=10
SlurmdParameters=config_overrides
PartitionName=course Nodes=ALL Default=YES State=UP
END2
    printf '%s\n' "$@" >>"$SLURM_CONF"
}
# start_slurm NODE...: after the configuration.
start_slurm() {
    slurmctld -c || { \
        echo "SKIPPED: slurmctld does not start here: $(tail -n 1 "$slurm/slurmctld.log")"
        exit 77; }
    for node; do
        mkdir -p "$slurm/spool/$node" "$slurm/tmp/$node"
        slurmd -N "$node" 2>"$slurm/slurmd.err" ||
            { echo "SKIPPED: slurmd takes no name of its own here: $(cat "$slurm/slurmd.err")"
            exit 77; }
    done
    tries=0
    until [ "$(sinfo -h -N -o '%t' 2>/dev/null | grep -c '^idle$')" -eq $# ]; do
        tries=$((tries + 1))
        [ $tries -le 60 ] || { echo "SKIPPED: the nodes do not come up: $(sinfo -N)"; exit 77; }
        sleep 0.5
    done
}
