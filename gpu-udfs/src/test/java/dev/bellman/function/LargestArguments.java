package dev.bellman.function;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.Thorough;
import dev.bellman.columns.SolverCall;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Signature;
import java.util.EnumMap;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.stream.Stream;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.TaskKilledException;
import org.apache.spark.sql.catalyst.CatalystTypeConverters$;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;

/**
 * A process that {@link LargestArgumentsTest} starts: it calls every function with arguments of up to an eighth of its
 * heap, and writes each result to a row as Spark does. The process prints a line for each signature and strategy, and a
 * line for each failure that is not a row error.
 */
final class LargestArguments {
    static final String FAILED = "FAILED";
    static final String DONE = "DONE";

    private static final int MAX_MILLIS = 100;

    /** The size of the arguments is the size of the heap, divided by one of these numbers. */
    private static final int[] PARTS = {8, 30};

    enum End {
        SOLVED,
        REFUSED,
        INVALID,
        /** The memory was sufficient, and the call was stopped during its computation. */
        STOPPED
    }

    private LargestArguments() {}

    private record Case(BellmanFunction<?> function, String strategy) {}

    /**
     * @param arguments {@code all} for today's part of all strategies, with several sizes; otherwise, a few instances
     *     of each function
     */
    public static void main(String... arguments) {
        Timer timer = new Timer(true);
        boolean all = arguments[0].equals("all");
        Stream<Case> cases = Catalogue.functions().stream().map(function -> new Case(function, "auto"));
        if (all) {
            cases = Thorough.part(Catalogue.functions().stream()
                    .flatMap(function ->
                            function.problem().strategies().stream().map(strategy -> new Case(function, strategy)))
                    .toList());
        }
        cases.forEach(each -> {
            for (Signature<?> signature : each.function().signatures()) {
                call(timer, each.function(), signature, each.strategy(), all);
            }
        });
        System.out.println(DONE);
    }

    private static <S extends Enum<S>> void call(
            Timer timer, BellmanFunction<S> function, Signature<?> anySignature, String strategy, boolean all) {
        @SuppressWarnings("unchecked")
        Signature<S> signature = (Signature<S>) anySignature;
        SolverCall call = signature.call(function.problem().strategy(strategy), FunctionOptions.DEFAULT);
        Map<End, Integer> ends = new EnumMap<>(End.class);
        for (int part : all ? PARTS : new int[] {PARTS[0]}) {
            LargeInstances.largest(signature, Runtime.getRuntime().maxMemory() / part, all ? LargeInstances.DRAWS : 1)
                    .forEach(instance -> {
                        try {
                            ends.merge(
                                    end(timer, MAX_MILLIS, call, signature, values(signature, instance)),
                                    1,
                                    Integer::sum);
                        } catch (Throwable e) {
                            System.out.printf(
                                    "%s %s%s by %s, arguments of 1/%d of the heap: %s%n",
                                    FAILED, function.name(), signature, strategy, part, e);
                            e.printStackTrace();
                        }
                    });
        }
        System.out.printf("%s%s by %s: %s%n", function.name(), signature, strategy, ends);
    }

    private static Object[] values(Signature<?> signature, InternalRow instance) {
        Object[] values = new Object[instance.numFields()];
        for (int i = 0; i < values.length; i++) {
            values[i] = instance.get(i, signature.parameters().get(i).type());
        }
        return values;
    }

    /** Calls a function, and kills its task after {@code millis} milliseconds. */
    static End end(Timer timer, int millis, SolverCall call, Signature<?> signature, Object... arguments) {
        DataType result = signature.result();
        TaskContextImpl task = TaskContext$.MODULE$.empty();
        TaskContext$.MODULE$.setTaskContext(task);
        TimerTask kill = new TimerTask() {
            @Override
            public void run() {
                task.markInterrupted("long enough");
            }
        };
        timer.schedule(kill, millis);
        try {
            Object answer = CatalystTypeConverters$.MODULE$
                    .createToCatalystConverter(result)
                    .apply(call.result(arguments));
            UnsafeProjection.create(new DataType[] {result}).apply(new GenericInternalRow(new Object[] {answer}));
            return End.SOLVED;
        } catch (TaskKilledException e) {
            return End.STOPPED;
        } catch (BellmanException e) {
            if (e.getCause() instanceof OutOfMemoryError || !e.code().isRowError()) {
                throw e;
            }
            return e.code() == ErrorCode.BELLMAN_LIMIT ? End.REFUSED : End.INVALID;
        } finally {
            kill.cancel();
            TaskContext$.MODULE$.unset();
        }
    }
}
