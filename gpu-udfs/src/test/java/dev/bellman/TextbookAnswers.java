package dev.bellman;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Signature;
import dev.bellman.function.Catalogue;
import dev.bellman.proof.Proofs;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.CatalystTypeConverters$;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;

/** Compares every strategy of a function with its oracle. */
public final class TextbookAnswers {
    private TextbookAnswers() {}

    /**
     * Compares the results of up to {@code instances} instances of each signature bit for bit. For rejected instances,
     * compares the error codes.
     *
     * @param large the size of every tenth instance; the others have the generator's small size
     */
    public static <S extends Enum<S>> void compare(BellmanFunction<S> function, long seed, int instances, int large) {
        for (Signature<S> signature : function.signatures()) {
            SplittableRandom random = new SplittableRandom(seed);
            UnsafeProjection bits = UnsafeProjection.create(new DataType[] {signature.result()});
            for (int round = 0; round < instances; round++) {
                int size = round % 10 == 0
                        ? large
                        : Proofs.of(signature).generator().small();
                InternalRow row = Proofs.of(signature).generator().generate(random, size);
                if (row.anyNull()) {
                    continue;
                }
                String expected =
                        answer(bits, () -> Proofs.of(signature).oracle().solve(row));
                for (S strategy : function.problem().strategyType().getEnumConstants()) {
                    assertThat(answer(bits, () -> CatalystTypeConverters$.MODULE$
                                    .createToCatalystConverter(signature.result())
                                    .apply(call(signature, strategy, FunctionOptions.DEFAULT, row))))
                            .as("%s by %s of instance %d", function.name(), strategy, round)
                            .isEqualTo(expected);
                }
            }
        }
    }

    /** Calls a function on the CPU with the values in a row, none of which is NULL. */
    public static <S extends Enum<S>> Object call(
            Signature<S> signature, S strategy, FunctionOptions options, InternalRow row) {
        Object[] arguments = new Object[row.numFields()];
        Arrays.setAll(arguments, i -> row.get(i, signature.parameters().get(i).type()));
        return signature.call(strategy, options).result(arguments);
    }

    /** Calls a function with Catalyst values as arguments, using its first signature with this number of parameters. */
    public static <S extends Enum<S>> Object call(
            BellmanFunction<S> function, String strategy, FunctionOptions options, Object... arguments) {
        Signature<S> signature = function.signatures().stream()
                .filter(each -> each.parameters().size() == arguments.length)
                .findFirst()
                .orElseThrow();
        return signature.call(function.problem().strategy(strategy), options).result(arguments);
    }

    /** Calls the function with this name, with a strategy and the default options. */
    public static Object call(String name, Enum<?> strategy, Object... arguments) {
        return call(Catalogue.named(name).orElseThrow(), Strategies.name(strategy), FunctionOptions.DEFAULT, arguments);
    }

    /** Returns the bits of a result, or the error code of a rejected instance. */
    private static String answer(UnsafeProjection bits, Supplier<Object> call) {
        try {
            return bits.apply(new GenericInternalRow(new Object[] {call.get()})).toString();
        } catch (BellmanException e) {
            return e.code().toString();
        }
    }
}
