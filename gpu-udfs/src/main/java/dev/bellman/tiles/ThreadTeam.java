package dev.bellman.tiles;

import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that work on one instance from its beginning to its end and wait for each other in between. The caller is one of them,
 * so that a team of one starts no thread. Waiters spin for some microseconds, long enough for a team that has its cores to
 * itself, and then sleep, so that they burn no cores that others want.
 */
public final class ThreadTeam {
    /** The work of one member, counted from 0. */
    @FunctionalInterface
    public interface Member {
        void work(ThreadTeam team, int member);
    }

    private static final int SPINS = 1_000;

    private final int size;
    private final AtomicInteger missing;
    private volatile int phase;
    private volatile Throwable failure;

    private ThreadTeam(int size) {
        this.size = size;
        missing = new AtomicInteger(size);
    }

    /**
     * Returns when all members have done their work.
     *
     * @throws CancellationException if the calling thread is interrupted while it waits; it stays interrupted
     */
    public static void run(int size, Member member) {
        ThreadTeam team = new ThreadTeam(size);
        Thread[] others = new Thread[size - 1];
        try {
            for (int i = 1; i < size; i++) {
                int number = i;
                Thread other = new Thread(() -> team.work(member, number), "bellman-team-" + i);
                other.setDaemon(true);
                other.start();
                others[i - 1] = other;
            }
        } catch (Throwable e) {
            team.fail(e);
        }
        team.work(member, 0);
        join(others);
        team.rethrow();
    }

    /** Where the share of a member in so many items begins; it ends where that of the next begins. */
    public int begin(int member, int items) {
        return (int) ((long) items * member / size);
    }

    public int size() {
        return size;
    }

    /** Waits until every member is here. What each wrote before, all see. */
    public void await() {
        if (size == 1) {
            return;
        }
        int current = phase;
        if (missing.decrementAndGet() == 0) {
            missing.set(size);
            synchronized (this) {
                phase = current + 1;
                notifyAll();
            }
        } else {
            for (int spin = 0; spin < SPINS && waits(current); spin++) {
                Thread.onSpinWait();
            }
            sleep(current);
        }
        if (failure != null) {
            throw new CancellationException("another member of the team failed");
        }
    }

    private boolean waits(int current) {
        return phase == current && failure == null;
    }

    private void sleep(int current) {
        if (!waits(current)) {
            return;
        }
        synchronized (this) {
            while (waits(current)) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new CancellationException("interrupted");
                }
            }
        }
    }

    private void work(Member member, int number) {
        if (failure != null) {
            return;
        }
        try {
            member.work(this, number);
        } catch (Throwable e) {
            fail(e);
        }
    }

    private synchronized void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        notifyAll();
    }

    private static void join(Thread... others) {
        boolean interrupted = false;
        for (Thread other : others) {
            while (other != null && other.isAlive()) {
                try {
                    other.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void rethrow() {
        if (failure instanceof RuntimeException e) {
            throw e;
        } else if (failure instanceof Error e) {
            throw e;
        }
    }
}
