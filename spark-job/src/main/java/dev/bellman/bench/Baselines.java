package dev.bellman.bench;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What measurements of one dataset are compared with.
 *
 * @param endToEndRates rows a second of named alternatives, measured in the same run, Parquet to Parquet on all cores
 * @param cellsPerSecond the ceiling that the hardware sets to a GPU's kernel; 0 where none is stated
 * @param paper a paper's milliseconds for an instance by a strategy, empty where it has none
 */
record Baselines(Map<String, Double> endToEndRates, double cellsPerSecond, Function<String, Optional<Double>> paper) {
    Baselines(Map<String, Double> endToEndRates, double cellsPerSecond) {
        this(endToEndRates, cellsPerSecond, strategy -> Optional.empty());
    }

    static Baselines paper(Function<String, Optional<Double>> milliseconds) {
        return new Baselines(Map.of(), 0, milliseconds);
    }

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
                paper.apply(measured.strategy())
                        .map(milliseconds -> milliseconds * measured.instances() / 1e3)
                        .orElse(null),
                ratios);
    }
}
