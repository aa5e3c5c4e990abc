#!/usr/bin/env bash
# Prints the GPUs of this host in the JSON format for spark.executor.resource.gpu.discoveryScript:
#   {"name": "gpu", "addresses": ["0", "1"]}
set -euo pipefail
addresses=$(nvidia-smi --query-gpu=index --format=csv,noheader | sed 's/.*/"&"/' | paste -sd, | sed 's/,/, /g')
echo "{\"name\": \"gpu\", \"addresses\": [$addresses]}"
