package dev.bellman.job.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.function.Catalogue;
import dev.bellman.job.LocalSpark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.NumericType;
import org.junit.jupiter.api.Test;

/** Tests which direction is better for each result. */
class BestTest {
    /** Pairs of equal values and of different values, keyed by argument type. */
    private static final Map<String, String[]> PAIRS = Map.of(
            "STRING", new String[] {"'{ACCGT}', '{ACCGT}'", "'{ACCGT}', '{TTAAC}'"},
            "ARRAY<DOUBLE>", new String[] {"array(1D, 2D, 3D), array(1D, 2D, 3D)", "array(1D, 2D, 3D), array(7D, 5D)"});

    private static List<Parameter> required(BellmanFunction<?> function) {
        return function.signatures().get(0).parameters().stream()
                .filter(parameter -> !parameter.isOptional())
                .toList();
    }

    /** For every distance and similarity of two values of the same type, equal values have the best result. */
    @Test
    void equalValuesAreBest() {
        List<String> calls = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        for (BellmanFunction<?> function : Catalogue.functions()) {
            List<Parameter> parameters = required(function);
            if (!(function.signatures().get(0).result() instanceof NumericType)
                    || parameters.size() < 2
                    || !parameters.get(0).type().equals(parameters.get(1).type())
                    || parameters.get(1).isChecked()
                    || !PAIRS.containsKey(parameters.get(0).type().sql())
                    || parameters.stream()
                            .skip(2)
                            .anyMatch(each -> !each.type().sql().equals("DOUBLE"))) {
                continue;
            }
            Optional<Boolean> descending = Best.isDescendingByName(function.name());
            if (descending.isEmpty()) {
                unknown.add(function.name());
                continue;
            }
            String[] pairs = PAIRS.get(parameters.get(0).type().sql());
            String more = ", 0.5D".repeat(parameters.size() - 2);
            calls.add("%s(%s%s) %s %1$s(%s%s) AS %1$s"
                    .formatted(function.name(), pairs[0], more, descending.get() ? ">" : "<", pairs[1], more));
        }
        assertThat(calls).hasSizeGreaterThan(15);
        Row better =
                LocalSpark.session().sql("SELECT " + String.join(", ", calls)).first();
        for (int i = 0; i < calls.size(); i++) {
            assertThat(better.getBoolean(i)).as(calls.get(i)).isTrue();
        }
        // the length of a common supersequence grows with the strings, so it is neither a distance nor a similarity
        assertThat(unknown).containsExactly("scs_length");
    }
}
