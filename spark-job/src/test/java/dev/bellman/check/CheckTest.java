package dev.bellman.check;

import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.distance.EditDistance;
import dev.bellman.check.Comparison.Answers;
import dev.bellman.check.Lane.Engine;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import dev.bellman.function.Catalogue;
import dev.bellman.graph.ShortestPaths;
import dev.bellman.job.LocalSpark;
import dev.bellman.proof.Proofs;
import dev.bellman.proof.Values;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Checks that the checker finds the errors in functions that are deliberately incorrect, and finds none in the
 * catalogue's functions.
 */
class CheckTest {
    /**
     * Returns a function that is correct with the textbook strategy and incorrect with {@code auto}.
     * {@link PlantedProofs} contains its proof.
     */
    private static BellmanFunction<EditDistance.Strategy> planted(Fault fault) {
        return Entry.of("planted", new Problem<>("planted", EditDistance.Strategy.class, EditDistance.Strategy.SERIAL))
                .signature(
                        List.of(new Parameter("a", StringType), new Parameter("b", StringType)),
                        IntegerType,
                        (strategy, options, arguments) -> {
                            String a = arguments.string(0).toString();
                            String b = arguments.string(1).toString();
                            int distance = EditDistance.distance(a, b, EditDistance.Strategy.SERIAL);
                            return strategy == EditDistance.Strategy.AUTO ? distance + fault.error(a, b) : distance;
                        })
                .description("Returns a wrong edit distance.")
                .example("planted('kitten', 'sitting')", "3")
                .function();
    }

    /** How an incorrect distance differs from the correct one. */
    private interface Fault extends java.io.Serializable {
        int error(String a, String b);
    }

    private static String check(List<BellmanFunction<?>> functions, long count) {
        StringWriter out = new StringWriter();
        Check.Plan plan = new Check.Plan(functions, Set.of("auto"), "", EnumSet.of(Engine.CPU), 5, 600, count);
        try {
            CheckCommand.run(plan, LocalSpark.session(), new PrintWriter(out));
            return out.toString();
        } catch (BellmanException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.BELLMAN_CHECK_FAILED);
            assertThat(e).hasMessageContaining("the first in planted with auto on cpu");
            return out.toString();
        }
    }

    /** The result is off by one if {@code a} has exactly 33 characters, as in only a few instances. */
    @Test
    void findsAndShrinksAWrongAnswer() {
        String out = check(List.of(planted((a, b) -> a.length() == 33 ? 1 : 0)), 60_000);

        assertThat(out)
                .contains("difference: planted(a, b), auto on cpu")
                .contains("SET spark.bellman.planted.strategy=auto;\n  SELECT planted('" + "a".repeat(33) + "', '');\n")
                .contains("answer   34\n")
                .contains("expected 33 (serial on cpu)");
    }

    @Test
    void keepsWhatMatters() {
        String out = check(List.of(planted((a, b) -> a.contains("C") && b.endsWith("GT") ? -1 : 0)), 2_000);

        assertThat(out).contains("SELECT planted('C', 'GT');\n    answer   1\n    expected 2 (");
    }

    private static Sessions sessions(BellmanFunction<?>... functions) {
        return new Sessions(LocalSpark.session(), EnumSet.of(Engine.CPU, Engine.CPU_QUERY), List.of(functions));
    }

    /** Returns the lanes of a stream in one query. */
    private static <S extends Enum<S>> LaneSubject<S> query(
            BellmanFunction<S> function, int size, S reference, List<S> strategies) {
        return new LaneSubject<>(
                strategies.stream()
                        .map(strategy -> new Lane<>(
                                function,
                                0,
                                strategy,
                                Engine.CPU_QUERY,
                                Lane.Sizes.of(size),
                                new Lane.Reference<>(reference),
                                5))
                        .toList(),
                sessions(function));
    }

    /** If one of two strategies in a query is incorrect, the checker stops checking only this strategy. */
    @Test
    void comparesInAQuery() {
        BellmanFunction<EditDistance.Strategy> function = planted((a, b) -> a.length() == 3 ? 1 : 0);
        EditDistance.Strategy right = EditDistance.Strategy.SERIAL;
        LaneSubject<EditDistance.Strategy> subject =
                query(function, 14, right, List.of(EditDistance.Strategy.AUTO, right));

        List<Tally> tallies = subject.compare(0, 1_500);
        assertThat(tallies).hasSize(2).allSatisfy(tally -> assertThat(tally.instances())
                .isEqualTo(1_500));
        assertThat(tallies.get(0).differences()).isBetween(10L, 300L);
        assertThat(tallies.get(1).differences()).isZero();

        List<Finding> findings = subject.differences(tallies);
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).text())
                .contains("auto on cpu-query", "answer   4", "expected 3 (serial on cpu)")
                .containsPattern("SELECT planted\\('...', ''\\)");
        assertThat(subject.goesOn()).isTrue();
        List<Tally> others = subject.compare(1_500, 1_600);
        assertThat(others.get(0).instances()).isZero();
        assertThat(others.get(1).instances()).isEqualTo(100);
    }

    /**
     * The textbook, which solves some of the small instances, reveals a strategy that has the same error as its
     * reference.
     */
    @Test
    void comparesWithTheTextbookInAQuery() {
        EditDistance.Strategy wrong = EditDistance.Strategy.AUTO;
        LaneSubject<EditDistance.Strategy> subject = query(planted((a, b) -> 1), 12, wrong, List.of(wrong));

        List<Tally> tallies = subject.compare(0, 2_000);
        // the number depends on the measured times
        assertThat(tallies.get(0).textbook()).isBetween(1L, 2_000L);
        assertThat(subject.differences(tallies).get(0).text()).contains("SELECT planted(", "(the oracle)");
        assertThat(subject.goesOn()).isFalse();
    }

    /**
     * The faster of textbook and reference solves all instances. The slower one solves only a sample, which takes at
     * most a fifth of the time.
     */
    @Test
    void samplesTheSlowerOne() {
        for (boolean slowTextbook : new boolean[] {true, false}) {
            QueryComparison.Costs costs = new QueryComparison.Costs();
            costs.generate(2_000);
            costs.refer(slowTextbook ? 8_000 : 100_000);
            costs.lookUp(slowTextbook ? 100_000 : 8_000);
            QueryComparison.Sampling sampling = new QueryComparison.Sampling(true);
            sampling.adapt(costs);

            long references =
                    LongStream.range(0, 1_000).filter(sampling::takesReferences).count();
            long textbook =
                    LongStream.range(0, 1_000).filter(sampling::takesTextbook).count();
            assertThat(slowTextbook ? references : textbook).isEqualTo(1_000);
            // one in 40 instances would take a quarter of the time of all other work; 64 is the next power of two
            assertThat(slowTextbook ? textbook : references).isEqualTo(1_000 / 64 + 1);
            assertThat(LongStream.range(0, 1_000)
                            .filter(number -> sampling.takesReferences(number) && sampling.takesTextbook(number)))
                    .allMatch(QueryComparison.Sampling::isTimed);
        }
        QueryComparison.Sampling without = new QueryComparison.Sampling(false);
        assertThat(LongStream.range(0, 100)).allMatch(without::takesReferences).noneMatch(without::takesTextbook);
    }

    @Test
    void findsTheStrategyThatFails() {
        EditDistance.Strategy right = EditDistance.Strategy.SERIAL;
        LaneSubject<EditDistance.Strategy> subject = query(
                planted((a, b) -> {
                    if (a.length() == 3) {
                        throw new IllegalStateException("planted");
                    }
                    return 0;
                }),
                14,
                right,
                List.of(right, EditDistance.Strategy.AUTO));

        assertThatThrownBy(() -> subject.compare(0, 400)).hasMessageContaining("planted");
        assertThat(subject.failure(0, 400, new IllegalStateException("all")).text())
                .contains("auto on cpu-query", "answer   fails: ", "planted");
        assertThat(subject.goesOn()).isTrue();
        assertThat(subject.compare(0, 400).get(1).differences()).isZero();
    }

    /**
     * Instances that a strategy cannot solve are NULL for this strategy; other strategies solve them in the same query.
     */
    @Test
    void limitedStrategiesInAQuery() {
        BellmanFunction<ShortestPaths.Strategy> paths = function("shortest_paths");
        LaneSubject<ShortestPaths.Strategy> subject = query(
                paths,
                9,
                ShortestPaths.Strategy.AUTO,
                List.of(ShortestPaths.Strategy.AUTO, ShortestPaths.Strategy.DIJKSTRA));

        List<Tally> tallies = subject.compare(0, 600);
        assertThat(tallies).allSatisfy(tally -> assertThat(tally.differences()).isZero());
        assertThat(tallies.get(0).instances()).isEqualTo(600);
        assertThat(tallies.get(1).instances()).isBetween(50L, 550L);
        assertThat(tallies.get(1).nulls()).isLessThan(tallies.get(1).instances() / 2);
    }

    @SuppressWarnings("unchecked")
    private static <S extends Enum<S>> BellmanFunction<S> function(String name) {
        return (BellmanFunction<S>) Catalogue.functions().stream()
                .filter(function -> function.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Entries of arrays are compared bit for bit, regardless of the array's form. */
    @Test
    void comparesArraysExactly() {
        DataType doubles = DataTypes.createArrayType(DataTypes.DoubleType);
        DataType longs = DataTypes.createArrayType(DataTypes.LongType);
        DataType ints = DataTypes.createArrayType(DataTypes.IntegerType);
        DataType texts = DataTypes.createArrayType(DataTypes.StringType);
        UTF8String text = UTF8String.fromString("x");

        assertThat(Answers.equal(doubles, Values.array(0.5, Double.NaN), Values.arrayOf(0.5, -Double.NaN)))
                .isTrue();
        assertThat(Answers.equal(doubles, Values.array(0.0), Values.array(-0.0)))
                .isFalse();
        assertThat(Answers.equal(longs, Values.array(1L << 40), Values.arrayOf(1L << 40)))
                .isTrue();
        assertThat(Answers.equal(longs, Values.array(1L << 40), Values.array(0L)))
                .isFalse();
        assertThat(Answers.equal(ints, Values.array(7, 8), Values.arrayOf(7, 8)))
                .isTrue();
        assertThat(Answers.equal(ints, Values.array(7, 8), Values.array(7, 9))).isFalse();
        assertThat(Answers.equal(ints, Values.array(7, 0), Values.arrayOf(7, null)))
                .isFalse();
        assertThat(Answers.equal(texts, Values.arrayOf(text), Values.arrayOf(UTF8String.fromString("x"))))
                .isTrue();
        assertThat(Answers.equal(texts, Values.arrayOf(text), Values.arrayOf(UTF8String.fromString("y"))))
                .isFalse();
    }

    /** A query keeps the reference's results for a while, so later calls of the reference must not change them. */
    @Test
    void answersAreKept() {
        Sessions sessions = sessions(Catalogue.functions().toArray(BellmanFunction<?>[]::new));
        Catalogue.functions().forEach(function -> answersAreKept(function, sessions));
    }

    private static <S extends Enum<S>> void answersAreKept(BellmanFunction<S> function, Sessions sessions) {
        for (int index = 0; index < function.signatures().size(); index++) {
            Signature<S> signature = function.signatures().get(index);
            S auto = function.problem().strategyType().getEnumConstants()[0];
            Lane<S> lane = new Lane<>(
                    function,
                    index,
                    auto,
                    Engine.CPU,
                    Lane.Sizes.of(Proofs.of(signature).generator().small()),
                    new Lane.Reference<>(auto),
                    9);
            Solver solver = Comparison.reference(lane, sessions);
            List<Object> answers = new ArrayList<>();
            List<String> texts = new ArrayList<>();
            for (int number = 0; number < 4; number++) {
                answers.add(solver.solve(lane.stream().instance(number)));
                texts.add(SqlText.answer(signature.result(), answers.get(number)));
            }
            for (int number = 0; number < 4; number++) {
                assertThat(SqlText.answer(signature.result(), answers.get(number)))
                        .as(lane.call())
                        .isEqualTo(texts.get(number));
            }
        }
    }

    /** A check that covers only a GPU skips a function without a kernel, and reports this. */
    @Test
    void leavesOutWhatHasNoKernel() {
        BellmanFunction<?> planted = planted((a, b) -> 0);
        BellmanFunction<?> other = Catalogue.functions().get(0);
        StringWriter out = new StringWriter();

        assertThat(CheckCommand.withKernels(List.of(planted, other), new PrintWriter(out)))
                .containsExactly(other);
        assertThat(out).hasToString("planted runs only on the CPU; --engine gpu skips it\n");
        assertThatThrownBy(() -> CheckCommand.withKernels(List.of(planted), new PrintWriter(out)))
                .hasMessageContaining(
                        "[BELLMAN_USAGE] none of the functions to check has a GPU kernel that accepts columns for all "
                                + "arguments");
    }

    private static void checksAnotherWay(String way, int count, String... names) {
        List<BellmanFunction<?>> some = Catalogue.functions().stream()
                .filter(function -> List.of(names).contains(function.name()))
                .toList();
        StringWriter out = new StringWriter();
        Check.Plan plan = new Check.Plan(some, Set.of(way), "", EnumSet.of(Engine.CPU), 7, 120, count);
        Check check = new Check(plan, LocalSpark.session(), new PrintWriter(out));

        assertThat(check.run()).as(out.toString()).isEmpty();
        assertThat(some).hasSize(names.length).allSatisfy(function -> assertThat(check.instances(function))
                .isPositive());
    }

    @Test
    void checksJoins() {
        checksAnotherWay(JoinSubject.JOIN, 4, "edit_distance");
    }

    @Test
    void checksATableInTiles() {
        checksAnotherWay(TilesSubject.LARGE_TILES, 1, "matrix_chain");
    }

    @Test
    @Tag("thorough")
    void checksTablesInTiles() {
        checksAnotherWay(
                TilesSubject.LARGE_TILES,
                1,
                "shortest_paths",
                "linear_solve",
                "matrix_chain",
                "parenthesization",
                "gap_alignment");
    }

    @Test
    void findsAFailure() {
        String out = check(
                List.of(planted((a, b) -> {
                    if (b.length() == 11) {
                        throw new IllegalStateException("planted");
                    }
                    return 0;
                })),
                2_000);

        assertThat(out)
                .contains("SELECT planted('")
                .contains("answer   fails: ")
                .contains("planted");
    }

    /** Checks a few instances of five functions with the strategy {@code auto}. */
    @Test
    void findsNothingInTheCatalogue() {
        List<BellmanFunction<?>> some = Catalogue.functions().stream()
                .filter(function -> Set.of("edit_distance", "scs_all", "triangulation", "optimal_bst", "s_dp_weighted")
                        .contains(function.name()))
                .toList();
        StringWriter out = new StringWriter();
        Check.Plan plan =
                new Check.Plan(some, Set.of("auto"), "", EnumSet.of(Engine.CPU, Engine.CPU_QUERY), 6, 15, 100);
        Check check = new Check(plan, LocalSpark.session(), new PrintWriter(out));

        assertThat(check.run()).as(out.toString()).isEmpty();
        assertThat(some).hasSize(5).allSatisfy(function -> assertThat(check.instances(function))
                .isPositive());
    }

    @Test
    void comparesSomething() {
        List<BellmanFunction<?>> planted = List.of(planted((a, b) -> 0));
        Check.Plan noTime = new Check.Plan(planted, Set.of("auto"), "", EnumSet.of(Engine.CPU), 5, 0, 100);
        assertThatThrownBy(() -> CheckCommand.run(noTime, LocalSpark.session(), new PrintWriter(new StringWriter())))
                .hasMessageContaining("no instance was compared in 0 s; increase --minutes");
    }

    /** Without a suffix, a FLOAT in a shrunken instance would become a DECIMAL, and the call would be different. */
    @Test
    void literalsOfFloats() {
        assertThat(SqlText.literal(
                        DataTypes.createArrayType(DataTypes.FloatType), Values.array(0.1F, -1e-5F, Float.NaN)))
                .isEqualTo("array(0.1F, -1.0E-5F, float('NaN'))");
    }
}
