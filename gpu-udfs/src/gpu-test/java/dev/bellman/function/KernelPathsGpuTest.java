package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector.DataType;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;
import dev.bellman.FunctionOptions;
import dev.bellman.GpuTest;
import dev.bellman.Strategies;
import dev.bellman.columns.KernelFunction;
import dev.bellman.columns.Types;
import dev.bellman.cuda.KernelTimer;
import dev.bellman.entry.BellmanFunction;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks which kernels solve which instances, because an unreachable size class would otherwise go unnoticed. */
class KernelPathsGpuTest extends GpuTest {
    @ParameterizedTest
    @CsvSource({
        "edit_distance, ACGT,     20, 1000, edit_distance_nucleotides_1x1",
        "edit_distance, ACGT,    150, 1000, edit_distance_nucleotides_1x5",
        "edit_distance, ACGT,    500, 60000, edit_distance_nucleotides_1x16",
        "edit_distance, ACGT,   1000, 1000, edit_distance_nucleotides_4x8",
        "edit_distance, abcdefg, 150, 1000, edit_distance_ascii_1x5",
        "edit_distance, abcdefg, 900,  100, edit_distance_ascii_\\d+x\\d+",
        "edit_distance, añ文,    150, 1000, edit_distance_wide_\\d+x1",
        "edit_distance, abcdefg, 13000, 800, edit_distance_ascii_striped_8",
        "edit_distance, abcdefg, 100000, 1, edit_distance_join",
        "lcs_length,    ACGT,    150, 1000, lcs_nucleotides_1x5",
        "lcs_length,    ACGT,   1000, 30000, lcs_nucleotides_2x16",
        "lcs_length,    abcdefg, 100000, 1, lcs_join",
        "edit_cigar,    ACGT,    150, 1000, edit_distance_nucleotides_path_1x\\d+",
        "edit_cigar,    abcdefg, 5000,   3, edit_distance_ascii_path_tiled_.*",
        "lcs,           ACGT,    150, 1000, lcs_nucleotides_path_1x\\d+",
        "scs,           abcdefg, 5000,   3, lcs_ascii_path_tiled_.*",
        "hamming_distance, abcdefg, 150, 1000, hamming_bytes",
        "hamming_distance, añ文, 150, 1000, hamming_characters",
        "damerau_levenshtein, ACGT, 150, 1000, damerau_levenshtein_nucleotides_1x5",
        "damerau_levenshtein, añ文, 30, 1000, damerau_levenshtein_wide_1x1",
        "damerau_levenshtein, añ文, 100, 1000, damerau_levenshtein_characters_8",
        "damerau_levenshtein, abcdefg, 400, 100, damerau_levenshtein_bytes_tiles",
        "osa_distance, ACGT, 150, 1000, osa_distance_nucleotides_1x5",
        "osa_distance, añ文, 30, 1000, osa_distance_wide_1x1",
        "osa_distance, abcdefg, 400, 100, osa_distance_bytes_tiles",
        "jaro_winkler_similarity, abcdefg, 30, 1000, jaro_winkler_ascii_1",
        "jaro_similarity, ACGT, 150, 1000, jaro_winkler_nucleotides_5",
        "jaro_similarity, añ文, 100, 1000, jaro_winkler_wide_4",
        "jaro_winkler_similarity, abcdefg, 300, 1000, jaro_winkler_bytes",
        "jaro_winkler_similarity, añ文, 150, 1000, jaro_winkler_characters",
        "edit_distance_infix, ACGT, 100, 1000, edit_search_nucleotides_1x4",
        "edit_distance_infix_position, abcdefg, 30, 1000, edit_search_places_ascii_1x1",
        "edit_distance_infix_position, abcdefg, 30, 1000, edit_search_turn",
        "edit_distance_prefix, abcdefg, 2000, 100, edit_search_ascii_8x8",
        "edit_distance_prefix_position, añ文, 100, 1000, edit_search_wide_4x1",
        "ratio, abcdefg, 30, 1000, ratio_of_lengths",
        "partial_ratio, ACGT, 30, 1000, partial_ratio_ascii_1",
        "partial_ratio, añ文, 100, 100, partial_ratio_wide_4",
        "token_sort_ratio, abcdefg, 30, 1000, token_join",
        "partial_token_sort_ratio, abcdefg, 30, 1000, partial_ratio_ascii_1",
        "token_set_ratio, abcdefg, 30, 1000, ratio_of_sets",
        "weighted_ratio, añ文, 30, 1000, weighted_ratio_largest",
        "affine_gap_similarity, abcdefg, 100, 1000, affine_gap_bytes",
        "affine_gap_similarity, añ文, 100, 1000, affine_gap_characters"
    })
    void pairs(String function, String letters, int length, int count, String kernel) {
        Random random = new Random(7);
        assertThat(kernels(
                        function, "auto", texts(random, letters, length, count), texts(random, letters, length, count)))
                .anyMatch(name -> name.matches(kernel));
    }

    /** Tests pairs of equal strings. */
    @ParameterizedTest
    @CsvSource({"ACGT,   2500, edit_wave_bytes", "ACGT,  40000, edit_wave_bytes", "añ文, 40000, edit_wave_characters"})
    void similarPairs(String letters, int length, String kernel) {
        ColumnVector a = texts(new Random(7), letters, length, 10);
        assertThat(kernels("edit_distance", "auto", a, a.incRefCount()))
                .contains(kernel)
                .noneMatch(name -> name.matches("edit_distance_.*(striped|x).*"));
    }

    /** Tests pairs of equal strings. */
    @ParameterizedTest
    @CsvSource({
        "ACGT,     100, edit_search_all_count_nucleotides_1x4",
        "ACGT,     100, edit_search_all_turn",
        "ACGT,     100, edit_search_all_list_nucleotides_1x4",
        "ACGT,     100, edit_search_places_nucleotides_1x4",
        "abcdefg, 2000, edit_search_all_list_ascii_8x8",
        "abcdefg, 2000, edit_search_ascii_8x8",
        "añ文,    100, edit_search_all_list_wide_4x1"
    })
    void matches(String letters, int length, String kernel) {
        try (Scalar max = Scalar.fromInt(3)) {
            ColumnVector a = texts(new Random(7), letters, length, 10);
            assertThat(kernels("edit_distance_infix_all", "auto", a, a.incRefCount(), ColumnVector.fromScalar(max, 10)))
                    .contains(kernel);
        }
    }

    /** Aligns pairs of equal strings. */
    @ParameterizedTest
    @CsvSource({
        "alignment,         150, 1000, align_wave_path_short",
        "alignment,        2000,  100, align_wave_path_short",
        "alignment,       40000,    2, align_wave_path_large",
        "alignment_score,   150, 1000, align_packed_global_8x19",
        "alignment_score,  4000,   10, align_wave_score_short",
        "alignment_score, 40000,    2, align_wave_score_large"
    })
    void alignments(String function, int length, int count, String kernel) {
        assertThat(alignmentKernels(function, length, count, "global", "match 2 mismatch -3 open 5 extend 2"))
                .contains(kernel);
    }

    @ParameterizedTest
    @CsvSource({
        "global,     100, 1000, align_score_ends_compared_two_pieces_16x8",
        "overlap,    150, 1000, align_score_ends_compared_two_pieces_32x8",
        "local,     1000,  100, align_score_local_compared_two_pieces_striped",
        "extension,  150, 1000, align_extend_compared_two_pieces",
        "extension, 1000,  100, align_extend_compared_two_pieces"
    })
    void twoPieces(String mode, int length, int count, String kernel) {
        assertThat(alignmentKernels(
                        "alignment_score",
                        length,
                        count,
                        mode,
                        "match 2 mismatch -4 open 6 extend 2 open2 25 extend2 1"))
                .contains(kernel);
    }

    private static Set<String> alignmentKernels(String function, int length, int count, String mode, String scoring) {
        try (Scalar modes = Scalar.fromString(mode);
                Scalar scorings = Scalar.fromString(scoring)) {
            ColumnVector a = texts(new Random(7), "ACGT", length, count);
            return kernels(
                    function,
                    "auto",
                    a,
                    a.incRefCount(),
                    ColumnVector.fromScalar(modes, count),
                    ColumnVector.fromScalar(scorings, count));
        }
    }

    /** Tests three queries with a thousand targets each. */
    @Test
    void alignmentsOfQueries() {
        Random random = new Random(12);
        try (Scalar mode = Scalar.fromString("local");
                Scalar scoring = Scalar.fromString("blosum62 open 11 extend 1");
                ColumnVector queries = texts(random, "ARNDC", 150, 3);
                ColumnVector order = ColumnVector.fromInts(
                        IntStream.range(0, 3_000).map(row -> row / 1_000).toArray());
                Table table = new Table(queries);
                Table repeated = table.gather(order)) {
            assertThat(kernels(
                            "alignment_score",
                            "auto",
                            repeated.getColumn(0).incRefCount(),
                            texts(random, "ARNDC", 150, 3_000),
                            ColumnVector.fromScalar(mode, 3_000),
                            ColumnVector.fromScalar(scoring, 3_000)))
                    .contains("align_profile_local_8x24");
        }
    }

    /** The traceback bits of a pair with many differences exceed the memory limit. */
    @Test
    void alignmentInParts() {
        Random random = new Random(11);
        withConf("spark.bellman.gpuMemory", "2300k", () -> {
            try (Scalar mode = Scalar.fromString("local");
                    Scalar scoring = Scalar.fromString("match 2 mismatch -3 open 5 extend 2")) {
                assertThat(kernels(
                                "alignment",
                                "auto",
                                texts(random, "ACGT", 3_000, 1),
                                texts(random, "ACGT", 3_000, 1),
                                ColumnVector.fromScalar(mode, 1),
                                ColumnVector.fromScalar(scoring, 1)))
                        .contains("align_walk_on");
            }
        });
    }

    @ParameterizedTest
    @CsvSource({
        "matrix_chain_cost,  auto,     50, 1000, chain_hu_shing",
        "matrix_chain_cost,  auto,  4096,     1, chain_hu_shing",
        "matrix_chain_cost,  table,    50, 1000, chain_int32_batch",
        "matrix_chain_order, auto,     50, 1000, chain_int32_arcs",
        "matrix_chain_order, auto,   4096,    1, chain_int32_tiled\\d_solve",
        "matrix_chain_cost,  adaptive, 50,    2, chain_int32_groups",
        "matrix_chain_cost,  pipeline, 50,    2, chain_int32_pipeline"
    })
    void chains(String function, String strategy, int matrices, int count, String kernel) {
        Random random = new Random(8);
        List<List<Long>> chains = IntStream.range(0, count)
                .mapToObj(i -> random.longs(matrices + 1, 1, 20).boxed().toList())
                .toList();
        assertThat(kernels(function, strategy, lists(DType.INT64, chains))).anyMatch(name -> name.matches(kernel));
    }

    /** Computes the determinant of one identity matrix. */
    @ParameterizedTest
    @CsvSource({
        "auto,  130, linear_large_factor",
        "auto,   50, linear_blocks",
        "r-way, 130, linear_large_wave",
        "r-way, 127, linear_blocks"
    })
    void matrices(String strategy, int n, String kernel) {
        List<List<Double>> identity = IntStream.range(0, n)
                .mapToObj(i ->
                        IntStream.range(0, n).mapToObj(j -> i == j ? 1.0 : 0.0).toList())
                .toList();
        DataType row = Types.list(Types.DOUBLE);
        assertThat(kernels("determinant", strategy, lists(row, List.of(identity))))
                .contains(kernel);
    }

    /** Tests costs that are not concave. */
    @ParameterizedTest
    @CsvSource({
        "auto,   100, gap_blocks_int32",
        "auto,  1500, gap_grid_int32",
        "r-way,  127, gap_blocks_int32",
        "r-way,  128, gap_recursion_int32"
    })
    void gaps(String strategy, int letters, String kernel) {
        Random random = new Random(13);
        List<Long> costs = LongStream.rangeClosed(1, letters)
                .map(length -> length + length % 2)
                .boxed()
                .toList();
        assertThat(kernels(
                        "gap_alignment",
                        strategy,
                        texts(random, "ACGT", letters, 1),
                        texts(random, "ACGT", letters, 1),
                        ColumnVector.fromLongs(2),
                        ColumnVector.fromLongs(-3),
                        lists(DType.INT64, List.of(costs))))
                .contains(kernel);
    }

    @ParameterizedTest
    @CsvSource({
        "auto,    50, 1000, optimal_bst_batch",
        "auto,  5000,    1, optimal_bst_diagonal",
        "r-way,   50,   10, trees_saturating_tiled2_recursion"
    })
    void searchTrees(String strategy, int keys, int count, String kernel) {
        Random random = new Random(9);
        ColumnVector p = lists(
                DType.INT64,
                Collections.nCopies(count, random.longs(keys, 0, 100).boxed().toList()));
        ColumnVector q = lists(
                DType.INT64,
                Collections.nCopies(
                        count, random.longs(keys + 1, 0, 100).boxed().toList()));
        assertThat(kernels("optimal_bst_cost", strategy, p, q)).contains(kernel);
    }

    @ParameterizedTest
    @CsvSource({"9, small", "200, narrow"})
    void trees(int children, String form) {
        ColumnVector a = ColumnVector.fromStrings("{" + "{a}".repeat(children) + "}");
        assertThat(kernels("tree_edit_distance", "auto", a, a.incRefCount())).contains("tree_edit_distance_" + form);
    }

    @ParameterizedTest
    @CsvSource({
        "dtw,              48, 1000, series_whole_squared_24",
        "dtw,             300,  100, series_whole_squared_38",
        "dtw,            1000,  100, series_whole_squared_32",
        "dtw,            5000,   10, series_squared_1_stripes",
        "dtw_path,         48, 1000, series_path_squared_1_groups",
        "dtw_search,       48, 1000, series_search_squared_1_groups",
        "frechet_distance, 1000, 10, series_frechet_1_stripes"
    })
    void series(String function, int length, int count, String kernel) {
        Random random = new Random(14);
        List<List<Double>> series = IntStream.range(0, count)
                .mapToObj(i -> random.doubles(length).boxed().toList())
                .toList();
        assertThat(kernels(function, "auto", lists(DType.FLOAT64, series), lists(DType.FLOAT64, series)))
                .contains(kernel);
    }

    @ParameterizedTest
    @CsvSource({
        "min,             auto,         3,     9,     60, s_dp_short",
        "min,             auto,      4000,  9000,  30000, s_dp_search_round",
        "bit_xor,         auto,      4000,  9000,  30000, s_dp_solve_tile",
        "sum mod 1000003, auto,     20000, 45000, 160000, series_multiply",
        "min,             sequential,   3,     9,     60, s_dp_sequential"
    })
    void recurrences(String op, String strategy, int count, int farthest, int n, String kernel) {
        List<Integer> offsets = new Random(10)
                .ints(1, farthest)
                .distinct()
                .limit(count - 1L)
                .boxed()
                .sorted(Collections.reverseOrder())
                .toList();
        List<Integer> all = IntStream.concat(
                        IntStream.of(farthest), offsets.stream().mapToInt(Integer::intValue))
                .boxed()
                .toList();
        List<Long> initial =
                LongStream.range(0, farthest).map(i -> i * i % 1_009).boxed().toList();
        assertThat(kernels(
                        "s_dp",
                        strategy,
                        lists(DType.INT64, List.of(initial)),
                        lists(DType.INT32, List.of(all)),
                        ColumnVector.fromInts(n),
                        ColumnVector.fromStrings(op)))
                .anyMatch(name -> name.matches(kernel));
    }

    @ParameterizedTest
    @CsvSource({"monge_elkan, monge_elkan_solve", "pairwise_min, pairwise_min_solve", "pairwise_max, pairwise_max_solve"
    })
    void metrics(String function, String kernel) {
        try (Scalar metric = Scalar.fromString("ratio")) {
            List<List<String>> names = Collections.nCopies(100, List.of("Ann", "Anna"));
            boolean ofWords = function.equals("monge_elkan");
            ColumnVector a = ofWords ? texts(new Random(7), "abc d", 30, 100) : lists(DType.STRING, names);
            assertThat(kernels(function, "auto", a, a.incRefCount(), ColumnVector.fromScalar(metric, 100)))
                    .contains(kernel);
        }
    }

    private static ColumnVector texts(Random random, String letters, int length, int count) {
        int[] codePoints = letters.codePoints().toArray();
        return ColumnVector.fromStrings(IntStream.range(0, count)
                .mapToObj(i -> random.ints(length, 0, codePoints.length)
                        .map(letter -> codePoints[letter])
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString())
                .toArray(String[]::new));
    }

    private static <T> ColumnVector lists(DType type, List<List<T>> rows) {
        return lists(Types.of(type), rows);
    }

    @SuppressWarnings("unchecked")
    private static <T> ColumnVector lists(DataType element, List<List<T>> rows) {
        return ColumnVector.fromLists(Types.list(element), rows.toArray(List[]::new));
    }

    /** Returns the names of the kernels that a batch launches. Closes the arguments. */
    private static Set<String> kernels(String function, String strategy, ColumnVector... arguments) {
        BellmanFunction<?> called = Catalogue.functions().stream()
                .filter(each -> each.name().equals(function))
                .findFirst()
                .orElseThrow();
        try (KernelTimer timer = KernelTimer.open()) {
            udf(called, strategy)
                    .evaluateColumnar((int) arguments[0].getRowCount(), arguments)
                    .close();
            return timer.byKernel().keySet();
        } finally {
            List.of(arguments).forEach(ColumnVector::close);
        }
    }

    private static <S extends Enum<S>> KernelFunction udf(BellmanFunction<S> function, String strategy) {
        S parsed =
                Strategies.parse(function.problem().name(), function.problem().strategyType(), strategy);
        return Kernels.of(function.signatures().get(0).call(parsed, FunctionOptions.DEFAULT));
    }
}
