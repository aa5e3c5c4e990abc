package dev.bellman.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What was measured for one function with one strategy on one dataset. Times are seconds for all {@code instances}; a time
 * that an engine does not have is absent.
 *
 * @param dataset what the data are, {@code dna-150}
 * @param engine {@code cpu-1} is one thread calling the function, {@code cpu-8} a call on eight, {@code gpu} one GPU
 * @param instances rows measured
 * @param cells cells of their tables
 * @param kernelSeconds on a GPU the time of the kernels by CUDA events, on a CPU of the calls; the median of the repetitions
 * @param hostSeconds from arguments in host memory to results in host memory
 * @param endToEndSeconds Spark, Parquet to Parquet on all cores, after a first run
 * @param endToEndInstances rows of the end-to-end run
 * @param paperSeconds what the paper that the suite reproduces has for so many instances: where it has the strategy, of that one, else of
 *     the one that the suite compares with; absent where it has none
 * @param ratios to named baselines of the same run, above 1 is faster; {@code ceiling} is the share of the hardware's limit
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Measurement(
        String dataset,
        String function,
        String strategy,
        String engine,
        long instances,
        long cells,
        Double kernelSeconds,
        Double hostSeconds,
        Double endToEndSeconds,
        Long endToEndInstances,
        Double paperSeconds,
        Map<String, Double> ratios) {

    public Measurement {
        ratios = new TreeMap<>(ratios);
    }

    /** Milliseconds of the kernels for an instance. */
    double milliseconds() {
        return kernelSeconds * 1e3 / instances;
    }

    /** The paper's milliseconds for an instance; empty where it has none. */
    Optional<Double> paperMilliseconds() {
        return Optional.ofNullable(paperSeconds).map(seconds -> seconds * 1e3 / instances);
    }

    /** Million instances a second of kernel time. */
    double millionInstancesPerSecond() {
        return instances / kernelSeconds / 1e6;
    }

    /** Tera cell updates a second of kernel time. */
    double tcups() {
        return cells / kernelSeconds / 1e12;
    }
}
