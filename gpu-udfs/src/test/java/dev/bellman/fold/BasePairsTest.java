package dev.bellman.fold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.FunctionOptions;
import dev.bellman.Golden;
import dev.bellman.SparkTest;
import dev.bellman.Strategies;
import dev.bellman.TextbookAnswers;
import dev.bellman.Thorough;
import dev.bellman.fold.BasePairs.Strategy;
import dev.bellman.proof.Values;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BasePairsTest extends SparkTest {
    private static int count(String seq, int minLoop, Strategy strategy) {
        return (Integer) solve(1, seq, minLoop, strategy);
    }

    private static String structure(String seq, int minLoop, Strategy strategy) {
        return solve(2, seq, minLoop, strategy).toString();
    }

    private static Object solve(int function, String seq, int minLoop, Strategy strategy) {
        return TextbookAnswers.call(
                FoldFunctions.list().get(function),
                Strategies.name(strategy),
                FunctionOptions.DEFAULT,
                UTF8String.fromString(seq),
                minLoop);
    }

    @Test
    void definition() {
        SplittableRandom random = new SplittableRandom(3);
        for (int round = 0; round < Thorough.rounds(300, 1_000); round++) {
            String seq = RnaInstances.bases(random, round < 100 ? round % 10 : 40);
            int minLoop = random.nextInt(6);
            InternalRow arguments = Values.row(UTF8String.fromString(seq), minLoop);
            Object pairs = BasePairsTextbook.count(arguments);
            String expected = BasePairsTextbook.structure(arguments).toString();
            for (Strategy strategy : Strategy.values()) {
                assertThat(count(seq, minLoop, strategy)).as(seq).isEqualTo(pairs);
                assertThat(structure(seq, minLoop, strategy)).as(seq).isEqualTo(expected);
            }
        }
    }

    @Test
    void larger() {
        SplittableRandom random = new SplittableRandom(4);
        for (int round = 0; round < 20; round++) {
            String seq = RnaInstances.bases(random, 300);
            assertThat(structure(seq, 3, Strategy.SPARSE)).isEqualTo(structure(seq, 3, Strategy.SERIAL));
        }
    }

    /** Compares with ViennaRNA's maximum matchings. */
    @Test
    void golden() {
        Map<String, Map<String, String>> answers = Golden.rows("rna.gold");
        for (Map<String, String> row : Golden.allRows("rna.data")) {
            Map<String, String> answer = answers.get(row.get("id"));
            assertThat(count(row.get("seq"), 3, Strategy.AUTO))
                    .as(row.get("id"))
                    .isEqualTo(Integer.parseInt(answer.get("mm_minloop3")));
            assertThat(count(row.get("seq"), 0, Strategy.AUTO))
                    .as(row.get("id"))
                    .isEqualTo(Integer.parseInt(answer.get("mm_minloop0")));
        }
    }

    /** The table for 60,000 bases takes 7 GB. */
    @Test
    void tooLong() {
        assertThatThrownBy(() -> count("N".repeat(60_000), 3, Strategy.AUTO))
                .hasMessageStartingWith("[BELLMAN_LIMIT] max_base_pairs: the table for 60,000 bases takes 7,");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "serial", "sparse"})
    void sql(String strategy) {
        withStrategy("max_base_pairs", strategy, () -> {
            Row row = row("max_base_pairs('GGGAAAUCC'), max_base_pairs('gggaaatcc', 4), max_base_pairs_structure(''), "
                    + "max_base_pairs(NULL), try_max_base_pairs('GGR'), max_base_pairs('ACGU', NULL)");
            assertThat(row.getInt(0)).isEqualTo(3);
            assertThat(row.getInt(1)).isEqualTo(2);
            assertThat(row.getString(2)).isEmpty();
            assertThat(row.isNullAt(3)).isTrue();
            assertThat(row.isNullAt(4)).isTrue();
            assertThat(row.isNullAt(5)).isTrue();
        });
    }

    @Test
    void rejected() {
        assertThatThrownBy(() -> count("ACRU", 3, Strategy.AUTO))
                .hasMessageStartingWith(
                        "[BELLMAN_INPUT_VALUE] max_base_pairs: byte 3 of sequence (counted from 1) is 'R'");
        assertThatThrownBy(() -> count("ACGU", -1, Strategy.AUTO))
                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] max_base_pairs: min_loop is -1; it must be at least 0");
    }
}
