package dev.bellman.bench;

import dev.bellman.FunctionOptions;
import dev.bellman.Strategies;
import dev.bellman.bench.measure.Bench;
import dev.bellman.columns.SolverCall;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.generate.Alphabet;
import dev.bellman.generate.Divergence;
import dev.bellman.generate.Generator;
import dev.bellman.generate.Lengths;
import dev.bellman.generate.PairsSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.CatalystTypeConverters$;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;

/**
 * A call of a function on generated rows.
 *
 * @param rows the number of rows on a GPU
 * @param cpuRows the number of rows on CPUs
 * @param arguments the call's first arguments, as SQL expressions of the columns of {@code source}; the data has a
 *     column for each of them
 * @param constants the call's other arguments, which are constant; on a GPU, the kernels are created for these values
 */
record FunctionCase(
        String function,
        String label,
        long rows,
        long cpuRows,
        Source source,
        List<String> arguments,
        List<String> constants) {
    /** Generates rows with a column {@code id}, which counts from 0, and other columns. */
    @FunctionalInterface
    interface Source {
        Dataset<Row> rows(SparkSession spark, long count, long seed);
    }

    private static final int PARTITIONS = 16;

    /** A number from -1 to 1 that depends on the row and the position {@code i}. */
    private static final String NUMBER = "xxhash64(id, i) / 9.223372036854775807E18D";

    private static final String EXTENSION = "'match 2 mismatch -4 open 4 extend 2 open2 24 extend2 1'";

    /** A read of {@code a} in which one base in 20 is deleted, replaced or followed by an insertion. */
    private static final String READ = "array_join(transform(split(a, ''), (base, i) -> CASE "
            + "pmod(xxhash64(id, read, i), 60) WHEN 0 THEN '' WHEN 1 THEN 'C' WHEN 2 THEN base || 'A' ELSE base END), "
            + "'')";

    private static final String WORDS = words(10_000);

    static final List<FunctionCase> ALL = List.of(
            of("edit_distance_infix_all", "dna-100-1000", 300_000, 40_000)
                    .from(nucleotides(1_000, 0.05))
                    .on("substr(a, 451, 100)", "b", "10"),
            of("word_errors", "words-30", 500_000, 400_000)
                    .from(columns(array(30, "concat('word', " + below(1_000) + ")") + " AS a"))
                    .on("a", "transform(a, (word, i) -> IF(" + below(10) + " = 0, 'other', word))"),
            of("pair_hmm", "dna-150-350", 300_000, 15_000)
                    .from(nucleotides(350, 0.01))
                    .on("substr(b, 101, 150)", "translate(substr(b, 101, 150), 'ACGT', '5?:D')", "a"),
            of("alignment_score", "extension-10000", 8_000, 256)
                    .from(nucleotides(10_000, 0.1))
                    .on("a", "b", "'extension'", EXTENSION, "0", "500", "400"),
            of("alignment", "extension-10000", 8_000, 128)
                    .from(nucleotides(10_000, 0.1))
                    .on("a", "b", "'extension'", EXTENSION, "0", "500", "400"),
            of("rna_cofold", "rna-22-100", 100_000, 1_200)
                    .from(nucleotides(100, 1))
                    .on("substr(a, 1, 22)", "b"),
            of("rna_duplex", "rna-22-100", 1_000_000, 40_000)
                    .from(nucleotides(100, 1))
                    .on("substr(a, 1, 22)", "b"),
            of("rna_eval", "rna-116", 100_000, 20_000).from(nucleotides(116, 1)).on("a", "rna_fold(a).structure"),
            of("rna_fold_windows", "rna-1000", 20_000, 200)
                    .from(nucleotides(1_000, 1))
                    .on("a", "200", "50"),
            of("rna_ensemble", "rna-116", 16_384, 2_000)
                    .from(nucleotides(116, 1))
                    .on("a"),
            of("mea_structure", "rna-116", 16_384, 2_000)
                    .from(nucleotides(116, 1))
                    .on("a", "1"),
            of("profile_score", "nodes-128", 100_000, 4_000)
                    .from(letters("protein", 350, 1))
                    .on("a")
                    .with(profile(128)),
            of("cyk", "tokens-32", 10_000, 100)
                    .on(array(32, "concat('w', " + below(500) + ")"))
                    .with(grammar(10_000)),
            of("line_diff", "lines-100", 50_000, 30_000)
                    .from(columns(array(100, "md5(concat(id, ' ', i))") + " AS a"))
                    .on(
                            "array_join(a, '\n')",
                            "array_join(transform(a, (line, i) -> IF(" + below(10) + " = 0, 'other', line)), '\n')"),
            of("tree_edit_distance", "nodes-30", 100_000, 25_000).on(tree(30, 1), tree(30, 2)),
            of("consensus", "dna-20x300", 10_000, 600)
                    .from(nucleotides(300, 0))
                    .on("transform(sequence(1, 20), read -> " + READ + ")"),
            of("change_points", "l2-1000", 50_000, 20_000).on(steps(1_000, 167), "21D"),
            of("change_points", "normal-1000", 50_000, 5_000).on(steps(1_000, 167), "21D", "'normal'"),
            of("piecewise_linear", "values-100", 100_000, 40_000).on(steps(100, 25), "3D"),
            of("isotonic", "values-100", 300_000, 80_000).on(steps(100, 25)),
            of("optimal_bins", "values-100", 100_000, 40_000).on(array(100, NUMBER), "5"),
            of("hmm_fit", "symbols-20x100", 10_000, 1_400).on(array(20, array("j", 100, below("id, i, j", 4))), "4"),
            of("ctc_align", "frames-500x32", 4_000, 3_000)
                    .on(array(500, array("j", 32, "-5 - xxhash64(id, i, j) / 2E18D")), array(100, "1 + i % 31")),
            of("ctc_score", "frames-500x32", 4_000, 1_000)
                    .on(array(500, array("j", 32, "-5 - xxhash64(id, i, j) / 2E18D")), array(100, "1 + i % 31")),
            of("shortest_tour", "places-12", 100_000, 20_000).on(array(12, array("j", 12, below("id, i, j", 100_000)))),
            of("weighted_schedule", "intervals-200", 100_000, 40_000)
                    .from(columns(array(200, below(10_000)) + " AS starts"))
                    .on(
                            "starts",
                            "transform(starts, (start, i) -> start + 1 + " + below(200) + ")",
                            array(200, below(1_000))),
            of("lot_sizes", "periods-365", 100_000, 50_000).on(array(365, below(100)), "500", "1"),
            of("longest_increasing", "values-100", 300_000, 300_000).on(array(100, "xxhash64(id, i)")),
            of("maximum_subarray", "values-100", 500_000, 500_000).on(array(100, "xxhash64(id, i) >> 20")),
            of("word_break", "letters-24", 500_000, 200_000)
                    .from(columns(array(4, "element_at(" + WORDS + ", 1 + " + below(10_000) + ")") + " AS words"))
                    .on("array_join(words, '')")
                    .with(WORDS),
            of("knapsack", "items-100x10000", 10_000, 4_000)
                    .on(array(100, "1 + " + below(1_000)), array(100, "100 + " + NUMBER), "10000"),
            of("linear_least_squares", "rows-100x3", 100_000, 40_000)
                    .on(array(100, "array(1D, CAST(i AS DOUBLE), " + NUMBER + ")"), array(100, "i + " + NUMBER)),
            of("linear_solve", "equations-32", 50_000, 40_000)
                    .on(array(32, array("j", 32, "xxhash64(id, i, j) / 1E18D")), array(32, NUMBER), "true"));

    private static FunctionCase of(String function, String label, long rows, long cpuRows) {
        return new FunctionCase(function, label, rows, cpuRows, columns(), List.of(), List.of());
    }

    private FunctionCase from(Source other) {
        return new FunctionCase(function, label, rows, cpuRows, other, arguments, constants);
    }

    private FunctionCase on(String... columns) {
        return new FunctionCase(function, label, rows, cpuRows, source, List.of(columns), constants);
    }

    private FunctionCase with(String... values) {
        return new FunctionCase(function, label, rows, cpuRows, source, arguments, List.of(values));
    }

    /** Returns rows with a sequence {@code a} and a copy {@code b} in which nucleotides are edited at this rate. */
    private static Source nucleotides(int length, double rate) {
        return letters("dna", length, rate);
    }

    private static Source letters(String alphabet, int length, double rate) {
        return (spark, count, seed) -> Generator.pairs(
                spark,
                new PairsSpec(
                        count,
                        Lengths.fixed(length),
                        Alphabet.of(alphabet),
                        Divergence.ofRate(rate),
                        seed,
                        PARTITIONS));
    }

    private static Source columns(String... expressions) {
        String[] all = Stream.concat(Stream.of("id"), Stream.of(expressions)).toArray(String[]::new);
        return (spark, count, seed) -> spark.range(0, count, 1, PARTITIONS).selectExpr(all);
    }

    private static String array(int size, String element) {
        return array("i", size, element);
    }

    /** Returns an array whose elements depend on their position, which is counted from 1. */
    private static String array(String position, int size, String element) {
        return "transform(sequence(1, %d), %s -> %s)".formatted(size, position, element);
    }

    private static String below(int limit) {
        return below("id, i", limit);
    }

    /** Returns an integer from 0 to {@code limit - 1} that depends on the given values. */
    private static String below(String values, int limit) {
        return "CAST(pmod(xxhash64(%s), %d) AS INT)".formatted(values, limit);
    }

    /** Returns a noisy series whose mean changes at regular distances. */
    private static String steps(int size, int distance) {
        return array(size, "3 * " + below("id, i div " + distance, 5) + " + 1.7D * " + NUMBER);
    }

    /** Returns a random tree in bracket notation. Before each node, up to two open nodes are closed. */
    private static String tree(int nodes, int seed) {
        String closed = "least(tree.open - 1, " + below("id, i, " + seed, 3) + ")";
        return ("aggregate(sequence(2, %1$d), named_struct('text', '{0', 'open', 1), (tree, i) -> named_struct("
                        + "'text', tree.text || repeat('}', %2$s) || '{' || %3$s, 'open', tree.open - %2$s + 1), "
                        + "tree -> tree.text || repeat('}', tree.open))")
                .formatted(nodes, closed, below("id, i, 0, " + seed, 5));
    }

    /** Returns an array of distinct words of four to eight letters. */
    private static String words(int count) {
        Random random = new Random(1);
        return Stream.generate(() -> random.ints(4 + random.nextInt(5), 'a', 'z' + 1)
                        .mapToObj(Character::toString)
                        .collect(Collectors.joining()))
                .distinct()
                .limit(count)
                .collect(Collectors.joining(" ", "split('", "', ' ')"));
    }

    /** Returns a HMMER3 profile whose match states prefer different residues. */
    private static String profile(int nodes) {
        Random random = new Random(1);
        String background = "2.99573 ".repeat(20).strip();
        String inside = "0.020 4.605 4.605 0.619 0.774 0.481 0.966";
        String last = "0.010 4.605 * 0.619 0.774 0 *";
        StringBuilder profile = new StringBuilder("HMMER3/f\nLENG " + nodes + "\nALPH amino\n"
                + "HMM A C D E F G H I K L M N P Q R S T V W Y\nm->m m->i m->d i->m i->i d->m d->d\n"
                + background + "\n0.020 4.605 4.605 0.619 0.774 0 *\n");
        for (int node = 1; node <= nodes; node++) {
            double[] weights = random.doubles(20, 0.01, 1).toArray();
            double sum = DoubleStream.of(weights).sum();
            String residues = DoubleStream.of(weights)
                    .mapToObj(weight -> "%.5f".formatted(-Math.log(weight / sum)))
                    .collect(Collectors.joining(" "));
            profile.append("%d %s\n%s\n%s\n".formatted(node, residues, background, node < nodes ? inside : last));
        }
        return "'" + profile + "//\n'";
    }

    /** Returns a grammar of 100 symbols that derives all sentences of 500 words. */
    private static String grammar(int rules) {
        Random random = new Random(1);
        Stream<String> words = IntStream.range(0, 500)
                .mapToObj(word -> "S -> 'w%1$d' [0.1]; N%2$d -> 'w%1$d' [0.1]".formatted(word, word % 99));
        Stream<String> sentences = IntStream.range(0, 99).mapToObj("S -> S N%d [0.1]"::formatted);
        Stream<String> others = random.ints(rules - 1_099, 0, 99).mapToObj(symbol -> "N%d -> N%d N%d [%.4f]"
                .formatted(symbol, random.nextInt(99), random.nextInt(99), 0.1 + random.nextDouble()));
        return Stream.of(words, sentences, others).flatMap(each -> each).collect(Collectors.joining("; ", "\"", "\""));
    }

    /** Generates the first rows, with the columns {@code id} and {@link #names}. */
    Dataset<Row> data(SparkSession spark, long count, long seed) {
        List<String> columns = new ArrayList<>(List.of("id"));
        IntStream.range(0, arguments.size()).forEach(i -> columns.add(arguments.get(i) + " AS " + names().get(i)));
        Dataset<Row> untyped = source.rows(spark, count, seed).selectExpr(columns.toArray(String[]::new));
        List<Parameter> parameters =
                signature(Bench.function(function), untyped).parameters();
        return untyped.selectExpr(Stream.concat(
                        Stream.of("id"), IntStream.range(0, arguments.size()).mapToObj(i -> "CAST(%1$s AS %2$s) AS %1$s"
                                .formatted(
                                        names().get(i), parameters.get(i).type().sql())))
                .toArray(String[]::new));
    }

    /** Returns the names of the columns with the arguments. */
    List<String> names() {
        return IntStream.range(0, arguments.size())
                .mapToObj(i -> "argument" + i)
                .toList();
    }

    /** Returns the call as an SQL expression of the columns. */
    String call() {
        return function + "("
                + String.join(
                        ", ",
                        Stream.concat(names().stream(), constants.stream()).toList()) + ")";
    }

    /** Returns the call with the strategy {@code auto}, in the form from which its kernels are created. */
    SolverCall solver(Dataset<Row> data) {
        return solver(Bench.function(function), data);
    }

    private <S extends Enum<S>> SolverCall solver(BellmanFunction<S> called, Dataset<Row> data) {
        S auto = Strategies.parse(called.problem().name(), called.problem().strategyType(), "auto");
        Signature<S> signature = signature(called, data);
        SolverCall call = signature.call(auto, FunctionOptions.DEFAULT);
        Row values = constants(data.sparkSession()).first();
        return constants.isEmpty()
                ? call
                : call.withConstants(IntStream.range(0, constants.size())
                        .mapToObj(i -> CatalystTypeConverters$.MODULE$
                                .createToCatalystConverter(call.type(arguments.size() + i))
                                .apply(values.get(i)))
                        .toList());
    }

    private <S extends Enum<S>> Signature<S> signature(BellmanFunction<S> called, Dataset<Row> data) {
        List<DataType> types = Stream.concat(
                        Stream.of(data.schema().fields()).skip(1),
                        Stream.of(constants(data.sparkSession()).schema().fields()))
                .map(StructField::dataType)
                .toList();
        return called.signature(types).orElseThrow();
    }

    private Dataset<Row> constants(SparkSession spark) {
        return spark.range(1).selectExpr(constants.toArray(String[]::new));
    }
}
