# Sourced by submit/bellman for a run on several GPUs of this host, with one executor per GPU under Spark's standalone Master and
# Worker. Spark starts both inside the driver (local-cluster[...]), so they and the executors always end with the driver, and no
# daemon remains. All processes listen on free ports of the loopback interface and require a secret.
#
# The cluster's folder serves as its SPARK_HOME. The driver holds a lock in this folder, and deletes the folder when it exits. If a
# driver is killed, the next run deletes its folder.

# Prints the number of GPUs that a process on this host can use. Expects the output of nvidia-smi -L in gpus_listed.
gpus_of_host() {
  if [[ -n ${CUDA_VISIBLE_DEVICES+set} ]]; then
    tr ',' '\n' <<<"$CUDA_VISIBLE_DEVICES" | grep -c . || true
  else
    grep -c '^GPU' <<<"$gpus_listed" || true
  fi
}

# Prints the memory, in MiB, that processes can still use on this host or in its control group.
free_memory() {
  local free limit used
  free=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
  limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || echo max)
  if [[ $limit =~ ^[0-9]+$ ]]; then
    used=$(cat /sys/fs/cgroup/memory.current)
    limit=$(((limit - used) / 1048576))
    ((limit >= free)) || free=$limit
  fi
  echo "$free"
}

clear_dead_clusters() {
  local folder
  for folder in "${TMPDIR:-/tmp}"/bellman-cluster.*; do
    if [[ -O $folder && -d $folder && ! -L $folder && -f $folder/lock ]]; then
      (flock -n 8 && rm -rf "$folder") 8<"$folder/lock" || true
    fi
  done
}

# make_cluster GPUS RAPIDS_JAR PROPERTIES_FILE: sets cluster, master and memory, and exports variables for Spark and
# Bellman. The second argument is empty if the class path of executors will contain RAPIDS.
make_cluster() {
  local gpus=$1 rapids=$2 properties=$3 cores share secret lock panels memory_folder
  clear_dead_clusters
  cluster=$(umask 077 && mktemp -d "${TMPDIR:-/tmp}/bellman-cluster.XXXXXX")
  exec {lock}>"$cluster/lock"
  flock -n "$lock"

  mkdir "$cluster/jars"
  if [[ -n ${SPARK_HOME:-} ]]; then
    find "$SPARK_HOME" -mindepth 1 -maxdepth 1 ! -name jars ! -name work -exec ln -s -t "$cluster" {} +
    find -L "$SPARK_HOME/jars" -name '*.jar' ! -name 'rapids-4-spark_*' -exec ln -s -t "$cluster/jars" {} +
  else
    tr ':' '\n' <"$target/spark.classpath" | grep . | tr '\n' '\0' | xargs -0 ln -s -t "$cluster/jars"
  fi
  [[ -z $rapids ]] || ln -s "$rapids" "$cluster/jars"

  cores=$(($(nproc) / gpus))
  ((cores > 0)) || cores=1
  # one share for each executor and one for the driver: an executor's heap is half of its share, but 1 to 24 GiB, and
  # its pinned memory is a third, but at most 512 MiB; the driver's heap is its share, but at most 4 GiB
  share=$(($(free_memory) * 8 / 10 / (gpus + 1)))
  memory=${memory:-$((share < 4096 ? share : 4096))m}
  # the tiles that GPUs exchange exist only for seconds, so they are best kept in memory; their names can be guessed, so only this user may
  # access their folder
  panels=$cluster
  if (($(df -k --output=avail /dev/shm 2>/dev/null | tail -n 1 || echo 0) >= 16777216)); then
    memory_folder=/dev/shm/bellman-$UID
    mkdir -m 700 "$memory_folder" 2>/dev/null || true
    if [[ -O $memory_folder && -d $memory_folder && ! -L $memory_folder ]] && chmod 700 "$memory_folder"; then
      panels=$memory_folder
    fi
  fi
  secret=$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')
  (
    umask 077
    exec >"$cluster/spark.conf"
    [[ -n $properties ]] || cat "$root/conf/gpu.conf"
    cat <<CONF

spark.executor.memory                   $((share / 2 < 1024 ? 1024 : share / 2 < 24576 ? share / 2 : 24576))m
spark.rapids.memory.pinnedPool.size     $((share / 3 < 512 ? share / 3 : 512))m
spark.bellman.tiles.exchangeDirectory   file:$panels
spark.executor.extraJavaOptions         "-Dlog4j2.configurationFile=file:$root/conf/log4j2.properties" -XX:Tier3DelayOn=0 -XX:MetaspaceSize=400m
CONF
    [[ -z $properties ]] || cat "$properties"
    cat <<CONF

spark.executor.cores                    $cores
spark.cores.max                         $((cores * gpus))
# the session opens before the executors have started; Bellman waits for them before the first task, so that they share the work
spark.scheduler.minRegisteredResourcesRatio 0
spark.executor.resource.gpu.amount      1
spark.task.resource.gpu.amount          0.001
spark.worker.resource.gpu.amount        $gpus
spark.worker.resourcesFile              $cluster/gpus.json
spark.dynamicAllocation.enabled         false
spark.driver.host                       127.0.0.1
spark.driver.bindAddress                127.0.0.1
spark.ui.killEnabled                    false
spark.authenticate                      true
spark.authenticate.secret               $secret
CONF
  )
  printf '[{"id": {"componentName": "spark.worker", "resourceName": "gpu"}, "addresses": [%s]}]\n' \
    "$(seq -s '", "' 0 $((gpus - 1)) | sed 's/.*/"&"/')" >"$cluster/gpus.json"

  # the executors' memory is set above; the worker's memory is large so that it does not limit them
  master="local-cluster[1,$((cores * gpus)),1000000]"
  export BELLMAN_CLUSTER=$cluster SPARK_LOCAL_IP=127.0.0.1 SPARK_SCALA_VERSION=2.13
}

# warm_executors JAVA: makes the executors, whose class path must contain Bellman, load the libraries of their GPU while Spark starts. Spark always starts its own main
# class, but with the Java of the environment.
warm_executors() {
  mkdir -p "$cluster/java/bin"
  printf '%s\n' '#!/usr/bin/env bash' "exec $(printf %q "$1") \"\${@/#org.apache.spark.executor.CoarseGrainedExecutorBackend/dev.bellman.job.cli.GpuExecutor}\"" \
    >"$cluster/java/bin/java"
  chmod +x "$cluster/java/bin/java"
  echo "spark.executorEnv.JAVA_HOME $cluster/java" >>"$cluster/spark.conf"
}
