package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Thorough;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Leeway;
import dev.bellman.proof.Proofs;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that every function in the catalogue is complete and consistent. */
class CatalogueTest {
    private static final int MAX_INSTANCES = 3_000;
    private static final int MIN_INSTANCES = Thorough.rounds(300, MAX_INSTANCES);
    /** Matches descriptions of rejected rows whose result would overflow. */
    private static final Pattern OVERFLOW = Pattern.compile("64 bits|2\\^63 - 1|range of BIGINT");

    static List<BellmanFunction<?>> functions() {
        return Catalogue.functions();
    }

    /** Instances have the types of the parameters, and are the same for the same seed. */
    @ParameterizedTest
    @MethodSource("functions")
    void generatorsFitTheParameters(BellmanFunction<?> function) {
        for (Signature<?> signature : function.signatures()) {
            DataType[] types =
                    signature.parameters().stream().map(each -> each.type()).toArray(DataType[]::new);
            InstanceGenerator generator = Proofs.of(signature).generator();
            assertThat(generator.small()).isLessThan(generator.large());
            UnsafeProjection unsafe = UnsafeProjection.create(types);
            UnsafeProjection again = UnsafeProjection.create(types);
            for (int seed = 0; seed < Thorough.rounds(30, 300); seed++) {
                int size = seed % 3 == 0 ? generator.small() : 300;
                InternalRow row = generator.generate(new SplittableRandom(seed), size);
                assertThat(row.numFields()).isEqualTo(types.length);
                // fails if a value has a different type
                assertThat(unsafe.apply(row))
                        .isEqualTo(again.apply(generator.generate(new SplittableRandom(seed), size)));
            }
        }
    }

    /** If a strategy cannot solve some instance, the strategy is declared as limited. */
    @ParameterizedTest
    @MethodSource("functions")
    void limitedStrategies(BellmanFunction<?> function) {
        for (Signature<?> signature : function.signatures()) {
            InstanceGenerator generator = Proofs.of(signature).generator();
            Leeway leeway = Proofs.of(signature).leeway();
            for (int seed = 0; seed < 60; seed++) {
                int size = seed % 20 == 0 ? generator.large() : seed % 2 == 0 ? generator.small() : 40;
                InternalRow row = generator.generate(new SplittableRandom(seed), Math.min(size, generator.large()));
                for (Enum<?> strategy : function.problem().strategyType().getEnumConstants()) {
                    assertThat(leeway.serves(strategy, row) || leeway.isLimited(strategy))
                            .as("%s does not solve every row", strategy)
                            .isTrue();
                }
            }
        }
    }

    /** If a constant is invalid, planning also fails for {@code try_} functions, so the message does not suggest them. */
    @ParameterizedTest
    @MethodSource("functions")
    void errorsOfConstants(BellmanFunction<?> function) {
        for (Signature<?> signature : function.signatures()) {
            for (Parameter parameter : signature.parameters()) {
                for (Object value : List.of(-1, -1L, Double.NaN, UTF8String.fromString("?"))) {
                    Throwable failure = catchThrowable(() -> parameter.check().accept(function.name(), value));
                    if (failure instanceof BellmanException) {
                        assertThat(failure)
                                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] " + function.name() + ": ")
                                .hasMessageNotContaining("try_");
                    }
                }
            }
        }
    }

    /** Some instances contain NULL, and each expected error code occurs. Oracles solve all other instances. */
    @ParameterizedTest
    @MethodSource("functions")
    void oraclesAnswer(BellmanFunction<?> function) {
        for (Signature<?> signature : function.signatures()) {
            SplittableRandom random = new SplittableRandom(8);
            Set<ErrorCode> codes = EnumSet.noneOf(ErrorCode.class);
            int nulls = 0;
            int answers = 0;
            // if a function has this parameter, results below it are NULL
            boolean hasLeast = signature.parameters().stream()
                    .anyMatch(parameter -> parameter.name().equals("min_score"));
            boolean overflows = OVERFLOW.matcher(function.rejects().orElse("")).find()
                    && !signature.result().sql().contains("DOUBLE");
            int drawn = 0;
            while (drawn < MIN_INSTANCES
                    || drawn < MAX_INSTANCES
                            && (nulls == 0
                                    || codes.contains(ErrorCode.BELLMAN_INPUT_VALUE)
                                            != function.rejects().isPresent()
                                    || codes.contains(ErrorCode.BELLMAN_OVERFLOW) != overflows)) {
                drawn++;
                InternalRow row = Proofs.of(signature)
                        .generator()
                        .generate(random, Proofs.of(signature).generator().small());
                if (row.anyNull()) {
                    nulls++;
                    continue;
                }
                try {
                    Object answer = Proofs.of(signature).oracle().solve(row);
                    if (!hasLeast) {
                        assertThat(answer).isNotNull();
                    }
                    answers++;
                } catch (BellmanException e) {
                    codes.add(e.code());
                }
            }
            assertThat(nulls).isPositive();
            assertThat(answers).isGreaterThan(drawn / 2);
            assertThat(codes.contains(ErrorCode.BELLMAN_INPUT_VALUE))
                    .isEqualTo(function.rejects().isPresent());
            assertThat(codes.contains(ErrorCode.BELLMAN_OVERFLOW)).isEqualTo(overflows);
        }
    }

    @ParameterizedTest
    @MethodSource("functions")
    void isDescribed(BellmanFunction<?> function) {
        assertThat(function.description()).endsWith(".");
        assertThat(function.rejects().orElse("")).doesNotContain(" and and ");
        assertThat(function.signatures()).isNotEmpty();
        assertThat(function.example().expression()).contains(function.name() + "(");
    }

    @ParameterizedTest
    @MethodSource("functions")
    void strategiesBelongToTheProblem(BellmanFunction<?> function) {
        assertThat(function.problem().strategyType().getEnclosingClass())
                .as("the problem on the CPU, whose strategies these are")
                .isNotNull();
    }
}
