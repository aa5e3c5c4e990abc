"""Puts the application jar, the launcher and the settings of Spark into the wheel."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Jar(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return  # the package finds the files in the checkout
        root = Path(self.root).parents[1]
        # the launcher builds the jar if it is missing, older than its sources, or without the GPU side
        environment = {key: value for key, value in os.environ.items() if key != "BELLMAN_JAR"}
        environment["BELLMAN_GPU_SIDE"] = "true"
        subprocess.run([root / "submit" / "bellman", "--version"], check=True, stdout=subprocess.DEVNULL, env=environment)
        jars = list((root / "spark-job" / "target").glob("bellman-spark-*.jar"))
        [jar] = [jar for jar in jars if not jar.stem.endswith(("-bench", "-sources", "-javadoc", "-tests"))]
        files = [
            "submit/bellman",
            "submit/get-gpu-resources.sh",
            "submit/gpu-cluster.sh",
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
