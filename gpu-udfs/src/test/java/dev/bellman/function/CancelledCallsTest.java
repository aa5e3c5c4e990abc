package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.Thorough;
import dev.bellman.columns.SolverCall;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Signature;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.TaskKilledException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * If a call's task is killed, or its thread is interrupted, the call ends within a second of CPU time, whatever the
 * function. The instances are those of {@link LargeInstances}: the first that takes long, and the largest.
 */
class CancelledCallsTest {
    private static final int DRAWS = LargeInstances.DRAWS;
    private static final long MAX_NANOS = 1_000_000_000;

    /**
     * The maximum number of tries. Several may be needed, because repeated calls become faster until their code is
     * compiled.
     */
    private static final int MAX_TRIES = 5;

    /** How a call ended. */
    private enum End {
        EARLY,
        KILLED,
        INTERRUPTED
    }

    /** A call with the milliseconds of CPU time that it took. */
    private record Call(Object[] arguments, End end, long millis) {}

    @TestFactory
    Stream<DynamicTest> everyFunction() {
        return Catalogue.functions().stream()
                .map(function ->
                        DynamicTest.dynamicTest(function.name(), () -> cancelled(function, "auto", 1 << 20, 50)));
    }

    @TestFactory
    @Tag("thorough")
    Stream<DynamicTest> everyStrategy() {
        return Thorough.part(Catalogue.functions().stream()
                .flatMap(function -> function.problem().strategies().stream()
                        .map(strategy -> DynamicTest.dynamicTest(
                                function.name() + " by " + strategy,
                                () -> cancelled(function, strategy, 1 << 24, 200))))
                .toList());
    }

    private static <S extends Enum<S>> void cancelled(
            BellmanFunction<S> function, String strategy, long maxBytes, int millisBefore) throws InterruptedException {
        S typed = function.problem().strategy(strategy);
        for (Signature<S> signature : function.signatures()) {
            cancel(signature, signature.call(typed, FunctionOptions.DEFAULT), maxBytes, millisBefore);
        }
    }

    /** Cancels the first call that takes long; if none does, cancels the slowest call after half of its time. */
    private static void cancel(Signature<?> signature, SolverCall solver, long maxBytes, int millisBefore)
            throws InterruptedException {
        Call slowest = null;
        for (InternalRow instance :
                (Iterable<InternalRow>) LargeInstances.ascending(signature, maxBytes, DRAWS)::iterator) {
            Object[] arguments = arguments(signature, instance);
            Call call = cancel(solver, true, millisBefore, arguments);
            if (call.end() == End.KILLED
                    && cancel(solver, false, millisBefore, arguments).end() == End.INTERRUPTED) {
                for (InternalRow larger : (Iterable<InternalRow>)
                        LargeInstances.largest(signature, maxBytes, Math.min(2, DRAWS))::iterator) {
                    cancel(solver, true, millisBefore, arguments(signature, larger));
                }
                return;
            }
            if (slowest == null || call.millis() > slowest.millis()) {
                slowest = call;
            }
        }
        boolean cancelled = slowest != null
                && isCancelledHalfway(solver, true, slowest)
                && isCancelledHalfway(solver, false, slowest);
        assertThat(cancelled || slowest == null || TimeUnit.MILLISECONDS.toNanos(slowest.millis()) < MAX_NANOS)
                .as("a call that takes more than a second is cancelled")
                .isTrue();
    }

    /**
     * Cancels a call after half of its time, and returns whether it was still running. Tries again if it ended early,
     * because repeated calls become faster.
     */
    private static boolean isCancelledHalfway(SolverCall solver, boolean kill, Call whole) throws InterruptedException {
        Call call = whole;
        for (int tries = 0; tries < MAX_TRIES && call.millis() > 1; tries++) {
            call = cancel(solver, kill, call.millis() / 2, call.arguments());
            if (call.end() != End.EARLY) {
                return true;
            }
        }
        return false;
    }

    private static Object[] arguments(Signature<?> signature, InternalRow instance) {
        Object[] arguments = new Object[instance.numFields()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = instance.get(i, signature.parameters().get(i).type());
        }
        return arguments;
    }

    private static Call cancel(SolverCall solver, boolean kill, long millisBefore, Object... arguments)
            throws InterruptedException {
        TaskContextImpl task = TaskContext$.MODULE$.empty();
        End[] end = {null};
        Throwable[] unexpected = {null};
        long[] nanos = {0};
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Thread caller = new Thread(() -> {
            TaskContext$.MODULE$.setTaskContext(task);
            long start = threads.getCurrentThreadCpuTime();
            try {
                solver.result(arguments);
                end[0] = End.EARLY;
            } catch (BellmanException e) {
                end[0] = End.EARLY;
            } catch (TaskKilledException e) {
                end[0] = End.KILLED;
            } catch (CancellationException e) {
                end[0] = End.INTERRUPTED;
            } catch (Throwable e) {
                unexpected[0] = e;
            }
            nanos[0] = threads.getCurrentThreadCpuTime() - start;
        });
        caller.start();
        caller.join(millisBefore);
        long before = threads.getThreadCpuTime(caller.getId());
        // this waits for a safepoint, as garbage collection does, and the call must not delay it either
        StackTraceElement[] running = caller.getStackTrace();
        assertThat(threads.getThreadCpuTime(caller.getId()) - before)
                .as("%s, before a safepoint", Arrays.toString(running))
                .isLessThan(MAX_NANOS);
        before = threads.getThreadCpuTime(caller.getId());
        if (kill) {
            task.markInterrupted("stage cancelled");
        } else {
            caller.interrupt();
        }
        long spent = 0;
        for (long now = before; now >= 0 && caller.isAlive(); now = threads.getThreadCpuTime(caller.getId())) {
            spent = now - before;
            if (spent > MAX_NANOS) {
                fail("a second after its task was killed, the call is still running; count the steps of its loop in a "
                        + "Cancellation: " + Arrays.toString(caller.getStackTrace()));
            }
            caller.join(10);
        }
        caller.join();
        assertThat(unexpected[0]).isNull();
        return new Call(arguments, end[0], TimeUnit.NANOSECONDS.toMillis(nanos[0]));
    }
}
