package dev.bellman.bench;

import java.util.Map;
import java.util.TreeMap;

/**
 * What measurements of one dataset are compared with.
 *
 * @param endToEndRates rows a second of named alternatives, measured in the same run, Parquet to Parquet on all cores
 * @param cellsPerSecond the ceiling that the hardware sets to a GPU's kernel; 0 where none is stated
 */
record Baselines(Map<String, Double> endToEndRates, double cellsPerSecond) {
    Measurement compare(Measurement measured) {
        Map<String, Double> ratios = new TreeMap<>();
        double rate = measured.endToEndInstances() / measured.endToEndSeconds();
        endToEndRates.forEach((name, baseline) -> ratios.put(name, rate / baseline));
        if (cellsPerSecond > 0) {
            ratios.put("ceiling", measured.cells() / measured.kernelSeconds() / cellsPerSecond);
        }
        return new Measurement(
                measured.dataset(),
                measured.function(),
                measured.strategy(),
                measured.engine(),
                measured.instances(),
                measured.cells(),
                measured.kernelSeconds(),
                measured.hostSeconds(),
                measured.endToEndSeconds(),
                measured.endToEndInstances(),
                ratios);
    }
}
