package dev.bellman.columns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.TaskKilledException;
import org.junit.jupiter.api.Test;

class CancellationTest {
    private static final long MILLIS = 20_000;

    /**
     * Returns the class of the exception with which a thread stops waiting for a lock that is never released; null if
     * the thread does not stop.
     */
    static Class<?> waiting(boolean kill) throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        TaskContextImpl task = TaskContext$.MODULE$.empty();
        CompletableFuture<Class<?>> end = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            TaskContext$.MODULE$.setTaskContext(task);
            try {
                Cancellation.acquire(lock);
                end.complete(null);
            } catch (TaskKilledException | CancellationException e) {
                end.complete(lock.isHeldByCurrentThread() ? null : e.getClass());
            } finally {
                TaskContext$.MODULE$.unset();
            }
        });
        thread.setDaemon(true);
        thread.start();
        if (kill) {
            task.markInterrupted("killed");
        } else {
            thread.interrupt();
        }
        thread.join(MILLIS);
        return end.getNow(null);
    }

    @Test
    void locks() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        Cancellation.acquire(lock);
        assertThat(lock.isHeldByCurrentThread()).isTrue();

        assertThat(waiting(true)).isEqualTo(TaskKilledException.class);
        assertThat(waiting(false)).isEqualTo(CancellationException.class);
    }
}
