# Manages archives of classes, with which JVMs start faster. Sourced by submit/bellman. The Python package runs this
# file for its sessions:
#
#   class-archive.sh PID SPARK_HOME BELLMAN_JAR OPTIONS_FILE
#
# This command prints two lines for the driver of the process with the ID PID: a class path, and Java options. It prints
# nothing if the driver can neither use an archive nor list classes for one.
#
# The first run lists the classes that it loads. After it has ended, a low-priority process writes the archive, and later runs use it, whether they start Java
# themselves or through spark-submit. The executors of several GPUs list and use classes in the same way. After Java or a jar was replaced, a run writes a new
# archive; Java ignores an archive that does not match. Runs whose options contain an agent, a flight recording or another archive do not use an archive.
#
# Java crashes if an archive is damaged. Therefore, a file next to the archive contains the archive's inode, size,
# change time and checksum. A write or a copy changes at least one of the first three, and the next run then compares
# the checksum. Whoever can write to an archive can run code in later runs, so only this user may write to it.

# not absolute, and therefore not used, if neither XDG_CACHE_HOME nor HOME is set
archives=${XDG_CACHE_HOME:-${HOME:-.}/.cache}/bellman

# Prints the class path of the Spark at SPARK_HOME, without RAPIDS. Java searches the jars in this order for each class, so the jars with most of a run's classes
# come first. Spark itself has no order: it passes Java a wildcard.
jars_of_spark() {
  local first
  {
    for first in spark-catalyst_ scala-library- spark-core_ spark-sql scala-reflect- spark- log4j- parquet- hadoop-client-; do
      compgen -G "$SPARK_HOME/jars/$first*.jar" || true
    done
    printf '%s\n' "$SPARK_HOME"/jars/*.jar
  } | awk '!/\/rapids-4-spark_[^\/]*$/ && !seen[$0]++' | paste -sd:
}

# conflicts TEXT: whether the text contains Java options that conflict with an archive, or changes SPARK_HOME
conflicts() {
  grep -qE -e "SPARK_HOME['\"]?]? *=|unset .*SPARK_HOME" \
    -e '-javaagent:|-agent(lib|path):|FlightRecord|-Xshare|Shared(Archive|ClassList)File|ArchiveClassesAtExit' <<<"$1"
}

# owns FILE...: whether this user owns the files and no other user may write to them
owns() {
  local file
  for file; do
    [[ -O $file && ! -L $file ]] && (((8#$(stat -c %a "$file") & 8#22) == 0)) || return 1
  done
}

# Whether the folder can contain archives. Creates the folder if this user owns its nearest existing parent. Java expands % and : in names of archives.
has_folder() {
  [[ $archives == /* && $archives != *[:%]* ]] || return 1
  local existing=$archives
  while [[ ! -e $existing ]]; do existing=$(dirname "$existing"); done
  [[ -O $existing ]] && mkdir -p "$archives" 2>/dev/null && chmod go-w "$archives" 2>/dev/null && owns "$archives"
}

state_of_archive() {
  stat -c '%i %s %z' "$archive" 2>/dev/null
}

# sum_archive CHECKSUM: writes the state and the checksum to the file next to the archive
sum_archive() {
  (umask 077 && printf '%s\n' "$(state_of_archive)" "$1" >"$archive.sum.$$" && mv -f "$archive.sum.$$" "$archive.sum") 2>/dev/null
}

# Whether the archive is unchanged and no run has crashed with it.
is_archive_good() {
  owns "$archive" "$archive.sum" 2>/dev/null || return 1
  # this condition is also true if there is no crash file
  [[ ! $archive.crash -nt $archive ]] || return 1
  local state checksum
  # another run may delete the files
  { IFS= read -r state && IFS= read -r checksum; } 2>/dev/null <"$archive.sum" || return 1
  if [[ $state != "$(state_of_archive)" ]]; then
    [[ $checksum == "$(cksum 2>/dev/null <"$archive")" ]] || return 1
    sum_archive "$checksum" || return 1
  fi
}

# Whether the list of classes is complete. It is short if the run that wrote it failed early.
is_list_long() {
  (($(cat "$archive.classes" 2>/dev/null | wc -l) > 10000))
}

# write_archive OPTION...: writes the archive of the listed classes, with these options of Java
write_archive() {
  # delete unfinished archives, and the files next to archives that no run has used for a month; each run touches the
  # .sum file of its archive, and the archives without this file are deleted below
  find "$archives" -maxdepth 1 \( -name 'spark-*.jsa.*' -mtime +30 -o -name 'spark-*.jsa.new' -mmin +60 \) -delete
  # besides the new archive, keep only the two that were used last, because each build of Bellman has a new archive
  local each
  find "$archives" -maxdepth 1 -name 'spark-*.jsa.sum' -printf '%T@ %p\n' | sort -rn | tail -n +3 | cut -d' ' -f2- | while IFS= read -r each; do
    rm -f "$each"
  done
  for each in "$archives"/spark-*.jsa; do
    [[ -e $each.sum ]] || rm -f "$each"
  done
  # Java generates these classes itself. If they are in an archive, Java 17 crashes as soon as an agent or a flight recording starts, because it does not find
  # their class files.
  sed -i '/ \[SPECIES_RESOLVE\] /d' "$archive.classes"
  nice -n 19 "$java" "$@" -Xshare:dump "-XX:SharedClassListFile=$archive.classes" "-XX:SharedArchiveFile=$archive.new" -cp "$archived" &&
    chmod go-w "$archive.new" && mv -f "$archive.new" "$archive" && sum_archive "$(cksum <"$archive")" && return
  # the list is incomplete if the run that wrote it was killed
  rm -f "$archive.new" "$archive.classes"
}

# use_archive CLASSPATH KIND LISTS PID OPTION...: sets archive_options to the Java options with which a driver whose
# class path starts with CLASSPATH uses the archive of this KIND, and sets executor_options for its executors. If the
# archive does not exist and LISTS is true, the options instead make Java list its classes, which are archived after the
# process PID has ended. The OPTIONs are the other Java options of the driver.
use_archive() {
  local lists=$3 pid=$4 lock jars good=false
  archived=$1
  IFS=: read -ra jars <<<"$archived"
  archive=$archives/spark-$({
    printf '%s\n' "$java $archived $2"
    stat -Lc '%s %Y' "$(command -v "$java")" "${jars[@]}" 2>/dev/null || true
  } | cksum | cut -d' ' -f1).jsa
  archive_options=()
  executor_options=()
  shift 4
  if conflicts "${JAVA_TOOL_OPTIONS:-} ${JDK_JAVA_OPTIONS:-} ${_JAVA_OPTIONS:-}" || ! has_folder; then
    return 0
  elif is_archive_good; then
    good=true
  elif { exec {lock}>"$archive.lock" && flock -n "$lock"; } 2>/dev/null; then
    # no other process is writing an archive, but a process may have written this archive since the first check
    if is_archive_good; then
      good=true
    else
      rm -f "$archive" "$archive.sum" 2>/dev/null || true
      if is_list_long; then
        (
          trap '' HUP INT
          write_archive "$@"
        ) >/dev/null 2>&1 </dev/null &
      elif [[ $lists == true ]]; then
        (
          trap '' HUP INT
          tail --pid="$pid" -s 0.5 -f /dev/null
          # the JVM of a Python session ends after Python
          while [[ ${BASH_SOURCE[0]} == "$0" && -n $(find "$archive.classes" -newermt '-3 seconds') ]]; do sleep 1; done
          cat "$archive.classes".* >>"$archive.classes" && rm -f "$archive.classes".*
          is_list_long && write_archive "$@"
        ) >/dev/null 2>&1 </dev/null &
        archive_options=("-XX:DumpLoadedClassList=$archive.classes")
        executor_options=("-XX:DumpLoadedClassList=$archive.classes.{{EXECUTOR_ID}}")
      fi
    fi
    exec {lock}>&-
  fi
  if [[ $good == true ]]; then
    # spark-submit may start a different Java, which ignores the archive and must not warn. If Java crashes, it runs the
    # command after OnError, in which a semicolon would separate commands, and exits with code 134
    executor_options=("-XX:SharedArchiveFile=$archive" "-XX:ErrorFile=$archive.crash")
    archive_options=('-Xlog:cds*=off' "${executor_options[@]}"
      "-XX:OnError=echo 'error: [BELLMAN_INTERNAL] Java crashed, perhaps because of its class archive. Run the command again: the next run does not use this archive' >&2")
    touch -c "$archive.sum" 2>/dev/null || true
  fi
}

# quoted OPTION...: prints the options as Spark's settings and SPARK_SUBMIT_OPTS contain them. Quotes only options that need it, because a site's own
# spark-submit may pass SPARK_SUBMIT_OPTS to Java without interpreting quotes.
quoted() {
  local option
  for option; do
    if [[ $option =~ [^A-Za-z0-9_@%+=:,./*-] ]]; then
      option=${option//\\/\\\\}
      option="\"${option//\"/\\\"}\""
    fi
    printf '%s ' "$option"
  done
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
  set -euo pipefail
  SPARK_HOME=$2
  java=${JAVA_HOME:+$JAVA_HOME/bin/}java
  mapfile -t options < <(tr -s ' ' '\n' <"$4" | grep .)
  classpath=$3:$(jars_of_spark)
  # sessions and runs load different classes
  use_archive "$classpath" session true "$1" "${options[@]}"
  [[ -z ${archive_options[*]-} ]] || printf '%s\n' "$classpath" "-XX:MetaspaceSize=400m $(quoted "${archive_options[@]}")"
fi
