package dev.bellman.plan;

import dev.bellman.columns.TaskMemory;
import dev.bellman.join.JoinEstimate;
import dev.bellman.join.JoinMethod;
import dev.bellman.join.JoinPlan;
import dev.bellman.join.PairSearch;
import dev.bellman.join.Passes;
import dev.bellman.join.StringBlock;
import dev.bellman.join.StringTotals;
import dev.bellman.join.Strings;
import dev.bellman.join.measure.Distance;
import dev.bellman.join.measure.Measure;
import dev.bellman.join.measure.Metric;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlanInfo;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;

/**
 * Numbers and pairs generated strings while Spark reads the rows of a process's first large join. Java therefore
 * optimizes this code before many threads run it. Otherwise, the join would take about a second longer: until Java has
 * optimized a loop, the threads that run it spend most of their time on shared counters.
 */
final class Rehearsal {
    /** The minimum size of a large join's rows, as estimated by Spark. */
    private static final double MIN_BYTES = 1 << 26;

    /** The minimum number of cores with which reading the rows leaves cores idle. */
    private static final int MIN_CORES = 8;

    private static final int BLOCKS = 8;
    private static final int STRINGS_A_BLOCK = 1 << 14;
    private static final int LENGTH = 12;
    private static final int ROUNDS = 4;

    private static final AtomicBoolean PREPARED = new AtomicBoolean();

    private Rehearsal() {}

    /**
     * Prepares the rehearsal if this process has enough cores and would run the tasks of a large join for the first
     * time.
     */
    static void prepare(SimilarStrings join) {
        SparkContext context = SparkSession.active().sparkContext();
        if (context.master().matches("local(\\[.*)?")
                && TaskMemory.cores() >= MIN_CORES
                && join.child().stats().sizeInBytes().toDouble() >= MIN_BYTES
                && PREPARED.compareAndSet(false, true)) {
            onStart(context, Rehearsal::begin);
        }
    }

    /** Calls {@code begin} when a query with a join starts, which EXPLAIN only plans. */
    static void onStart(SparkContext context, Runnable begin) {
        context.addSparkListener(new SparkListener() {
            @Override
            public void onOtherEvent(SparkListenerEvent event) {
                if (event instanceof SparkListenerSQLExecutionStart query && joins(query.sparkPlanInfo())) {
                    context.removeSparkListener(this);
                    begin.run();
                }
            }
        });
    }

    private static boolean joins(SparkPlanInfo node) {
        return node.nodeName().equals("SimilarStrings") || node.children().exists(Rehearsal::joins);
    }

    private static void begin() {
        Thread thread = new Thread(Rehearsal::run, "bellman-join-rehearsal");
        thread.setDaemon(true);
        // the join does not depend on the rehearsal
        thread.setUncaughtExceptionHandler((failed, error) -> {});
        thread.start();
    }

    static void run() {
        List<StringBlock> blocks = blocks();
        StringTotals totals = blocks.stream().map(StringBlock::totals).reduce(StringTotals.NONE, StringTotals::plus);
        Measure measure = new Distance(Metric.EDIT_DISTANCE, 1);
        for (int round = 0; round < ROUNDS; round++) {
            Strings strings = Strings.of(blocks);
            JoinPlan plan = new JoinEstimate(
                            strings, totals, Passes.ONE, measure, MIN_CORES, TaskMemory.bytes(), false, true, () -> {})
                    .plan(JoinMethod.DELETION);
            try (PairSearch search = plan.search(strings, 0, () -> {})) {
                StringPairs pairs = new StringPairs(strings, Passes.ONE.counted(0), search, 0, 1, measure, true);
                while (pairs.advance()) {}
            }
        }
    }

    private static List<StringBlock> blocks() {
        SplittableRandom random = new SplittableRandom(1);
        List<StringBlock> blocks = new ArrayList<>();
        for (int i = 0; i < BLOCKS; i++) {
            StringBlock block = new StringBlock(false);
            StringBuilder letters = new StringBuilder();
            for (int string = 0; string < STRINGS_A_BLOCK; string++) {
                if (string % 2 == 0) {
                    letters.setLength(0);
                    // so that no two blocks have a string in common
                    letters.append((char) ('a' + i));
                    for (int at = 1; at < LENGTH; at++) {
                        letters.append((char) ('A' + random.nextInt(16)));
                    }
                } else {
                    // this string and the previous one are a pair
                    letters.append('.');
                }
                byte[] bytes = letters.toString().getBytes(StandardCharsets.US_ASCII);
                block.add(bytes, bytes.length, 0, 2, 2);
            }
            blocks.add(block.trimmed());
        }
        return blocks;
    }
}
