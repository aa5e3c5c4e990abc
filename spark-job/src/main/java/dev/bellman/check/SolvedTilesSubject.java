package dev.bellman.check;

import dev.bellman.FunctionOptions;
import dev.bellman.align.gap.GapAlignment;
import dev.bellman.align.gap.GapFunctions;
import dev.bellman.align.gap.GapTiles;
import dev.bellman.chain.SumTiles;
import dev.bellman.chain.matrix.MatrixChain;
import dev.bellman.chain.matrix.MatrixChainTiles;
import dev.bellman.chain.tree.Parenthesization;
import dev.bellman.check.Lane.Engine;
import dev.bellman.columns.SolverCall;
import dev.bellman.large.grid.TileFolder;
import dev.bellman.large.tiles.Tile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Computes tables in large tiles, and traces solutions back through them. The function's plain strategy, which computes
 * the table as a whole, must return the same solution.
 */
abstract class SolvedTilesSubject extends TilesSubject {
    private SolvedTilesSubject(String function, Engine engine, JavaSparkContext spark, long seed) {
        super(function, engine, false, spark, seed);
    }

    private static Optional<String> wrong(Object expected, Object found) {
        return expected.equals(found)
                ? Optional.empty()
                : Optional.of("the result is %s, expected %s".formatted(found, expected));
    }

    /** Matrix chains with many ties, or with costs of up to 60 bits. */
    static final class OfChains extends SolvedTilesSubject {
        OfChains(Engine engine, JavaSparkContext spark, long seed) {
            super("matrix_chain", engine, spark, seed);
        }

        @Override
        Compared compared(SplittableRandom random, int parts, Path folder) {
            int matrices = 1 + random.nextInt(MAX_SIDE);
            int most = new int[] {1, 9, 100_000}[random.nextInt(3)];
            long[] dims = random.longs(matrices + 1L, 1, most + 1L).toArray();
            MatrixChainTiles tiles = MatrixChainTiles.of(dims);
            MatrixChain.Solution found =
                    tiles.solution(solved(tiles, random, parts, folder, null).reader(0));
            MatrixChain.Solution expected = MatrixChain.solve(dims, MatrixChain.Strategy.TABLE);
            return new Compared(
                    "%d matrices, dimensions up to %d, %d tiles per side".formatted(matrices, most, parts),
                    wrong(expected.cost() + " " + expected.order(), found.cost() + " " + found.order()));
        }
    }

    /** Parenthesizations with integer or double costs of leaves and ranges. */
    static final class OfParenthesizations extends SolvedTilesSubject {
        OfParenthesizations(Engine engine, JavaSparkContext spark, long seed) {
            super("parenthesization", engine, spark, seed);
        }

        @Override
        Compared compared(SplittableRandom random, int parts, Path folder) {
            int leaves = 1 + random.nextInt(MAX_SIDE);
            boolean doubles = random.nextBoolean();
            long most = new long[] {1, 9, 1_000_000_000_000L}[random.nextInt(3)];
            long[] leaf = random.longs(leaves, 0, most + 1).toArray();
            long[] w = random.longs(leaves * (leaves - 1L) / 2, 0, most + 1).toArray();
            SumTiles<?> tiles = SumTiles.of(leaves, doubles, most);
            return new Compared(
                    "%d leaves, %s up to %d, %d tiles per side"
                            .formatted(leaves, doubles ? "DOUBLE" : "BIGINT", most, parts),
                    wrong(expected(leaf, w, doubles), found(tiles, leaf, w, doubles, random, parts, folder)));
        }

        private static String expected(long[] leaf, long[] w, boolean doubles) {
            if (doubles) {
                Parenthesization.DoubleSolution solution =
                        Parenthesization.solve(tenths(leaf), tenths(w), Parenthesization.Strategy.TABLE);
                return solution.cost() + " " + Arrays.toString(solution.splits());
            }
            Parenthesization.LongSolution solution = Parenthesization.solve(leaf, w, Parenthesization.Strategy.TABLE);
            return solution.cost() + " " + Arrays.toString(solution.splits());
        }

        private static double[] tenths(long... numbers) {
            return LongStream.of(numbers).mapToDouble(number -> number / 10.0).toArray();
        }

        private <T> String found(
                SumTiles<T> tiles,
                long[] leaf,
                long[] w,
                boolean doubles,
                SplittableRandom random,
                int parts,
                Path folder) {
            int n = leaf.length;
            given(tiles, parts, folder, n, n + 1, (tile, i, j) -> {
                if (i < j) {
                    // w contains the ranges, sorted by first leaf and then by last leaf
                    long number = j == i + 1 ? leaf[i] : w[(int) (i * (2L * n - i - 1) / 2) + j - i - 2];
                    tiles.set(tile, i, j, doubles ? Double.doubleToLongBits(number / 10.0) : number);
                }
            });
            Function<Tile, T> table =
                    solved(tiles, random, parts, folder, GIVEN).reader(0);
            return tiles.cost(table) + " " + Arrays.toString(tiles.splits(table));
        }
    }

    /**
     * Pairs of sequences, with arbitrary gap costs. The second sequence is independent of the first, or a prefix of it.
     */
    static final class OfGaps extends SolvedTilesSubject {
        private static final SolverCall SERIAL = GapFunctions.gapAlignment()
                .signatures()
                .get(0)
                .call(GapAlignment.Strategy.SERIAL, FunctionOptions.DEFAULT);

        OfGaps(Engine engine, JavaSparkContext spark, long seed) {
            super("gap_alignment", engine, spark, seed);
        }

        @Override
        Compared compared(SplittableRandom random, int parts, Path folder) {
            byte[] a = letters(random);
            byte[] b = random.nextBoolean() ? letters(random) : Arrays.copyOf(a, random.nextInt(a.length + 1));
            long most = new long[] {1, 9, 1_000_000_000L}[random.nextInt(3)];
            long match = random.nextLong(most + 1);
            long mismatch = -random.nextLong(most + 1);
            long[] costs =
                    random.longs(Math.max(a.length, b.length), 0, most + 1).toArray();
            if (random.nextBoolean()) {
                // the cost of a gap is the value of most, plus 1 for every three letters after the first
                Arrays.setAll(costs, i -> most + i / 3);
            }
            GapTiles tiles = GapTiles.of(a, b, match, mismatch, costs);
            int size = Math.max(parts, tiles.fewestParts());
            TileFolder<long[][]> table = solved(tiles, random, size, folder, null);
            Row expected = (Row) SERIAL.call(
                    UTF8String.fromBytes(a),
                    UTF8String.fromBytes(b),
                    match,
                    mismatch,
                    UnsafeArrayData.fromPrimitiveArray(costs));
            return new Compared(
                    "%d and %d letters, costs up to %d, %d tiles per side".formatted(a.length, b.length, most, size),
                    wrong(
                            expected.getLong(0) + " " + expected.getString(1),
                            tiles.score(table.reader(0)) + " " + tiles.cigar(table.reader(0))));
        }

        private static byte[] letters(SplittableRandom random) {
            return random.ints(random.nextInt(MAX_SIDE), 'A', 'D')
                    .mapToObj(Character::toString)
                    .reduce(new StringBuilder(), StringBuilder::append, StringBuilder::append)
                    .toString()
                    .getBytes(StandardCharsets.UTF_8);
        }
    }
}
