package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.SparkTest;
import dev.bellman.Thorough;
import dev.bellman.columns.SolverCall;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.proof.Proofs;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkThrowable;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.TaskKilledException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.CatalystTypeConverters$;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Whatever the arguments are, a call either has a result or fails with an expected error. If the default strategy is
 * declared to return the defined results, its results equal the textbook strategy's.
 */
class MutatedArgumentsTest extends SparkTest {
    private static final int ROUNDS = Thorough.rounds(20, 2_000);
    private static final int MAX_MILLIS = 50;
    private static final long DAY = 86_400_000;

    /** Constants of many types, most of which a given function does not expect. */
    private static final List<String> CONSTANTS = List.of(
            "NULL",
            "CAST(NULL AS INT)",
            "''",
            "' '",
            "'x'",
            "'1e400'",
            "'NaN'",
            "repeat('A', 2000)",
            "X'00FF'",
            "CAST(X'C328FF' AS STRING)",
            "'\u00e9\ud835\udd4f'",
            "'a' COLLATE UTF8_LCASE",
            "0",
            "-1",
            "2147483647",
            "-2147483648",
            "9223372036854775807L",
            "-9223372036854775808L",
            "1.5",
            "1e308D",
            "double('NaN')",
            "float('Infinity')",
            "-0.0D",
            "99999999999999999999999999999999999999BD",
            "true",
            "DATE'2020-01-01'",
            "TIMESTAMP'2020-01-01 00:00:00'",
            "TIMESTAMP_NTZ'2020-01-01 00:00:00'",
            "current_timestamp()",
            "INTERVAL '1' DAY",
            "INTERVAL '1' MONTH",
            "parse_json('\"a\"')",
            "parse_json('[1, 2]')",
            "parse_json('7')",
            "array()",
            "array(NULL)",
            "array(1)",
            "array(-1, 2147483647)",
            "array('a', NULL)",
            "array('')",
            "array(1.5D, double('NaN'))",
            "array(array())",
            "array(array(1D, NULL))",
            "array(array(1), array(2, 3))",
            "array(parse_json('1'))",
            "array(TIMESTAMP'2020-01-01 00:00:00')",
            "map('a', 1)",
            "named_struct('x', 1)",
            "array(named_struct('source', 0, 'target', 1, 'weight', NULL))",
            "array(named_struct('source', 0, 'target', 0, 'weight', -1))",
            "array(NULL, named_struct('x', 1))");

    /**
     * Whether a call may fail in this way: with a {@link BellmanException} that no {@link Error} caused, or with an
     * exception of Spark's that is neither an internal error nor the wrapper of a function's exception.
     */
    private static boolean isExpected(Throwable failure) {
        return BellmanException.in(failure)
                        .filter(e -> !(e.getCause() instanceof Error))
                        .isPresent()
                || failure instanceof SparkThrowable spark
                        && spark.getCondition() != null
                        && !spark.getCondition().startsWith("INTERNAL_ERROR")
                        && !spark.getCondition().equals("FAILED_EXECUTE_UDF");
    }

    @TestFactory
    Stream<DynamicTest> values() {
        return Catalogue.functions().stream()
                .map(function -> DynamicTest.dynamicTest(
                        function.name(), () -> assertThat(faults(function, System.currentTimeMillis() / DAY, ROUNDS))
                                .isEmpty()));
    }

    /**
     * Returns calls that fail with anything but a row error, or whose results or error codes differ between two
     * strategies that are declared to return the same.
     */
    static <S extends Enum<S>> List<String> faults(BellmanFunction<S> function, long seed, int rounds) {
        List<String> faults = new ArrayList<>();
        for (Signature<S> signature : function.signatures()) {
            SplittableRandom random = new SplittableRandom(seed);
            MutatedArguments mutations = new MutatedArguments(random);
            List<DataType> types =
                    signature.parameters().stream().map(Parameter::type).toList();
            List<SolverCall> calls = Stream.of(
                            function.problem().strategy("auto"),
                            function.problem().textbook())
                    .map(strategy -> signature.call(strategy, FunctionOptions.DEFAULT))
                    .toList();
            for (int round = 0; round < rounds; round++) {
                InternalRow row = Proofs.of(signature)
                        .generator()
                        .generate(random, Proofs.of(signature).generator().small());
                Object[] values = mutations.mutated(types, row);
                List<String> answers = calls.stream()
                        .map(each -> answer(each, signature.result(), values))
                        .toList();
                boolean differ = !answers.contains("STOPPED")
                        && function.traits().answersAsDefined(function.problem().strategy("auto"))
                        && !answers.get(0).equals(answers.get(1));
                if (differ || answers.stream().anyMatch(answer -> answer.startsWith("FAULT"))) {
                    faults.add("%s%s of %s: %s".formatted(function.name(), signature, shown(types, values), answers));
                }
            }
        }
        return faults;
    }

    private static String shown(List<DataType> types, Object... values) {
        return IntStream.range(0, values.length)
                .mapToObj(i -> CatalystTypeConverters$.MODULE$.convertToScala(values[i], types.get(i)))
                .map(String::valueOf)
                .collect(Collectors.joining(" | "));
    }

    private static String answer(SolverCall call, DataType result, Object... values) {
        TaskContextImpl task = TaskContext$.MODULE$.empty();
        TaskContext$.MODULE$.setTaskContext(task);
        KILLER.watch(task);
        try {
            Object answer = CatalystTypeConverters$.MODULE$
                    .createToCatalystConverter(result)
                    .apply(call.result(values));
            return UnsafeProjection.create(new DataType[] {result})
                    .apply(new GenericInternalRow(new Object[] {answer}))
                    .toString();
        } catch (TaskKilledException e) {
            return "STOPPED";
        } catch (BellmanException e) {
            return e.code().isRowError() && !(e.getCause() instanceof Error)
                    ? e.code().name()
                    : "FAULT " + e;
        } catch (Throwable e) {
            return "FAULT %s at %s".formatted(e, e.getStackTrace().length == 0 ? "" : e.getStackTrace()[0]);
        } finally {
            KILLER.watch(null);
            TaskContext$.MODULE$.unset();
        }
    }

    private static final Killer KILLER = new Killer();

    /** Kills tasks that take long, which happens if extreme values are valid. */
    private static final class Killer extends Thread {
        private TaskContextImpl task;
        private long until;

        Killer() {
            setDaemon(true);
            start();
        }

        synchronized void watch(TaskContextImpl next) {
            task = next;
            until = System.nanoTime() + MAX_MILLIS * 1_000_000L;
        }

        @Override
        public void run() {
            while (true) {
                try {
                    Thread.sleep(MAX_MILLIS / 5);
                } catch (InterruptedException e) {
                    return;
                }
                synchronized (this) {
                    if (task != null && System.nanoTime() > until) {
                        task.markInterrupted("long enough");
                    }
                }
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> constants() {
        return Thorough.part(Catalogue.functions())
                .map(function -> DynamicTest.dynamicTest(function.name(), () -> assertThat(faultsOfConstants(function))
                        .isEmpty()));
    }

    static List<String> faultsOfConstants(BellmanFunction<?> function) {
        List<String> faults = new ArrayList<>();
        for (Signature<?> signature : function.signatures()) {
            Dataset<Row> table = table(signature);
            for (int i = 0; i < signature.parameters().size(); i++) {
                for (String constant : CONSTANTS) {
                    List<String> arguments = new ArrayList<>(List.of(table.columns()));
                    arguments.set(i, constant);
                    String call = "%s(%s)".formatted(function.name(), String.join(", ", arguments));
                    try {
                        table.selectExpr(call).collectAsList();
                    } catch (Throwable e) {
                        if (!isExpected(e)) {
                            faults.add("%s: %s at %s"
                                    .formatted(
                                            call, e, List.of(e.getStackTrace()).subList(0, 3)));
                        }
                    }
                }
            }
        }
        return faults;
    }

    /** Returns a table with one row of generated arguments, none of which is NULL. */
    private static Dataset<Row> table(Signature<?> signature) {
        List<DataType> types =
                signature.parameters().stream().map(Parameter::type).toList();
        StructType schema = new StructType(signature.parameters().stream()
                .map(each ->
                        new StructField(each.name(), each.type(), true, org.apache.spark.sql.types.Metadata.empty()))
                .toArray(StructField[]::new));
        InternalRow row = Stream.generate(new SplittableRandom(1)::split)
                .map(random -> Proofs.of(signature)
                        .generator()
                        .generate(random, Proofs.of(signature).generator().small()))
                .filter(each -> !each.anyNull())
                .findFirst()
                .orElseThrow();
        Object[] values = IntStream.range(0, types.size())
                .mapToObj(i -> CatalystTypeConverters$.MODULE$.convertToScala(row.get(i, types.get(i)), types.get(i)))
                .toArray();
        return spark.createDataFrame(List.of(RowFactory.create(values)), schema);
    }
}
