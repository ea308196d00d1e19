# make.sh COURSE SOURCE BUILD FOLDER: the whole course handed out to FOLDER/class, for the other
# tests here.
course=$1 COURSE_SOURCE=$2 COURSE_BUILD=$3 folder=$4
export COURSE_SOURCE COURSE_BUILD
git -C "$COURSE_SOURCE" rev-parse HEAD >/dev/null 2>&1 ||
    { echo "SKIPPED: $COURSE_SOURCE is no git checkout"; exit 77; }
rm -rf "$folder" && mkdir -p "$folder" && exec "$course" handout "$folder/class"
