package dev.bellman.large.tiles;

import java.util.concurrent.CancellationException;
import java.util.concurrent.Phaser;

/**
 * A team of threads that solve one instance from beginning to end and wait for each other between steps. The calling
 * thread is a member, so a team of one starts no thread. Members wait in a {@link Phaser}, which spins briefly and then
 * sleeps.
 */
public final class ThreadTeam {
    /** The work of one member; members are numbered from 0. */
    @FunctionalInterface
    public interface Member {
        void work(ThreadTeam team, int member);
    }

    private final int size;
    private final Phaser barrier;
    private volatile Throwable failure;

    private ThreadTeam(int size) {
        this.size = size;
        barrier = new Phaser(size);
    }

    /**
     * Runs the members and returns when all of them have finished. Rethrows the first exception of a member.
     *
     * @throws CancellationException if the calling thread is interrupted; thrown after all members have ended, with the
     * thread still interrupted
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

    /** Returns the start of a member's share of the items. The share ends where the next member's share begins. */
    public int begin(int member, int items) {
        return (int) ((long) items * member / size);
    }

    public int size() {
        return size;
    }

    /**
     * Waits until every member has called this method. Earlier writes by each member are then visible to all members.
     */
    public void await() {
        barrier.arriveAndAwaitAdvance();
        check();
    }

    /** Throws an exception if the team must stop. */
    void check() {
        if (failure != null) {
            throw new CancellationException("another thread of the team failed");
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted");
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
        barrier.forceTermination();
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
