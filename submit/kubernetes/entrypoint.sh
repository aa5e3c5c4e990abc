#!/usr/bin/env bash
# Entry point of the image. Spark uses it to start drivers and executors, like the entry point of Spark's image. All other commands are passed to submit/bellman.
#
# In the arguments of `run`, {day} is replaced by BELLMAN_DAY or, in a CronJob's Job, by the day before the Job's scheduled time (UTC), even if the
# Job starts late. If rows were quarantined (exit code 5), the script writes their number to the pod's termination message and exits with code 0.
set -euo pipefail

home=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
export SPARK_HOME=${SPARK_HOME:-/opt/spark} BELLMAN_JAR=${BELLMAN_JAR:-$home/bellman.jar}

case ${1:-} in
  driver | executor) exec "${SPARK_HOME%/*}/entrypoint.sh" "$@" ;;
  run) ;;
  *) exec "$home/submit/bellman" "$@" ;;
esac

# A CronJob's Jobs have names like NAME-MINUTES, where MINUTES is the scheduled time in minutes since 1970.
day=${BELLMAN_DAY:-}
if [[ -z $day && ${JOB_NAME:-} =~ -([0-9]{8})$ ]]; then
  day=$(date -u -d "@$((BASH_REMATCH[1] * 60 - 86400))" +%F)
fi
if [[ -z $day && $* == *'{day}'* ]]; then
  echo 'error: [BELLMAN_USAGE] the arguments contain {day}, but no CronJob started this pod; set BELLMAN_DAY, for example to 2026-01-31' >&2
  exit 1
fi

reports=$(mktemp)
trap 'rm -f "$reports"' EXIT
"$home/submit/bellman" "${@//'{day}'/$day}" --reports "$reports" &
run=$!
# Kubernetes sends the signal that ends the pod only to this process
trap 'kill "$run" 2>/dev/null || true' TERM INT
while :; do
  code=0
  wait "$run" || code=$?
  kill -0 "$run" 2>/dev/null || break
done
if ((code == 5)); then
  aside=$(grep -o '"rowsQuarantined" *: *[0-9]*' "$reports" | grep -o '[0-9]*$' | paste -sd+)
  message=${TERMINATION_LOG:-/dev/termination-log}
  [[ ! -w $message ]] || echo "done; quarantined rows: $((aside)); see _bellman/quarantine in the output" >"$message"
  code=0
fi
exit "$code"
