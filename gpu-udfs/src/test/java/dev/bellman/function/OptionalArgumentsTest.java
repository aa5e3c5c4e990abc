package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.SparkTest;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Overload;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.proof.Proofs;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Omitted arguments, by position and by name, have the same effect as their defaults. */
class OptionalArgumentsTest extends SparkTest {
    private static final int ROWS = 40;

    static List<BellmanFunction<?>> functions() {
        return Catalogue.functions().stream()
                .filter(function -> function.overloads().stream()
                        .anyMatch(each -> each.required() < each.parameters().size()))
                .toList();
    }

    /** Tests every subset of the optional arguments of each overload, in one query per subset. */
    @ParameterizedTest
    @MethodSource("functions")
    void everySubset(BellmanFunction<?> function) {
        for (Overload<?> overload : function.overloads()) {
            List<Parameter> parameters = overload.parameters();
            int required = overload.required();
            for (int given = 0; given < 1 << parameters.size() - required; given++) {
                int chosen = given << required | (1 << required) - 1;
                Dataset<Row> rows = rows(overload, chosen);
                String named = call(function, parameters, chosen, true);
                String whole = call(function, parameters, -1, false);
                List<Row> answers = rows.selectExpr(named, whole).collectAsList();
                assertThat(answers).as(named).hasSize(ROWS).allSatisfy(row -> assertThat(row.get(0))
                        .isEqualTo(row.get(1)));
                assertThat(answers).as(named).anySatisfy(row -> assertThat(row.get(0))
                        .isNotNull());
            }
        }
    }

    /** Returns rows with all arguments, in which the arguments outside the subset have their defaults. */
    private static Dataset<Row> rows(Overload<?> overload, int chosen) {
        List<Parameter> parameters = overload.parameters();
        Signature<?> all = overload.given(parameters.size());
        StructType schema = new StructType();
        for (Parameter parameter : parameters) {
            schema = schema.add(parameter.name(), parameter.type());
        }
        SplittableRandom random = new SplittableRandom(46);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            InternalRow drawn = Proofs.of(all)
                    .generator()
                    .generate(random, Proofs.of(all).generator().small());
            rows.add((Row) CatalystTypeConverters.convertToScala(
                    new GenericInternalRow(IntStream.range(0, parameters.size())
                            .mapToObj(at -> (chosen >> at & 1) == 0
                                    ? parameters
                                            .get(at)
                                            .ifAbsent()
                                            .orElseThrow()
                                            .value()
                                    : drawn.isNullAt(at)
                                            ? null
                                            : drawn.get(at, parameters.get(at).type()))
                            .toArray()),
                    schema));
        }
        return spark.createDataFrame(rows, schema);
    }

    private static String call(BellmanFunction<?> function, List<Parameter> parameters, int chosen, boolean named) {
        return IntStream.range(0, parameters.size())
                .filter(i -> (chosen >> i & 1) == 1)
                .mapToObj(parameters::get)
                .map(each -> (named && each.isOptional() ? "`%1$s` => `%1$s`" : "`%s`").formatted(each.name()))
                .collect(Collectors.joining(", ", function.tryName() + "(", ")"));
    }

    /** Tests calls that set the power by name and omit the band. */
    @Test
    void byName() {
        String series = "array(1D, 2D, 9D, 9D), array(3D, 5D, 1D, 0D)";
        for (String name : List.of("dtw", "try_dtw")) {
            assertThat(value("%s(%s, power => 1)".formatted(name, series))).isEqualTo(22.0);
            assertThat(value("%s(%s, power => 1, max => 21D)".formatted(name, series)))
                    .isEqualTo(Double.POSITIVE_INFINITY);
            assertThat(value(name + "(power => 1, b => array(3D, 5D, 1D, 0D), a => array(1D, 2D, 9D, 9D))"))
                    .isEqualTo(22.0);
        }
    }

    @Test
    void wrongNames() {
        assertThatThrownBy(() -> value("dtw(array(1D), power => 1)"))
                .hasMessageContaining(
                        "dtw: the argument b is missing; expected dtw(a, b, band = no limit, max = no limit, "
                                + "power = 2)");
        assertThatThrownBy(() -> value("dtw(array(1D), array(1D), limit => 1)"))
                .hasMessageContaining("dtw has no argument limit; expected dtw(a, b,");
        assertThatThrownBy(() -> value("dtw(array(1D), array(1D), 1, band => 1)"))
                .hasMessageContaining("dtw: the argument band is given twice");
    }
}
