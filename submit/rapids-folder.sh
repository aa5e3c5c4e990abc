# Sourced by submit/bellman for runs on this host's GPUs. Unpacks the RAPIDS Accelerator into a folder of the cache, because its jar delays the start of each
# process by seconds: a process copies a library of 800 MB out of the jar, and Java can neither archive nor quickly find classes that the jar contains once per
# Spark version. The folder contains the libraries, and a jar with only the classes for this Spark. The first run creates the folder. Expects class-archive.sh.

# use_rapids_folder JAR VERSION BELLMAN_JAR: replaces rapids with the jar in the folder, and sets rapids_options to the Java options that it needs. Changes nothing
# if there is no folder for this Spark VERSION.
use_rapids_folder() {
  [[ -f $1 && -f $3 ]] && has_folder || return 0
  local folder lock
  folder=$archives/rapids-$(printf '%s\n' "$1 $2 $(stat -Lc '%s %Y' "$1")" | cksum | cut -d' ' -f1)
  if ! owns "$folder" 2>/dev/null; then
    # another run may be unpacking the same jar
    { exec {lock}>"$folder.lock" && flock "$lock"; } 2>/dev/null || return 0
    owns "$folder" 2>/dev/null || unpack_rapids "$@" "$folder"
    exec {lock}>&-
  fi
  [[ -s $folder/libcudf.so ]] || return 0
  touch -c "$folder" 2>/dev/null || true
  rapids=$folder/${1##*/}
  rapids_options=("-Dai.rapids.cudf.lib-native-dir=$folder")
}

# unpack_rapids JAR VERSION BELLMAN_JAR FOLDER: creates the folder, unless this failed today
unpack_rapids() {
  [[ -z $(find "$4.failed" -mtime -1 2>/dev/null) ]] || return 0
  # delete the folders that no run has used for a month, such as those of old versions
  find "$archives" -maxdepth 1 -name 'rapids-*' -mtime +30 -exec rm -rf {} +
  rm -rf "$4" "$4.new"
  echo 'bellman: unpacking RAPIDS, which takes a few seconds; later runs reuse the files' >&2
  (umask 022 && "$java" -XX:TieredStopAtLevel=1 -cp "$3" dev.bellman.job.cli.RapidsFolder "$1" "$2" "$4.new") >/dev/null 2>&1 && mv "$4.new" "$4" && return
  rm -rf "$4.new"
  touch "$4.failed"
}
