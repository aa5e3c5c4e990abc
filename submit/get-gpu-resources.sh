#!/usr/bin/env bash
# Tells Spark which GPUs this host has, in the JSON that spark.executor.resource.gpu.discoveryScript must print:
#   {"name": "gpu", "addresses": ["0", "1"]}
set -euo pipefail
addresses=$(nvidia-smi --query-gpu=index --format=csv,noheader | sed 's/.*/"&"/' | paste -sd, | sed 's/,/, /g')
echo "{\"name\": \"gpu\", \"addresses\": [$addresses]}"
