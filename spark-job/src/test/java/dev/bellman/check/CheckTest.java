package dev.bellman.check;

import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.distance.EditDistance;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.function.Catalogue;
import dev.bellman.job.LocalSpark;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The checker finds what is wrong in functions that are wrong on purpose, and finds nothing in the catalogue's. */
class CheckTest {
    /** Right with the textbook strategy, and wrong with {@code auto}. {@link PlantedProofs} has its proof. */
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

    /** How a distance is wrong. */
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
            assertThat(e).hasMessageContaining("the first in planted by auto on cpu");
            return out.toString();
        }
    }

    /** Off by one where {@code a} has exactly 33 characters: a class boundary, which few instances hit. */
    @Test
    void findsAndShrinksAWrongAnswer() {
        String out = check(List.of(planted((a, b) -> a.length() == 33 ? 1 : 0)), 60_000);

        assertThat(out)
                .contains("difference: planted(a, b), auto on cpu")
                .contains("SET spark.bellman.planted.strategy=auto;\n  SELECT planted('" + "a".repeat(33) + "', '');\n")
                .contains("answer   34\n")
                .contains("expected 33 (serial on cpu)");
    }

    /** Depends on both strings, and on their contents. */
    @Test
    void keepsWhatMatters() {
        String out = check(List.of(planted((a, b) -> a.contains("C") && b.endsWith("GT") ? -1 : 0)), 2_000);

        assertThat(out).contains("SELECT planted('C', 'GT');\n    answer   1\n    expected 2 (");
    }

    /** Two strategies in one query are not taken for one. */
    @Test
    void comparesInAQuery() {
        BellmanFunction<EditDistance.Strategy> function = planted((a, b) -> a.length() == 3 ? 1 : 0);
        Lane<EditDistance.Strategy> lane = new Lane<>(
                function,
                0,
                EditDistance.Strategy.SERIAL,
                Engine.CPU_QUERY,
                Lane.Sizes.of(12),
                new Lane.Reference<>(EditDistance.Strategy.AUTO, true),
                5);
        Sessions sessions =
                new Sessions(LocalSpark.session(), EnumSet.of(Engine.CPU, Engine.CPU_QUERY), List.of(function));
        Tally tally = Comparison.of(lane, sessions).compare(0, 500);
        assertThat(tally.instances()).isEqualTo(500);
        assertThat(tally.differences()).isBetween(10L, 200L);
    }

    /** A function without a kernel is left out where only a GPU is checked, and that is told. */
    @Test
    void leavesOutWhatHasNoKernel() {
        BellmanFunction<?> planted = planted((a, b) -> 0);
        BellmanFunction<?> other = Catalogue.functions().get(0);
        StringWriter out = new StringWriter();

        assertThat(CheckCommand.withKernels(List.of(planted, other), new PrintWriter(out)))
                .containsExactly(other);
        assertThat(out).hasToString("planted runs on the CPU alone; --engine gpu leaves it out\n");
        assertThatThrownBy(() -> CheckCommand.withKernels(List.of(planted), new PrintWriter(out)))
                .hasMessageContaining("[BELLMAN_USAGE] no function to check has a kernel; use --engine cpu");
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

    /** A few of every kind, with every strategy. Continuous integration checks all of them for a minute. */
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
                .hasMessageContaining("no instance was compared in 0 s; raise --minutes");
    }
}
