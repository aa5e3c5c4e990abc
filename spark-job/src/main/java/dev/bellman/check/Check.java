package dev.bellman.check;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.check.Lane.Engine;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.job.cli.FatalGpuError;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * One run of the checker. The checker tests each function in one or more lanes. A lane is the combination of a stream
 * of instances, a strategy and an engine. On the CPU, a function's time is divided among its strategies. On a GPU, the
 * time is divided among functions, because one query solves a stream with all strategies except {@code auto}, which has
 * a separate query. On both engines, the time is also divided among the sizes of instances. The seed determines which
 * instances a stream contains. The time, or a requested number of instances, determines how many of them are solved.
 *
 * <p>On the CPU, one thread per core calls the functions directly or runs queries. On a GPU, several queries run at the
 * same time, so that Spark can plan one query while it runs others.
 */
final class Check {
    /**
     * Determines what a check covers.
     *
     * @param type limits the check to signatures with an argument or a result whose type name contains this string;
     *     empty for all signatures
     */
    record Plan(
            List<BellmanFunction<?>> functions,
            Set<String> strategies,
            String type,
            Set<Engine> engines,
            long seed,
            double seconds,
            long count) {}

    /** The number of concurrent queries on the GPU. */
    static final int QUERIES = 12;

    private static final String POOL = "spark.scheduler.pool";

    /**
     * The setting for the number of tasks that may use the GPU at the same time. It can be large, because batches are
     * small, and a task that waits for the GPU would only occupy a core.
     */
    private static final String TASKS_ON_GPU = "spark.rapids.sql.concurrentGpuTasks";

    private static final long PROGRESS_SECONDS = 15;

    /** The fraction of the time that is spent on checking rejected rows. */
    private static final double REJECTIONS = 0.1;

    final Plan plan;
    private final Sessions sessions;
    private final PrintWriter out;
    private final Schedule schedule;
    private final SparkContext context;
    private final int cores;
    private final List<Finding> findings = new ArrayList<>();
    private long start;

    Check(Plan plan, SparkSession spark, PrintWriter out) {
        this.plan = plan;
        this.out = out;
        sessions = new Sessions(spark, plan.engines(), plan.functions());
        context = spark.sparkContext();
        cores = context.defaultParallelism();
        schedule = new Schedule(
                new Subjects(plan, sessions).groups(spark, threads()), plan.count(), () -> plan.seconds() - elapsed());
    }

    private boolean isOnGpu() {
        return plan.engines().contains(Engine.GPU);
    }

    private boolean isOnCpu() {
        return plan.engines().contains(Engine.CPU);
    }

    /** Returns how many batches run at the same time. */
    private int threads() {
        return (isOnGpu() ? QUERIES : 0) + (isOnCpu() ? cores : 0);
    }

    /**
     * Checks until the time is up, or until every lane has run and every function has reached the requested number of
     * instances.
     */
    List<Finding> run() {
        start = System.nanoTime();
        out.printf(
                Locale.ROOT,
                "check: %d functions, seed %d, %s%n",
                plan.functions().size(),
                plan.seed(),
                plan.engines().toString().toLowerCase(Locale.ROOT).replace('_', ' '));
        out.flush();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<?>> working = new ArrayList<>();
            for (int i = 0; i < QUERIES && isOnGpu(); i++) {
                working.add(threads.submit(() -> work(EnumSet.of(Engine.GPU))));
            }
            for (int i = 0; i < cores && isOnCpu(); i++) {
                working.add(threads.submit(() -> work(EnumSet.of(Engine.CPU, Engine.CPU_QUERY))));
            }
            for (Future<?> each : working) {
                await(each);
            }
        } finally {
            threads.shutdownNow();
        }
        synchronized (this) {
            tellCoverage();
            return List.copyOf(findings);
        }
    }

    private void tellCoverage() {
        new Coverage(schedule.all()).tell(out, elapsed(), findings.size());
    }

    /** Prints what has been checked so far. */
    synchronized void reportEarlyEnd() {
        out.println("\nthe check ended early; so far:");
        tellCoverage();
        out.flush();
    }

    /** Waits for a thread, and prints the progress of the run in the meantime. */
    private void await(Future<?> working) {
        while (true) {
            try {
                working.get(PROGRESS_SECONDS, TimeUnit.SECONDS);
                return;
            } catch (TimeoutException e) {
                tellProgress();
            } catch (ExecutionException e) {
                throw BellmanException.in(e)
                        .orElseGet(() -> new BellmanException(ErrorCode.BELLMAN_INTERNAL, String.valueOf(e), e));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new BellmanException(ErrorCode.BELLMAN_INTERNAL, "interrupted", e);
            }
        }
    }

    private Void work(Set<Engine> engines) throws InterruptedException {
        // with a separate pool per thread, short queries do not wait for long ones, and their measured time excludes
        // the time of long ones
        context.setLocalProperty(POOL, Thread.currentThread().getName());
        context.setLocalProperty(TASKS_ON_GPU, String.valueOf(cores));
        for (Optional<Progress> next = schedule.begin(engines); next.isPresent(); next = schedule.begin(engines)) {
            step(next.get());
        }
        return null;
    }

    private void step(Progress progress) {
        if (!progress.hasRun()) {
            progress.subject().rejections(rejectionSeconds()).forEach(this::add);
        }
        do {
            batch(progress);
        } while (schedule.goesOn(progress));
    }

    private void batch(Progress progress) {
        Subject subject = progress.subject();
        long from = progress.next();
        double before = elapsed();
        List<Tally> tallies = Tally.some(subject.strategies().size());
        boolean fails = true;
        try {
            subject.prepare();
            schedule.prepared(progress);
            before = elapsed();
            tallies = subject.compare(from, from + progress.batch());
            fails = tallies.stream().anyMatch(tally -> tally.differences() > 0);
            if (fails) {
                subject.differences(tallies).forEach(this::add);
            }
        } catch (Exception e) {
            // Scala code throws Spark's checked exceptions without declaring them
            FatalGpuError.in(e)
                    .or(() -> BellmanException.in(e).filter(own -> own.code() == ErrorCode.BELLMAN_GPU_REQUIRED))
                    .ifPresent(own -> {
                        throw own;
                    });
            add(subject.failure(from, from + progress.batch(), e));
        } finally {
            schedule.end(progress, tallies, elapsed() - before, fails && !subject.goesOn());
        }
    }

    /** Returns how many seconds to search for rejected rows of each signature. */
    private double rejectionSeconds() {
        int signatures = plan.functions().stream()
                .mapToInt(function -> function.signatures().size())
                .sum();
        return REJECTIONS * plan.seconds() * threads() / signatures;
    }

    private synchronized void add(Finding finding) {
        findings.add(finding);
        out.print(finding.text());
        out.flush();
    }

    private double elapsed() {
        return (System.nanoTime() - start) / 1e9;
    }

    /** Returns how many instances of a function have been compared. */
    long instances(BellmanFunction<?> function) {
        return schedule.instances(function.name());
    }

    private synchronized void tellProgress() {
        double told = elapsed();
        long instances = schedule.instances();
        out.printf(
                Locale.ROOT,
                "  %,.0f s: %,d instances, %,.0f/s, %d differences%n",
                told,
                instances,
                instances / told,
                findings.size());
        out.flush();
    }
}
