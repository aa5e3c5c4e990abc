package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.GpuTest;
import dev.bellman.Strategies;
import dev.bellman.Thorough;
import dev.bellman.columns.SolverCall;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares every kernel with the CPU, with each strategy that has one, for each signature of each function. */
class EveryKernelGpuTest extends GpuTest {
    private static final int ROWS = Thorough.rounds(100, 1_000);

    /** The size of every fourth instance, unless the large size of its generator is smaller. */
    private static final int SIZE = 100;

    /** The number of instances whose constants are used for all rows, if the kernel takes constants. */
    private static final int CONSTANTS = 10;

    static List<BellmanFunction<?>> functions() {
        return Catalogue.functions().stream().filter(BellmanFunction::hasKernel).toList();
    }

    @ParameterizedTest
    @MethodSource("functions")
    <S extends Enum<S>> void answersAsTheCpu(BellmanFunction<S> function) {
        for (Signature<S> signature : function.signatures()) {
            for (S strategy : function.problem().strategyType().getEnumConstants()) {
                if (signature.hasKernel(strategy)) {
                    withConf(function.problem().strategyKey(), Strategies.name(strategy), () -> {
                        compare(function, signature, strategy);
                    });
                }
            }
        }
    }

    private static <S extends Enum<S>> void compare(BellmanFunction<S> function, Signature<S> signature, S strategy) {
        StructType schema = new StructType();
        for (Parameter parameter : signature.parameters()) {
            schema = schema.add(parameter.name(), parameter.type());
        }
        List<InternalRow> instances = instances(Proofs.of(signature), strategy);
        Dataset<Row> input = instances(schema, 2, instances.stream());
        SolverCall solver = signature.call(strategy, FunctionOptions.DEFAULT);
        int columns = solver.columns();
        List<String> names = List.of(schema.fieldNames());
        if (solver.hasKernel()) {
            compare(input, call(function, names, List.of()));
        }
        for (InternalRow instance : instances.subList(0, columns < names.size() ? CONSTANTS : 0)) {
            List<String> constants = new ArrayList<>();
            for (Parameter parameter : signature.parameters().subList(columns, names.size())) {
                Object value = instance.get(columns + constants.size(), parameter.type());
                if (value == null || isRejected(function, parameter, value)) {
                    break;
                }
                constants.add(Literal.create(printable(value, parameter.type()), parameter.type())
                        .sql());
            }
            if (columns + constants.size() == names.size()) {
                compare(input, call(function, names.subList(0, columns), constants));
            }
        }
    }

    /** Returns an equal value that a literal can print as SQL. */
    private static Object printable(Object value, DataType type) {
        return value instanceof ArrayData entries
                ? new GenericArrayData(entries.toObjectArray(((ArrayType) type).elementType()))
                : value;
    }

    /** Whether Spark refuses to plan a query with this constant. */
    private static boolean isRejected(BellmanFunction<?> function, Parameter parameter, Object value) {
        try {
            parameter.check().accept(function.name(), value);
            return false;
        } catch (BellmanException e) {
            return true;
        }
    }

    private static String call(BellmanFunction<?> function, List<String> columns, List<String> constants) {
        return Stream.concat(columns.stream(), constants.stream())
                .collect(Collectors.joining(", ", function.tryName() + "(", ")"));
    }

    private static void compare(Dataset<Row> input, String call) {
        Dataset<Row> query = input.selectExpr(call);
        List<String> onGpu = answers(query);
        assertThat(query.queryExecution().executedPlan().toString())
                .contains("gpu_" + function(call) + "(")
                .doesNotContainIgnoringCase("cpubridge");
        assertThat(onGpu)
                .as(call)
                .isEqualTo(withConf("spark.rapids.sql.enabled", "false", () -> answers(input.selectExpr(call))));
    }

    private static List<InternalRow> instances(Proof proof, Enum<?> strategy) {
        SplittableRandom random = new SplittableRandom(50);
        int large = Math.min(SIZE, proof.generator().large());
        return Stream.iterate(0, i -> i + 1)
                .map(i -> proof.generator()
                        .generate(random, i % 4 == 0 ? large : proof.generator().small()))
                .filter(row -> proof.leeway().serves(strategy, row))
                .limit(ROWS)
                .toList();
    }

    /** Returns the results as text, in which NaN equals NaN, and 0.0 differs from -0.0. */
    private static List<String> answers(Dataset<Row> query) {
        return query.collectAsList().stream().map(Row::toString).toList();
    }
}
