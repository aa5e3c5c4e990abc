package dev.bellman.fold.rna;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.SolverCall;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Signature;
import dev.bellman.proof.Proofs;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import scala.Function1;

/** Compares every function of this family, with every strategy, with its definition. */
class RnaDefinitionTest {
    private static final int ROUNDS = 120;
    private static final int SIZE = 16;

    static List<BellmanFunction<?>> functions() {
        return RnaFunctions.list();
    }

    @ParameterizedTest
    @MethodSource("functions")
    <S extends Enum<S>> void definition(BellmanFunction<S> function) {
        SplittableRandom random = new SplittableRandom(11);
        int answered = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Signature<S> signature = function.signatures().get(round % 2);
            InternalRow arguments = Proofs.of(signature).generator().generate(random, SIZE);
            if (!arguments.anyNull() && isAnswered(function, signature, arguments)) {
                answered++;
            }
        }
        assertThat(answered).isGreaterThan(ROUNDS / 2);
    }

    /** Compares the results, or checks that both reject the instance; returns whether there is a result. */
    private static <S extends Enum<S>> boolean isAnswered(
            BellmanFunction<S> function, Signature<S> signature, InternalRow arguments) {
        Object[] given = new Object[signature.parameters().size()];
        Arrays.setAll(
                given, at -> arguments.get(at, signature.parameters().get(at).type()));
        Object expected = null;
        BellmanException rejected = null;
        try {
            expected = Proofs.of(signature).oracle().solve(arguments);
        } catch (BellmanException e) {
            rejected = e;
        }
        for (S strategy : function.problem().strategyType().getEnumConstants()) {
            SolverCall call = signature.call(strategy, FunctionOptions.DEFAULT);
            if (rejected != null) {
                assertThatThrownBy(() -> call.result(given))
                        .as(Arrays.toString(given))
                        .hasMessageStartingWith("[" + rejected.code() + "]");
                continue;
            }
            Object answer = CatalystTypeConverters.createToCatalystConverter(signature.result())
                    .apply(call.result(given));
            if (function.traits().answersAsDefined(strategy)) {
                Function1<Object, Object> readable = CatalystTypeConverters.createToScalaConverter(signature.result());
                assertThat(readable.apply(answer))
                        .as("%s by %s", Arrays.toString(given), strategy)
                        .isEqualTo(readable.apply(expected));
            } else {
                assertThat(Proofs.of(signature).leeway().isRight(arguments, expected, answer))
                        .as("%s by %s: %s, not %s", Arrays.toString(given), strategy, answer, expected)
                        .isTrue();
            }
        }
        return rejected == null;
    }
}
