package dev.bellman.bench.measure;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The figures to compare with the measurements on a dataset.
 *
 * @param endToEndRates rows per second of named alternatives from Parquet to Parquet on all cores, measured after the
 *     kernels of the same run
 * @param callRates rows per second of named alternatives on one thread, measured in the same run
 * @param cellsPerSecond the hardware's ceiling for a GPU kernel; 0 if unknown
 * @param paper a paper's milliseconds per instance by strategy; empty if it reports none
 */
public record Baselines(
        Supplier<Map<String, Double>> endToEndRates,
        Map<String, Double> callRates,
        double cellsPerSecond,
        Function<String, OptionalDouble> paper) {
    public Baselines(Supplier<Map<String, Double>> endToEndRates, double cellsPerSecond) {
        this(endToEndRates, Map.of(), cellsPerSecond, strategy -> OptionalDouble.empty());
    }

    /** Returns baselines for calls on a single thread. */
    public static Baselines oneThread(Map<String, Double> callRates) {
        return new Baselines(Map::of, callRates, 0, strategy -> OptionalDouble.empty());
    }

    public static Baselines paper(Function<String, OptionalDouble> milliseconds) {
        return new Baselines(Map::of, Map.of(), 0, milliseconds);
    }

    /** Returns a copy with a ceiling for a GPU kernel. */
    public Baselines withCeiling(double cells) {
        return new Baselines(endToEndRates, callRates, cells, paper);
    }

    public Measurement compare(Measurement measured) {
        Map<String, Double> ratios = new TreeMap<>();
        measured.endToEnd()
                .ifPresent(query ->
                        endToEndRates.get().forEach((name, baseline) -> ratios.put(name, query.rate() / baseline)));
        double callRate = measured.instances() / measured.kernelSeconds();
        callRates.forEach((name, baseline) -> ratios.put(name, callRate / baseline));
        if (cellsPerSecond > 0) {
            ratios.put("ceiling", measured.cells() / measured.kernelSeconds() / cellsPerSecond);
        }
        OptionalDouble milliseconds = paper.apply(measured.strategy());
        return measured.comparedWith(Optionals.times(milliseconds, measured.instances() / 1e3), ratios);
    }
}
