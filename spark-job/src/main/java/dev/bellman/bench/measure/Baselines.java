package dev.bellman.bench.measure;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The figures with which the measurements on a dataset are compared.
 *
 * @param endToEndRates rows per second of each named alternative, from Parquet to Parquet on all cores, measured in the
 *     same run after the kernels
 * @param callRates rows per second of each named alternative on one thread, measured in the same run
 * @param cellsPerSecond the maximum rate of a GPU kernel that the hardware allows; 0 if unknown
 * @param paper the milliseconds per instance that a paper reports for each strategy; empty if it reports none
 */
public record Baselines(
        Supplier<Map<String, Double>> endToEndRates,
        Map<String, Double> callRates,
        double cellsPerSecond,
        Function<String, OptionalDouble> paper) {
    public Baselines(Supplier<Map<String, Double>> endToEndRates, double cellsPerSecond) {
        this(endToEndRates, Map.of(), cellsPerSecond, strategy -> OptionalDouble.empty());
    }

    /** Returns baselines for calls that run on a single thread. */
    public static Baselines oneThread(Map<String, Double> callRates) {
        return new Baselines(Map::of, callRates, 0, strategy -> OptionalDouble.empty());
    }

    public static Baselines paper(Function<String, OptionalDouble> milliseconds) {
        return new Baselines(Map::of, Map.of(), 0, milliseconds);
    }

    /** Returns a copy with a maximum rate for GPU kernels. */
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
