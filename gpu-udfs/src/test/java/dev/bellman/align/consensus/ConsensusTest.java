package dev.bellman.align.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.CallMemory;
import dev.bellman.FunctionOptions;
import dev.bellman.Golden;
import dev.bellman.Strategies;
import dev.bellman.TextbookAnswers;
import dev.bellman.Thorough;
import dev.bellman.align.consensus.Consensus.Strategy;
import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConsensusTest {
    private static final String LINEAR = "match 1 mismatch -1 gap 1";

    /** @param strings the strings, separated by bars */
    private static String consensus(String strings, String scoring, Strategy strategy) {
        Object[] entries = Arrays.stream(strings.split("\\|", -1))
                .map(UTF8String::fromString)
                .toArray();
        return TextbookAnswers.call(
                        ConsensusFunctions.list().get(0),
                        Strategies.name(strategy),
                        FunctionOptions.DEFAULT,
                        new Object[] {Values.arrayOf(entries), UTF8String.fromString(scoring)})
                .toString();
    }

    /** Compares results with the consensus that other tools find (see {@code datasets/README.md}). */
    @ParameterizedTest
    @ValueSource(strings = {"consensus.gold", "consensus_two_pieces.gold"})
    void golden(String set) {
        List<Map<String, String>> rows = Golden.allRows(set);
        assertThat(rows).hasSize(150);
        for (Map<String, String> row : rows) {
            for (Strategy strategy : Strategy.values()) {
                assertThat(consensus(row.get("sequences"), row.get("scoring"), strategy))
                        .as(row.toString())
                        .isEqualTo(row.get("consensus"));
            }
        }
    }

    /** Compares the strategies with the textbook. */
    @Test
    void textbook() {
        TextbookAnswers.compare(ConsensusFunctions.list().get(0), 7, Thorough.rounds(300, 3_000), 60);
    }

    /** Compares the strategies for copies with errors, which are too long for the textbook. */
    @Test
    void strategies() {
        SplittableRandom random = new SplittableRandom(4);
        for (int round = 0; round < Thorough.rounds(20, 200); round++) {
            String truth = letters(random, 200);
            String strings = random.ints(1 + random.nextInt(8), 0, 30)
                    .mapToObj(rate -> copy(random, truth, rate))
                    .collect(Collectors.joining("|"));
            String scoring = Values.oneOf(random, ConsensusProofs.SCORINGS);
            assertThat(consensus(strings, scoring, Strategy.AUTO))
                    .isEqualTo(consensus(strings, scoring, Strategy.SERIAL));
        }
    }

    private static String letters(SplittableRandom random, int count) {
        return random.ints(count, 0, 4)
                .mapToObj(letter -> "ACGT".substring(letter, letter + 1))
                .collect(Collectors.joining());
    }

    private static String copy(SplittableRandom random, String truth, int rate) {
        StringBuilder copy = new StringBuilder();
        for (char letter : truth.toCharArray()) {
            switch (random.nextInt(100) < rate ? random.nextInt(3) : 3) {
                case 0 -> copy.append(letters(random, 1));
                case 1 -> copy.append(letter).append(letters(random, 1 + random.nextInt(3)));
                case 2 -> copy.append("");
                default -> copy.append(letter);
            }
        }
        return copy.toString();
    }

    /** The consensus of many reads with few errors is the original. */
    @Test
    void original() {
        SplittableRandom random = new SplittableRandom(5);
        String truth = letters(random, 300);
        String strings = random.ints(15, 5, 10)
                .mapToObj(rate -> copy(random, truth, rate))
                .collect(Collectors.joining("|"));
        assertThat(consensus(strings, "match 5 mismatch -4 open 8 extend 6", Strategy.AUTO))
                .isEqualTo(truth);
    }

    /**
     * The memory of the graph's nodes and edges is counted, whether equal strings share them or each string adds new
     * ones. The memory of a column grows with the square of the number of different characters in it; a large column
     * does not increase the memory of other columns.
     */
    @Test
    void memory() {
        String letters = letters(new SplittableRandom(6), 2_000);
        List<Long> ofEqual = held(Collections.nCopies(12, letters));
        assertThat(ofEqual.get(0)).isGreaterThan(400_000L);
        assertThat(ofEqual.get(11)).isEqualTo(ofEqual.get(1)).isLessThan(2_000_000L);
        List<Long> ofDifferent = held(IntStream.range(0, 40)
                .mapToObj(i -> String.valueOf((char) ('0' + i)).repeat(100))
                .toList());
        assertThat(ofDifferent.get(39)).isGreaterThan(1_000_000L);
        List<Long> ofColumns = held(
                IntStream.range(0, 1_000)
                        .mapToObj(i -> "a" + (char) (0x4e00 + i) + "b")
                        .toList(),
                "match 5 mismatch -4 gap 8");
        assertThat(ofColumns.get(999)).isGreaterThan(5_000_000L);
        List<Long> ofOneColumn = held(
                IntStream.range(0, 300)
                        .mapToObj(i -> "a".repeat(200) + (char) (0x4e00 + i) + "b".repeat(200))
                        .toList(),
                "match 5 mismatch -4 gap 8");
        assertThat(ofOneColumn.get(299)).isBetween(600_000L, 1_700_000L);
    }

    /** Returns the number of bytes that the call holds after each string. */
    private static List<Long> held(List<String> strings) {
        return held(strings, "match 1 mismatch -9 gap 1");
    }

    private static List<Long> held(List<String> strings, String scoring) {
        List<Long> held = new ArrayList<>();
        Object[] entries = strings.stream().map(UTF8String::fromString).toArray();
        TextbookAnswers.call(
                ConsensusFunctions.list().get(0),
                "auto",
                FunctionOptions.DEFAULT.with(cells -> held.add(CallMemory.held())),
                new Object[] {Values.arrayOf(entries), UTF8String.fromString(scoring)});
        return held;
    }

    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "|||, ''",
        "|abc||, abc",
        "kitten|sitten|mitten|sitting, sitteng",
        "añb|añb|ab, añb",
        "x\uD83D\uDE00y|x\uD83D\uDE00y|x\uD83D\uDE01y, x\uD83D\uDE00y"
    })
    void strings(String strings, String expected) {
        for (Strategy strategy : Strategy.values()) {
            assertThat(consensus(strings, LINEAR, strategy)).isEqualTo(expected);
        }
    }

    /** Gaps in the graph are cheap and gaps in the strings expensive, or both are expensive. */
    @Test
    void costsOfGaps() {
        String strings = "ACGTACGT|ACGTTTTTACGT|ACGTTTTTACGT";
        assertThat(consensus(strings, "match 1 mismatch -1 insert gap 0 delete gap 9", Strategy.AUTO))
                .isEqualTo("ACGTTTTTACGT");
        assertThat(consensus("AC|AGGGGC|AGGGGC", "match 1 mismatch -1 insert gap 9 delete gap 9", Strategy.AUTO))
                .isEqualTo("AGGGGC");
    }

    @Test
    void rejected() {
        assertThatThrownBy(() -> TextbookAnswers.call(
                        ConsensusFunctions.list().get(0), "auto", FunctionOptions.DEFAULT, new Object[] {
                            Values.arrayOf(UTF8String.fromString("A"), null), UTF8String.fromString(LINEAR)
                        }))
                .hasMessageContaining("entry 2 of sequences (counted from 1) is NULL; it must be a string");
        assertThatThrownBy(() -> consensus("ACJ", "blosum62 open 11 extend 1", Strategy.AUTO))
                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] consensus: character 3 of sequences is 'J', which is "
                        + "not in BLOSUM62");
        String letters = "A".repeat(9_000);
        assertThatThrownBy(() -> consensus(letters + "|" + letters, "match 32767 mismatch 0 gap 1", Strategy.AUTO))
                .hasMessage("[BELLMAN_LIMIT] consensus: scores for a string of 9,000 characters and a graph of 9,000 "
                        + "nodes could exceed 30 bits, because the scoring contains the number 32,767. Use smaller "
                        + "scores, or shorter strings");
    }
}
