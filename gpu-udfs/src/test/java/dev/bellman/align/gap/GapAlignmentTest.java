package dev.bellman.align.gap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.Golden;
import dev.bellman.TextbookAnswers;
import dev.bellman.Thorough;
import dev.bellman.align.Text;
import dev.bellman.align.gap.GapAlignment.Solution;
import dev.bellman.align.gap.GapAlignment.Strategy;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Tile;
import dev.bellman.proof.Values;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GapAlignmentTest {
    private static Solution solve(String a, String b, long match, long mismatch, long[] costs, Strategy strategy) {
        return GapAlignment.solve(Text.of(a), Text.of(b), GapScores.shared(match, mismatch, costs), strategy, 2);
    }

    private static Row call(Strategy strategy, InternalRow row) {
        return (Row) TextbookAnswers.call(
                GapFunctions.gapAlignment().signatures().get(row.numFields() - 5),
                strategy,
                FunctionOptions.DEFAULT,
                row);
    }

    /**
     * Compares every strategy with the definition for the instances that it supports: the score and the canonical
     * alignment, or the error code.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void random(boolean separate) {
        SplittableRandom random = new SplittableRandom(14);
        for (int round = 0; round < Thorough.rounds(2_000, 6_000); round++) {
            InternalRow row = separate ? GapInstances.separate(random, 12) : GapInstances.shared(random, 12);
            assertSameAsDefinition(row);
        }
    }

    private static void assertSameAsDefinition(InternalRow row) {
        Object expected = row.anyNull() ? null : answer(() -> (InternalRow) GapTextbook.solve(row));
        for (Strategy strategy : Strategy.values()) {
            if (row.anyNull() || GapTextbook.LEEWAY.serves(strategy, row)) {
                assertThat(answer(() -> {
                            Row answer = call(strategy, row);
                            return answer == null
                                    ? null
                                    : Values.row(answer.getLong(0), UTF8String.fromString(answer.getString(1)));
                        }))
                        .as(() -> strategy + " " + row)
                        .isEqualTo(expected);
            }
        }
    }

    /** Returns the result of a call, or the code of its failure. */
    private static Object answer(Supplier<InternalRow> call) {
        try {
            return call.get();
        } catch (BellmanException e) {
            return e.code();
        }
    }

    /**
     * A score or cost is rejected if and only if its magnitude is at least 2^60 divided by the total number of letters.
     */
    @Test
    void limits() {
        for (GapLimits limit : GapLimits.all()) {
            assertThat(isAccepted(limit.row())).as("%s", limit).isEqualTo(limit.accepted());
            assertSameAsDefinition(limit.row());
        }
    }

    private static boolean isAccepted(InternalRow row) {
        try {
            call(Strategy.AUTO, row);
            return true;
        } catch (BellmanException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.BELLMAN_OVERFLOW);
            return false;
        }
    }

    /** Compares the strategies with each other where the definition would take too long. */
    @Test
    void larger() {
        SplittableRandom random = new SplittableRandom(3);
        for (int round = 0; round < Thorough.rounds(50, 150); round++) {
            InternalRow row = GapInstances.separate(random, round % 5 == 0 ? 320 : 110);
            if (row.anyNull()) {
                continue;
            }
            Row expected;
            try {
                expected = call(Strategy.SERIAL, row);
            } catch (BellmanException rejected) {
                continue;
            }
            for (Strategy strategy : Strategy.values()) {
                if (GapTextbook.LEEWAY.serves(strategy, row)) {
                    assertThat(call(strategy, row)).as(strategy + " " + row).isEqualTo(expected);
                }
            }
        }
    }

    private static Map<String, long[]> tables() {
        Map<String, long[]> tables = new HashMap<>();
        Golden.rows("general_gap_tables.gold")
                .forEach((name, row) -> tables.put(
                        name,
                        LongStream.of(Arrays.stream(row.get("gap_score_for_length_1..64")
                                                .split(","))
                                        .mapToLong(Long::parseLong)
                                        .toArray())
                                .map(score -> -score)
                                .toArray()));
        return tables;
    }

    @ParameterizedTest
    @EnumSource
    void golden(Strategy strategy) {
        Map<String, long[]> tables = tables();
        Map<String, Map<String, String>> rows = Golden.rows("general_gap.gold");
        int checked = 0;
        for (Map.Entry<String, Map<String, String>> each : rows.entrySet()) {
            Map<String, String> row = each.getValue();
            String a = row.get("a");
            String b = row.get("b");
            long[] costs = tables.get(row.get("gap_table"));
            if (GapAlignment.serves(strategy, GapScores.shared(2, -3, costs).shape(a.length(), b.length()))) {
                Solution solution = solve(a, b, 2, -3, costs, strategy);
                assertThat(solution.score()).as(each.getKey()).isEqualTo(Long.parseLong(row.get("nw")));
                assertThat(score(solution.cigar(), a, b, costs)).isEqualTo(solution.score());
                checked++;
            }
        }
        assertThat(checked).isGreaterThanOrEqualTo(300);
    }

    /** Converts a tile to the GPU's form and back. */
    private static long[][] throughGpu(GapTiles tiles, long[][] tile) {
        ByteBuffer bytes = ByteBuffer.allocate(tiles.bytesOnGpu());
        tiles.writeForGpu(tile, bytes);
        assertThat(bytes.hasRemaining()).isFalse();
        return tiles.readFromGpu(bytes.flip());
    }

    /** Computes a table in tiles, which are stored as bytes between tasks. */
    private static Solution inTiles(GapTiles tiles) {
        Map<Tile, ByteBuffer> written = new HashMap<>();
        Function<Tile, long[][]> read = tile -> tiles.read(written.get(tile).duplicate());
        Schedule.blocked(tiles.side()).run(tiles.pattern(), tiles.side(), wave -> wave.stream()
                .filter(task -> tiles.has(task.target()))
                .forEach(task -> {
                    long[][] target =
                            written.containsKey(task.target()) ? read.apply(task.target()) : tiles.make(task.target());
                    tiles.run(task, target, task.sources().stream().map(read).toList());
                    ByteBuffer to = ByteBuffer.allocate(tiles.bytes());
                    tiles.write(throughGpu(tiles, target), to);
                    written.put(task.target(), to.flip());
                }));
        return new Solution(tiles.score(read), tiles.cigar(read));
    }

    /** The tiles are so small that even these short sequences have several of them. */
    @Test
    void goldenInTiles() {
        Map<String, long[]> tables = tables();
        Map<String, Map<String, String>> rows = Golden.rows("general_gap.gold");
        List<String> names = List.copyOf(rows.keySet());
        for (int i = 0; i < names.size(); i += Thorough.rounds(10, 1)) {
            String name = names.get(i);
            Map<String, String> row = rows.get(name);
            GapScores scores = GapScores.shared(2, -3, tables.get(row.get("gap_table")));
            Solution found = inTiles(GapTiles.of(Text.of(row.get("a")), Text.of(row.get("b")), scores, 7));
            assertThat(found.score()).as(name).isEqualTo(Long.parseLong(row.get("nw")));
            assertThat(found)
                    .as(name)
                    .isEqualTo(solve(row.get("a"), row.get("b"), 2, -3, scores.aCosts(), Strategy.SERIAL));
        }
        assertThat(rows).hasSizeGreaterThanOrEqualTo(300);
    }

    /** Tests instances with many ties, at sizes around tile boundaries, including tables that are not square. */
    @Test
    void tiles() {
        SplittableRandom random = new SplittableRandom(1);
        for (int count = 0; count < Thorough.rounds(400, 2_000); count++) {
            String a = letters(random, random.nextInt(14));
            String b = letters(random, random.nextInt(14));
            // the costs of every second instance need 64 bits
            long unit = count % 2 == 0 ? 1 : 1L << 40;
            GapScores scores = new GapScores(
                    unit * random.nextInt(-1, 3),
                    unit * random.nextInt(-3, 1),
                    random.longs(a.length(), 0, 5).map(cost -> cost * unit).toArray(),
                    random.longs(b.length(), 0, 5).map(cost -> cost * unit).toArray());
            Solution expected = GapAlignment.solve(Text.of(a), Text.of(b), scores, Strategy.SERIAL, 1);
            for (int edge : new int[] {1, 2, 3, 5}) {
                assertThat(inTiles(GapTiles.of(Text.of(a), Text.of(b), scores, edge)))
                        .as("%s %s %s %d", a, b, scores, edge)
                        .isEqualTo(expected);
            }
        }
    }

    private static String letters(SplittableRandom random, int length) {
        return random.ints(length, 'a', 'c')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /**
     * Returns an alignment's score, with 2 for a match and -3 for a mismatch, after checking that the alignment covers
     * both strings completely.
     */
    private static long score(String cigar, String a, String b, long[] costs) {
        long score = 0;
        int i = 0;
        int j = 0;
        for (String run : cigar.split("(?<=[=XID])")) {
            int length = Integer.parseInt(run.substring(0, run.length() - 1));
            char operation = run.charAt(run.length() - 1);
            if (operation == 'I') {
                i += length;
                score -= costs[length - 1];
            } else if (operation == 'D') {
                j += length;
                score -= costs[length - 1];
            } else {
                for (int k = 0; k < length; k++) {
                    assertThat(a.charAt(i++) == b.charAt(j++)).isEqualTo(operation == '=');
                }
                score += length * (operation == '=' ? 2L : -3L);
            }
        }
        assertThat(i).isEqualTo(a.length());
        assertThat(j).isEqualTo(b.length());
        return score;
    }

    @ParameterizedTest
    @EnumSource
    void empty(Strategy strategy) {
        assertThat(solve("", "", 1, -1, new long[0], strategy)).isEqualTo(new Solution(0, ""));
        assertThat(solve("abc", "", 1, -1, new long[] {4, 5, 6}, strategy)).isEqualTo(new Solution(-6, "3I"));
        assertThat(solve("", "ab", 1, -1, new long[] {4, 5}, strategy)).isEqualTo(new Solution(-5, "2D"));
    }

    /**
     * Two gaps in the same sequence are never adjacent, even if they cost less than one long gap. A gap in the other
     * sequence may separate them.
     */
    @Test
    void noGapBehindAGap() {
        assertThat(solve("aa", "", 1, -1, new long[] {1, 9}, Strategy.AUTO)).isEqualTo(new Solution(-9, "2I"));
        assertThat(solve("aa", "b", 1, -9, new long[] {1, 9}, Strategy.AUTO)).isEqualTo(new Solution(-3, "1I1D1I"));
    }

    /**
     * Among alignments with equal scores, the canonical one ends with a pair if possible, or else with a letter of a,
     * or else with a letter of b.
     */
    @Test
    void canonical() {
        long[] flat = {1, 1, 1, 1};
        assertThat(solve("aa", "a", 1, -1, flat, Strategy.SERIAL).cigar()).isEqualTo("1I1=");
        assertThat(solve("ab", "cd", 0, -9, flat, Strategy.SERIAL).cigar()).isEqualTo("2D2I");
    }

    @Test
    void rejected() {
        assertThatThrownBy(() -> solve("abc", "a", 1, -1, new long[] {1, 2}, Strategy.AUTO))
                .hasMessage("[BELLMAN_INPUT_VALUE] gap_alignment: gap_costs has 2 entries, but the longer sequence has "
                        + "3 letters; the array needs one cost for each gap length up to the number of letters. "
                        + "Correct the row, or use try_gap_alignment, which returns NULL");
        assertThatThrownBy(() -> solve("abcd", "a", 1, -1, new long[] {1, 2, 2, 3}, Strategy.CONCAVE))
                .hasMessageContaining("the strategy concave requires concave costs; use auto");
        assertThatThrownBy(() -> solve("abcd", "a", 1, -1, new long[] {1, 2, 2, 3}, Strategy.AFFINE))
                .hasMessageContaining("the strategy affine requires affine costs");
        assertThatThrownBy(() -> solve("ab", "a", 1L << 60, -1, new long[] {1, 2}, Strategy.AUTO))
                .hasMessageStartingWith(
                        "[BELLMAN_OVERFLOW] gap_alignment: match is 1152921504606846976; for these sequences it "
                                + "must be from");
        assertThatThrownBy(() -> solve("ab", "a", 1, -1, new long[] {1, Long.MIN_VALUE}, Strategy.AUTO))
                .hasMessageContaining("entry 2 of gap_costs (counted from 1) is -9223372036854775808");
    }
}
