package dev.bellman.bench;

import dev.bellman.bench.measure.Baselines;
import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.BenchmarkData;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.job.run.GpuCeiling;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Benchmarks a hidden Markov model on sequences of random symbols, the pair hidden Markov model on reads of random
 * haplotypes, knapsack functions on random items, tours with random distances, and join ordering on random join trees.
 */
@Command(
        name = "models",
        description = "Hidden Markov models, knapsacks, tours and join orders.",
        mixinStandardHelpOptions = true)
final class ModelsSuite implements Runnable {
    /**
     * @param columns the columns of row {@code id}, as SQL expressions
     * @param cellsEach the number of cells per row. For Markov models, this is the number of steps times the number of
     *     transitions. For reads, it is the length of the read times the length of the haplotype. For knapsacks, it is
     *     the capacity times the number of items, groups of copies or classes. For tours, it is the square of the
     *     number of places times the number of sets of places other than the start. For join orders, it is the number
     *     of sets of relations.
     * @param most the maximum number of rows
     */
    private record Work(String function, String label, List<String> columns, long cellsEach, long most) {
        /**
         * The default maximum number of rows. {@code posterior} has fewer rows if its results would not fit in one
         * column.
         */
        private static final long ROWS = 100_000;

        private static final long MAX_NUMBERS = 1 << 30;

        Work(String function, String label, List<String> columns, long cellsEach) {
            this(function, label, columns, cellsEach, ROWS);
        }

        /** Creates work for the function {@code posterior}, whose result has one number per state and step. */
        static Work posterior(int states, int steps, int letters) {
            Work work = markov("posterior", states, steps, letters);
            long most = Math.min(ROWS, MAX_NUMBERS / states / steps);
            return new Work(work.function, work.label, work.columns, work.cellsEach, most);
        }

        static Work markov(String function, int states, int steps, int letters) {
            return new Work(
                    function,
                    "markov-" + states + "x" + steps,
                    List.of(
                            "array_repeat(1D, %d) AS start".formatted(states),
                            matrix(states, states) + " AS transitions",
                            matrix(states, letters) + " AS emissions",
                            "transform(sequence(1, %d), t -> CAST(pmod(xxhash64(id, t), %d) AS INT)) AS symbols"
                                    .formatted(steps, letters)),
                    (long) states * states * steps);
        }

        private static String matrix(int rows, int columns) {
            return ("transform(sequence(1, %d), i -> transform(sequence(1, %d), "
                            + "j -> CAST(1 + pmod(xxhash64(i, j), 1000) AS DOUBLE)))")
                    .formatted(rows, columns);
        }

        static Work reads(int bases, int haplotype) {
            return new Work(
                    "pair_hmm",
                    "reads-%dx%d".formatted(bases, haplotype),
                    List.of(
                            ("array_join(transform(sequence(1, %d), "
                                            + "j -> substr('ACGT', 1 + pmod(xxhash64(id, j), 4), 1)), '') AS haplotype")
                                    .formatted(haplotype),
                            "substr(haplotype, 1 + pmod(id, %d), %d) AS read".formatted(haplotype - bases, bases),
                            ("array_join(transform(sequence(1, %d), "
                                            + "j -> char(39 + pmod(xxhash64(id, -j), 35))), '') AS qualities")
                                    .formatted(bases)),
                    (long) bases * haplotype,
                    10 * ROWS);
        }

        static Work knapsack(String function, int items, int capacity) {
            return new Work(
                    function,
                    "items-%dx%d".formatted(items, capacity),
                    List.of(
                            numbers(items, 1, capacity / 10) + " AS weights",
                            numbers(items, 2, 1_000) + " AS values",
                            "CAST(%d AS BIGINT) AS capacity".formatted(capacity)),
                    (long) items * capacity);
        }

        /**
         * @param digits the number of binary digits in each item's count, which is also the number of groups into which
         *     the item's copies are split
         */
        static Work bounded(int items, int digits, int capacity) {
            return new Work(
                    "bounded_knapsack",
                    "copies-%dx%d".formatted(items, capacity),
                    List.of(
                            numbers(items, 1, capacity >> digits) + " AS weights",
                            numbers(items, 2, 1_000) + " AS values",
                            "array_repeat(%dL, %d) AS counts".formatted((1 << digits) - 1, items),
                            "CAST(%d AS BIGINT) AS capacity".formatted(capacity)),
                    (long) items * digits * capacity);
        }

        static Work choices(int classes, int options, int capacity) {
            String numbers = "transform(sequence(1, %d), c -> transform(sequence(1, %d), "
                    + "o -> pmod(xxhash64(id, c, o, %d), %d)))";
            return new Work(
                    "multiple_choice_knapsack",
                    "classes-%dx%dx%d".formatted(classes, options, capacity),
                    List.of(
                            numbers.formatted(classes, options, 1, capacity / classes * 4) + " AS weights",
                            numbers.formatted(classes, options, 2, 1_000) + " AS values",
                            "CAST(%d AS BIGINT) AS capacity".formatted(capacity)),
                    (long) classes * capacity);
        }

        static Work tours(int places) {
            return new Work(
                    "shortest_tour",
                    "tours-" + places,
                    List.of(("CAST(transform(sequence(1, %1$d), i -> transform(sequence(1, %1$d), j -> "
                                    + "1 + pmod(xxhash64(id, i, j), 100000))) AS ARRAY<ARRAY<DOUBLE>>) AS distances")
                            .formatted(places)),
                    (long) places * places << places - 1);
        }

        static Work joins(int relations) {
            return new Work(
                    "join_order",
                    "joins-" + relations,
                    List.of(
                            "CAST(%s AS ARRAY<DOUBLE>) AS cardinalities".formatted(numbers(relations, 1, 100_000)),
                            ("transform(sequence(1, %d), r -> named_struct('source', CAST(pmod(xxhash64(id, r), r) AS "
                                            + "INT), 'target', CAST(r AS INT), 'selectivity', 0.001D)) AS edges")
                                    .formatted(relations - 1)),
                    1L << relations);
        }

        private static String numbers(int count, int seed, int most) {
            return "transform(sequence(1, %d), k -> 1 + pmod(xxhash64(id, k, %d), %d))".formatted(count, seed, most);
        }
    }

    private static final List<Work> WORKS = List.of(
            Work.markov("viterbi", 8, 1_000, 4),
            Work.markov("viterbi", 64, 10_000, 4),
            Work.markov("forward", 8, 1_000, 4),
            Work.markov("forward", 64, 10_000, 4),
            Work.posterior(8, 1_000, 4),
            Work.posterior(64, 1_000, 4),
            Work.reads(150, 350),
            Work.knapsack("knapsack", 100, 10_000),
            Work.knapsack("subset_sum", 100, 10_000),
            Work.bounded(100, 3, 10_000),
            Work.choices(100, 8, 10_000),
            Work.tours(12),
            Work.joins(12));

    @Mixin
    private Bench bench;

    @Override
    public void run() {
        SparkSession spark = bench.open();
        for (Work work : WORKS) {
            if (bench.isEnough()) {
                break;
            }
            BellmanFunction<?> function = Bench.function(work.function());
            long cells = bench.gpu() ? 400_000_000_000L : 1_000_000_000L;
            Dataset<Row> rows = spark.range(0, bench.count(cells, work.cellsEach(), work.most()), 1, 16)
                    .selectExpr(work.columns().toArray(String[]::new));
            BenchmarkData data = BenchmarkData.write(
                    work.label(),
                    bench.folder(work.label() + "-" + work.function()),
                    rows,
                    function,
                    "CAST(%d AS BIGINT)".formatted(work.cellsEach()));
            double ceiling = bench.gpu() ? GpuCeiling.cells(work.function()) : 0;
            bench.measure(
                    data, function, "serial", Baselines.oneThread(Map.of()).withCeiling(ceiling));
        }
        bench.close();
    }
}
