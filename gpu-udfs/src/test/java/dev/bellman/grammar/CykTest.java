package dev.bellman.grammar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.BellmanException;
import dev.bellman.Golden;
import dev.bellman.TextbookAnswers;
import dev.bellman.grammar.Cyk.Strategy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests parsing with weighted grammars. */
class CykTest {
    private static final int INSTANCES = 400;

    @Test
    void equalsTheTextbook() {
        TextbookAnswers.compare(GrammarFunctions.list().get(0), 1965, INSTANCES, 14);
    }

    /** Compares with nltk. A tree with the same rules in a different order is equally good. */
    @ParameterizedTest
    @EnumSource
    void golden(Strategy strategy) {
        Map<String, Map<String, String>> rows = Golden.rows("grammar.gold");
        assertThat(rows.size()).isGreaterThanOrEqualTo(150);
        for (Map<String, String> row : rows.values()) {
            Grammar grammar = Grammar.of("cyk", row.get("grammar"));
            List<String> tokens = List.of(row.get("tokens").split(" "));
            if (row.get("log_probability").equals("none")) {
                assertThatThrownBy(() -> Cyk.parse(grammar, tokens, strategy)).isInstanceOf(BellmanException.class);
            } else {
                assertThat(Cyk.parse(grammar, tokens, strategy).logWeight())
                        .as("row %s", row.get("id"))
                        .isCloseTo(Double.parseDouble(row.get("log_probability")), within(1e-9));
            }
        }
    }

    /** Tests both kinds of quotes, newlines, semicolons, blank lines, and arbitrary spaces. */
    @Test
    void grammars() {
        Grammar grammar = Grammar.of("cyk", "\n S->S S[0.5]|\"it's\" [ 5e-1 ] ;\n\n T -> ';' [1]\n");

        assertThat(grammar.symbols()).containsExactly("S", "T");
        assertThat(grammar.words().keySet()).containsExactlyInAnyOrder("it's", ";");
        assertThat(grammar.pairs()).containsExactly(new Grammar.Pair(0, 0, 0, 0, StrictMath.log(0.5)));
    }

    @Test
    void messages() {
        assertThatThrownBy(() -> Grammar.of("cyk", "S -> A B [0.5]\nA -> B [1]"))
                .hasMessage(
                        "[BELLMAN_INPUT_VALUE] cyk: grammar: expected a second symbol after 'A -> B [1]' in line 2, "
                                + "'A -> B [1]'; write rules like S -> A B [0.9] or S -> 'word' [0.1], with "
                                + "alternatives separated by |");
        assertThatThrownBy(() -> Grammar.of("cyk", "S -> A B [x]"))
                .hasMessageContaining("expected a number in brackets");
        assertThatThrownBy(() -> Grammar.of("cyk", "S -> 'a [1]")).hasMessageContaining("an unclosed quote or bracket");
        assertThatThrownBy(() -> Grammar.of("cyk", "S -> 'a' [0]"))
                .hasMessageContaining("must be a finite number above 0");
        assertThatThrownBy(() -> Grammar.of("cyk", " \n")).hasMessageContaining("the grammar has no rules");
    }

    /** Tests numbers of tokens whose squares exceed the range of int; parsing so many tokens would take days. */
    @Test
    void spansOfLongSentences() {
        for (int end : new int[] {0, 1, 2, 46_340, 46_341, 46_342, 65_535}) {
            assertThat(Cyk.spansBefore(end)).isEqualTo((long) end * (end - 1) / 2);
        }
    }

    /**
     * A million spaces after an unclosed bracket are rejected immediately, and a rule with 100,000 alternatives is
     * accepted.
     */
    @Test
    void unclosedBracket() {
        assertThatThrownBy(() -> Grammar.of("cyk", "S -> A B [" + " ".repeat(1_000_000)))
                .hasMessageContaining("an unclosed quote or bracket");
        assertThat(Grammar.of("cyk", "S -> " + "S S [ 0.5 ]|".repeat(100_000) + "'a' [1]")
                        .pairs())
                .hasSize(100_000);
    }
}
