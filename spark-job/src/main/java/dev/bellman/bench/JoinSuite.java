package dev.bellman.bench;

import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Strategies;
import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.Table;
import dev.bellman.function.BellmanExtensions;
import dev.bellman.join.JoinPlan;
import dev.bellman.plan.SimilarStringsExec;
import dev.bellman.plan.SimilarityJoin;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Benchmarks joins of a set of strings: all pairs within k edits or with a similarity of at least k, or each string's
 * closest entry in a whitelist. Measures the time from reading Parquet to counting the pairs, and reports the search's
 * counters. On a smaller set, also measures the cross product, which must find the same number of pairs.
 */
@Command(name = "join", description = "Joins on string similarity.", mixinStandardHelpOptions = true)
final class JoinSuite implements Runnable {
    /** The number of strings in the cross product, which compares about 10^7 pairs per second. */
    private static final int CROSS_STRINGS = 3_000;

    /** The suffix of the folder that contains the true strings. */
    private static final String TRUE = "-true";

    /** The kinds of strings. Each true string occurs several times, with errors. */
    enum Kind {
        /** Barcodes of 20 nucleotides, with an error rate of 1 in 100. */
        BARCODES(0.01, "ACGT", 4) {
            @Override
            String make(SplittableRandom random) {
                return letters(random, alphabet, 20);
            }
        },
        /** First and last names composed of syllables. */
        NAMES(0.02, "abcdefghijklmnopqrstuvwxyz", 4) {
            @Override
            String make(SplittableRandom random) {
                return syllables(random, 2 + random.nextInt(2)) + ' ' + syllables(random, 2 + random.nextInt(4));
            }
        },
        /** T cell receptors: 12 to 18 amino acids, including the conserved ends. */
        RECEPTORS(0.03, "ACDEFGHIKLMNPQRSTVWY", 4) {
            @Override
            String make(SplittableRandom random) {
                return "CASS" + letters(random, alphabet, 7 + random.nextInt(7)) + 'F';
            }
        },
        /** Titles of 6 to 12 words. */
        TITLES(0.01, "abcdefghijklmnopqrstuvwxyz", 4) {
            @Override
            String make(SplittableRandom random) {
                StringBuilder title = new StringBuilder(syllables(random, 2));
                for (int words = 5 + random.nextInt(7); words > 0; words--) {
                    title.append(' ').append(syllables(random, 1 + random.nextInt(4)));
                }
                return title.toString();
            }
        },
        /**
         * Reads of 16-nucleotide cell barcodes, and a whitelist of the barcodes that exist. The join finds the
         * whitelist's closest barcode for each read.
         */
        WHITELIST(0.01, "ACGT", 15) {
            @Override
            String make(SplittableRandom random) {
                return letters(random, alphabet, 16);
            }
        };

        final double errors;
        final String alphabet;
        final int copies;

        Kind(double errors, String alphabet, int copies) {
            this.errors = errors;
            this.alphabet = alphabet;
            this.copies = copies;
        }

        abstract String make(SplittableRandom random);

        private static String letters(SplittableRandom random, String alphabet, int count) {
            StringBuilder letters = new StringBuilder();
            for (int i = 0; i < count; i++) {
                letters.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            return letters.toString();
        }

        private static String syllables(SplittableRandom random, int count) {
            StringBuilder syllables = new StringBuilder();
            for (int i = 0; i < count; i++) {
                syllables
                        .append("bdfghklmnprstvz".charAt(random.nextInt(15)))
                        .append("aeiou".charAt(random.nextInt(5)));
                if (random.nextInt(3) == 0) {
                    syllables.append("lnrst".charAt(random.nextInt(5)));
                }
            }
            return syllables.toString();
        }

        String right(long seed, long number) {
            return make(new SplittableRandom(seed * 1_000_003 + number));
        }

        /** Returns string {@code number}. The same seed and number always give the same string. */
        String string(long seed, long number) {
            String right = right(seed, number / copies);
            SplittableRandom random = new SplittableRandom(~seed * 1_000_003 + number);
            StringBuilder read = new StringBuilder();
            for (char letter : right.toCharArray()) {
                char other = alphabet.charAt(random.nextInt(alphabet.length()));
                if (random.nextDouble() >= errors) {
                    read.append(letter);
                } else {
                    switch (random.nextInt(4)) {
                        case 0 -> read.append(letter).append(other);
                        case 1 -> {}
                        default -> read.append(other);
                    }
                }
            }
            return read.toString();
        }
    }

    /** A join's time, the counts that its plan node reports, and its estimated speedup over the cross product. */
    record JoinMeasurement(
            String dataset,
            double k,
            long rows,
            String plan,
            long strings,
            long keys,
            long candidates,
            long verified,
            long pairs,
            double seconds,
            double crossProductRatio) {}

    @Mixin
    private Bench bench;

    @Option(
            names = "--datasets",
            split = ",",
            defaultValue = "BARCODES,NAMES,RECEPTORS,TITLES",
            paramLabel = "NAME",
            description = "kinds of strings (default: barcodes, names, receptors and titles); for whitelist, finds the "
                    + "closest string in a smaller set for each string")
    private List<Kind> kinds;

    @Option(
            names = "--max",
            split = ",",
            defaultValue = "1,2",
            paramLabel = "K",
            description = "maximum distances, or minimum similarities (default: ${DEFAULT-VALUE})")
    private List<Double> max;

    @Option(
            names = "--function",
            defaultValue = "edit_distance",
            paramLabel = "NAME",
            description = "measure: edit_distance, jaro_winkler_similarity, jaro_similarity or ratio (default: "
                    + "${DEFAULT-VALUE})")
    private String function;

    @Override
    public void run() {
        Bench.inRange("--max", max, 0, 100);
        useExtensions();
        SparkSession spark = bench.open();
        Table table = bench.table()
                .text("dataset", 10)
                .text("k", 5)
                .number("rows", 13, 0)
                .number("strings", 13, 0)
                .number("keys", 15, 0)
                .number("candidates", 13, 0)
                .number("verified", 13, 0)
                .number("pairs", 13, 0)
                .number("seconds", 9, 2)
                .number("times faster", 13, 0)
                .text(" method", 1);
        for (Kind kind : bench.isQuick() ? kinds.subList(0, 1) : kinds) {
            long count = bench.count(1_000_000, 1, 1_000_000);
            String name = kind.name().toLowerCase(Locale.ROOT);
            String folder = write(spark, kind, name, count);
            String few = write(spark, kind, name + "-few", CROSS_STRINGS);
            for (String k : max.stream().map(JoinSuite::number).toList()) {
                if (bench.isEnough()) {
                    continue;
                }
                JoinMeasurement measured = measure(spark, kind, folder, few, name, k);
                bench.add(measured);
                table.row(
                        name,
                        k,
                        measured.rows(),
                        measured.strings(),
                        measured.keys(),
                        measured.candidates(),
                        measured.verified(),
                        measured.pairs(),
                        measured.seconds(),
                        measured.crossProductRatio(),
                        " " + measured.plan());
            }
        }
        bench.close();
    }

    /** Adds the extension that plans joins to the settings of a session that will be opened later. */
    static void useExtensions() {
        // a new session reads its settings from the system properties
        System.setProperty(
                BellmanExtensions.KEY, BellmanExtensions.among(new SparkConf().get(BellmanExtensions.KEY, "")));
    }

    /** Writes the strings and, for a whitelist, the true strings to an adjacent folder; returns the strings' folder. */
    private String write(SparkSession spark, Kind kind, String name, long count) {
        String folder = bench.folder(name);
        long seed = bench.seed();
        write(spark, count, id -> kind.string(seed, id), folder);
        if (kind == Kind.WHITELIST) {
            write(spark, (count + kind.copies - 1) / kind.copies, id -> kind.right(seed, id), folder + TRUE);
        }
        return folder;
    }

    private static void write(SparkSession spark, long count, MapFunction<Long, String> string, String folder) {
        spark.range(count)
                .map(
                        (MapFunction<Long, scala.Tuple2<Long, String>>) id -> new scala.Tuple2<>(id, string.call(id)),
                        Encoders.tuple(Encoders.LONG(), Encoders.STRING()))
                .toDF("id", "s")
                .write()
                .mode("overwrite")
                .parquet(folder);
    }

    private JoinMeasurement measure(SparkSession spark, Kind kind, String folder, String few, String name, String k) {
        // first measure the cross product; then find the same pairs with the join, in a run that also serves as a
        // warm-up
        spark.conf().set(SimilarityJoin.ENABLED, "false");
        Timed cross = join(spark, kind, few, k);
        spark.conf().set(SimilarityJoin.ENABLED, "true");
        Timed same = join(spark, kind, few, k);
        if (cross.pairs() != same.pairs()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_CHECK_FAILED,
                    "%s, k = %s: the cross product returns %,d pairs, but the join returns %,d"
                            .formatted(name, k, cross.pairs(), same.pairs()));
        }
        Timed timed = join(spark, kind, folder, k);
        long rows = spark.read().parquet(folder).count();
        double crossSeconds = cross.seconds() * ((double) rows / CROSS_STRINGS) * ((double) rows / CROSS_STRINGS);
        SimilarStringsExec node = timed.node().orElseThrow();
        return new JoinMeasurement(
                name,
                Double.parseDouble(k),
                rows,
                node.decided().map(JoinSuite::describe).orElseThrow(),
                value(node, "strings"),
                value(node, "keys"),
                value(node, "candidates"),
                value(node, "verified"),
                timed.pairs(),
                timed.seconds(),
                crossSeconds / timed.seconds());
    }

    private String condition(String k) {
        return "%s(a.s, b.s) %s %s".formatted(function, isSimilarity() ? ">=" : "<=", k);
    }

    private boolean isSimilarity() {
        return function.endsWith("_similarity") || function.equals("ratio");
    }

    private static String number(double k) {
        return BigDecimal.valueOf(k).stripTrailingZeros().toPlainString();
    }

    private record Timed(double seconds, long pairs, Optional<SimilarStringsExec> node) {}

    /**
     * Measures how long it takes to count the close pairs of a folder's strings, or its strings that have a close entry
     * in the whitelist.
     */
    private Timed join(SparkSession spark, Kind kind, String folder, String k) {
        Dataset<Row> strings = spark.read().parquet(folder);
        Dataset<Row> found = kind == Kind.WHITELIST
                ? strings.as("a")
                        .join(spark.read().parquet(folder + TRUE).as("b"), expr(condition(k)))
                        .withColumn(
                                "place",
                                expr("row_number() OVER (PARTITION BY a.id ORDER BY %s(a.s, b.s) %s, b.id)"
                                        .formatted(function, isSimilarity() ? "DESC" : "ASC")))
                        .where("place = 1")
                : strings.as("a").join(strings.as("b"), expr("a.id < b.id AND " + condition(k)));
        Dataset<Row> pairs = found.agg(count(lit(1)));
        long start = System.nanoTime();
        // first() would plan a second query, and the counts would be in the plan of that query
        long counted = pairs.collectAsList().get(0).getLong(0);
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Timed(
                seconds,
                counted,
                nodes(pairs.queryExecution().executedPlan())
                        .filter(SimilarStringsExec.class::isInstance)
                        .map(SimilarStringsExec.class::cast)
                        .findFirst());
    }

    private static String describe(JoinPlan plan) {
        return Strategies.name(plan.method()) + (plan.onGpu() ? " on the GPU" : "");
    }

    private static long value(SimilarStringsExec node, String metric) {
        return node.metrics().apply(metric).value();
    }

    private static Stream<SparkPlan> nodes(SparkPlan plan) {
        Stream<SparkPlan> below = plan instanceof AdaptiveSparkPlanExec adaptive
                ? Stream.of(adaptive.executedPlan())
                : plan instanceof QueryStageExec stage
                        ? Stream.of(stage.plan())
                        : CollectionConverters.asJava(plan.children()).stream();
        return Stream.concat(Stream.of(plan), below.flatMap(JoinSuite::nodes));
    }
}
