"""Adds the application jar, the launcher and the Spark settings to the wheel."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Jar(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return  # an editable installation finds the files in the checkout
        root = Path(self.root).parents[1]
        # the launcher builds the jar if it is missing or outdated, with the GPU side if the host has a GPU or BELLMAN_GPU_SIDE is true
        environment = {key: value for key, value in os.environ.items() if key != "BELLMAN_JAR"}
        if subprocess.run([root / "submit" / "bellman", "--version"], stdout=subprocess.DEVNULL, env=environment).returncode:
            sys.exit("bellman: cannot build the wheel because the jar could not be built; see the error above")
        jars = list((root / "spark-job" / "target").glob("bellman-spark-*.jar"))
        [jar] = [jar for jar in jars if not jar.stem.endswith(("-bench", "-check", "-sources", "-javadoc", "-tests"))]
        with zipfile.ZipFile(jar) as entries:
            if not any(name.endswith((".cubin.zst", ".ptx.zst")) for name in entries.namelist()):
                print("bellman: this wheel runs only on CPUs; to support GPUs, build it on a host with a GPU or with BELLMAN_GPU_SIDE=true", file=sys.stderr)
        files = [
            "submit/bellman",
            "submit/class-archive.sh",
            "submit/get-gpu-resources.sh",
            "submit/gpu-cluster.sh",
            "submit/rapids-folder.sh",
            "LICENSE",
            "conf/cpu.conf",
            "conf/gpu.conf",
            "conf/ivy.xml",
            "conf/log4j2.properties",
            "spark-job/target/classes/dev/bellman/job/spark-jvm.options",
        ]
        build_data["force_include"] = {
            str(jar): f"bellman/home/{jar.name}",
            **{str(root / file): f"bellman/home/{file}" for file in files},
        }
