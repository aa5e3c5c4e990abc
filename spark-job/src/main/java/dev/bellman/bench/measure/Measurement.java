package dev.bellman.bench.measure;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * A measurement of one function, with one strategy, on one dataset. Times are in seconds, for all {@code instances}.
 *
 * @param dataset the name of the data, such as {@code dna-150}
 * @param engine {@code cpu-1} if one thread makes the calls, {@code cpu-8} if each call uses eight threads, {@code gpu}
 *     for one GPU
 * @param instances the number of measured rows
 * @param cells the total number of cells in the tables of these rows
 * @param kernelSeconds the median time of the GPU kernels, measured with CUDA events, or of the calls on a CPU
 * @param hostSeconds the time from when the arguments are in host memory until the results are in host memory
 * @param endToEnd the time of the Spark query from Parquet to Parquet on all cores, not counting a first run
 * @param paperSeconds the time that the reproduced paper reports for this many instances, with the same strategy if the
 *     paper reports it; otherwise, with the strategy that the suite chooses for comparison
 * @param ratios the speed relative to each named baseline of the same run, where more than 1 means faster;
 *     {@code ceiling} is the fraction of the hardware's limit
 */
public record Measurement(
        String dataset,
        String function,
        String strategy,
        String engine,
        long instances,
        long cells,
        double kernelSeconds,
        OptionalDouble hostSeconds,
        Optional<EndToEnd> endToEnd,
        OptionalDouble paperSeconds,
        Map<String, Double> ratios) {

    /** The time of a query that reads this many rows and writes its results. */
    public record EndToEnd(long instances, double seconds) {
        double rate() {
            return instances / seconds;
        }
    }

    public Measurement {
        ratios = new TreeMap<>(ratios);
    }

    /** Creates a measurement that contains only the kernel time. */
    public Measurement(
            String dataset,
            String function,
            String strategy,
            String engine,
            long instances,
            long cells,
            double kernelSeconds) {
        this(
                dataset,
                function,
                strategy,
                engine,
                instances,
                cells,
                kernelSeconds,
                OptionalDouble.empty(),
                Optional.empty(),
                OptionalDouble.empty(),
                Map.of());
    }

    public Measurement withTimes(OptionalDouble host, Optional<EndToEnd> query) {
        return new Measurement(
                dataset,
                function,
                strategy,
                engine,
                instances,
                cells,
                kernelSeconds,
                host,
                query,
                paperSeconds,
                ratios);
    }

    public Measurement comparedWith(OptionalDouble paper, Map<String, Double> others) {
        return new Measurement(
                dataset,
                function,
                strategy,
                engine,
                instances,
                cells,
                kernelSeconds,
                hostSeconds,
                endToEnd,
                paper,
                others);
    }

    /** Returns the JSON form that the suites write, which omits times that were not measured. */
    @JsonValue
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("dataset", dataset);
        json.put("function", function);
        json.put("strategy", strategy);
        json.put("engine", engine);
        json.put("instances", instances);
        json.put("cells", cells);
        json.put("kernelSeconds", kernelSeconds);
        hostSeconds.ifPresent(seconds -> json.put("hostSeconds", seconds));
        endToEnd.ifPresent(query -> {
            json.put("endToEndSeconds", query.seconds());
            json.put("endToEndInstances", query.instances());
        });
        paperSeconds.ifPresent(seconds -> json.put("paperSeconds", seconds));
        json.put("ratios", ratios);
        return json;
    }

    /** Returns the kernel time per instance in milliseconds. */
    public double milliseconds() {
        return kernelSeconds * 1e3 / instances;
    }

    /** Returns the paper's time per instance in milliseconds. */
    public OptionalDouble paperMilliseconds() {
        return Optionals.times(paperSeconds, 1e3 / instances);
    }

    /** Returns the speedup over the paper. */
    public OptionalDouble paperRatio() {
        return Optionals.times(paperMilliseconds(), 1 / milliseconds());
    }

    /** Returns how many instances per second the kernels solve. */
    double instancesPerSecond() {
        return instances / kernelSeconds;
    }

    /** Returns how many cells per second the kernels compute. */
    double cellsPerSecond() {
        return cells / kernelSeconds;
    }
}
