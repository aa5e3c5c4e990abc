package dev.bellman.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.check.Lane.Engine;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.function.Catalogue;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.Thorough;
import dev.bellman.proof.Proofs;
import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

/** A difference is shrunk no matter which function it is in, and the printed statement runs. */
class ShrinkingTest {
    /** Unless the tests are thorough, only one in {@code STRIDE} signatures is tested. */
    private static final int STRIDE = 16;

    /** The size of the rows, which is small so that they are shrunk in a few steps. */
    private static final int SIZE = 4;

    /** The number of candidates that are tried for a step. */
    private static final int TRIED = 12;

    private final Sessions sessions = new Sessions(LocalSpark.session(), EnumSet.of(Engine.CPU), Catalogue.functions());

    /** Counts the results of some candidates as incorrect, without computing them. */
    private static class Wrong<S extends Enum<S>> extends Comparison<S> {
        Wrong(Lane<S> lane) {
            super(lane);
        }

        @Override
        List<Tally> compare(Instances instances, long from, long to) {
            Tally tally = new Tally();
            for (long number = from; number < to; number++) {
                tally.add(number, false, number < TRIED, false);
            }
            return List.of(tally);
        }

        @Override
        List<String> answers(InternalRow instance) {
            return List.of("wrong", "right");
        }
    }

    @Test
    void everySignature() throws ParseException {
        List<String> answered = new ArrayList<>();
        List<String> withNull = new ArrayList<>();
        int number = 0;
        for (BellmanFunction<?> function : Catalogue.functions()) {
            for (int signature = 0; signature < function.signatures().size(); signature++) {
                if (number++ % Thorough.stride(STRIDE) == 0) {
                    shrink(function, signature, answered, withNull);
                }
            }
        }
        // one query for many statements is as fast as one query for each of a few statements
        Row answers = LocalSpark.session()
                .sql("SELECT " + String.join(", ", answered))
                .first();
        assertThat(answers.length()).isGreaterThan(150 / STRIDE);
        assertThat(answers.anyNull()).isFalse();
        ParserInterface parser = ((org.apache.spark.sql.classic.SparkSession) LocalSpark.session())
                .sessionState()
                .sqlParser();
        for (String call : withNull) {
            assertThat(parser.parseExpression(call)).as(call).isNotNull();
        }
    }

    /** Shrinks a row that has a result, and rows with a NULL argument. */
    private <S extends Enum<S>> void shrink(
            BellmanFunction<S> function, int signature, List<String> answered, List<String> withNull) {
        S auto = function.problem().strategyType().getEnumConstants()[0];
        int small = Proofs.of(function.signatures().get(signature)).generator().small();
        Lane<S> lane = new Lane<>(
                function,
                signature,
                auto,
                Engine.CPU,
                Lane.Sizes.of(Math.min(SIZE, small)),
                Lane.Reference.oracle(),
                7);
        Solver solver = Comparison.solver(lane, sessions, auto, function.tryName());
        InternalRow row = LongStream.iterate(0, number -> number + 1)
                .mapToObj(lane.stream()::instance)
                .filter(any -> solver.solve(any) != null)
                .findFirst()
                .orElseThrow();
        answered.add(shrink(lane, row));
        for (int missing = 0; missing < row.numFields(); missing++) {
            Object[] values = ((GenericInternalRow) row).values().clone();
            values[missing] = null;
            withNull.add(shrink(lane, Values.row(values)));
        }
    }

    /** Returns a call with the shrunk row. */
    private <S extends Enum<S>> String shrink(Lane<S> lane, InternalRow row) {
        List<InternalRow> last = new ArrayList<>();
        Comparison<S> wrong = new Wrong<>(lane) {
            @Override
            List<String> answers(InternalRow instance) {
                last.add(instance);
                return super.answers(instance);
            }
        };
        Finding finding = new LaneSubject<>(List.of(lane), sessions).shrunk(lane, wrong, row);
        assertThat(finding.text())
                .contains(
                        "SELECT " + SqlText.call(lane.function().name(), lane.types(), last.get(0)) + ";",
                        "answer   wrong",
                        "expected right");
        return SqlText.call(lane.function().tryName(), lane.types(), last.get(0));
    }

    /**
     * Some functions have a list with an element for each pair of entries of another list. The shrinker treats a number
     * as a single element, but must not mistake it for such a list, which has one element for two entries.
     */
    @Test
    void numbersHaveNoElements() {
        List<DataType> types = List.of(DataTypes.createArrayType(DataTypes.DoubleType), DataTypes.IntegerType);
        InternalRow row = Values.row(Values.array(3.5, 4), 2);

        InternalRow shrunk = new Shrinker(types, rows -> rows.stream().findFirst()).shrink(row);

        assertThat(SqlText.call("f", types, shrunk)).isEqualTo("f(CAST(array() AS ARRAY<DOUBLE>), 0)");
        assertThat(new Shrinker(types, rows -> Optional.empty()).shrink(row).getInt(1))
                .isEqualTo(2);
    }
}
