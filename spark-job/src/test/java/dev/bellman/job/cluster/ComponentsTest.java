package dev.bellman.job.cluster;

import static org.apache.spark.sql.functions.call_function;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.LocalSpark;
import dev.bellman.job.Thorough;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ComponentsTest {
    private final SparkSession spark = (SparkSession) LocalSpark.session().newSession();
    private final Random random = new Random(11);
    private final Set<List<Long>> edges = new java.util.LinkedHashSet<>();
    private final Map<Long, Long> numbers = new HashMap<>();
    private long nodes;

    /**
     * Adds an edge between nodes of a new graph; the arguments are the nodes' indexes. The numbers of nodes are random,
     * and some are negative.
     */
    private void edge(long one, long other) {
        long a = numbers.computeIfAbsent(nodes + one, any -> random.nextLong());
        long b = numbers.computeIfAbsent(nodes + other, any -> random.nextLong());
        if (a != b) {
            edges.add(List.of(Math.min(a, b), Math.max(a, b)));
        }
    }

    private void next() {
        nodes += 1_000_000;
    }

    private void graphs() {
        for (int i = 0; i < 300; i++) {
            edge(i, i + 1);
        }
        next();
        for (int i = 1; i <= 400; i++) {
            edge(0, i);
        }
        next();
        for (int i = 0; i < 400; i++) {
            if (i % 20 != 0) {
                edge(i, i - 1);
            }
            if (i >= 20) {
                edge(i, i - 20);
            }
        }
        next();
        for (int i = 0; i < 30; i++) {
            for (int j = 0; j < i; j++) {
                edge(i, j);
            }
        }
        next();
        for (int size = 1; size <= 3; size++) {
            for (int i = 0; i < 200 * size; i++) {
                edge(random.nextInt(400), random.nextInt(400));
            }
            next();
        }
        // the smallest node is at the end of a path with ascending numbers
        for (long i = 0; i < 200; i++) {
            edges.add(List.of(i, i + 1));
        }
    }

    /**
     * Returns the smallest node of each component and each node's number of neighbours, computed by joining sets.
     */
    private Map<Long, String> expected() {
        Map<Long, Set<Long>> components = new HashMap<>();
        Map<Long, Integer> neighbours = new HashMap<>();
        for (List<Long> edge : edges) {
            Set<Long> joined = new TreeSet<>(edge);
            for (Long end : edge) {
                joined.addAll(components.getOrDefault(end, Set.of()));
                neighbours.merge(end, 1, Integer::sum);
            }
            joined.forEach(node -> components.put(node, joined));
        }
        return components.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> entry.getValue().iterator().next() + "," + neighbours.get(entry.getKey())));
    }

    private Map<Long, String> found(int maxNodes) {
        spark.conf().set("spark.sql.shuffle.partitions", 3);
        List<Row> rows = new ArrayList<>();
        edges.forEach(edge -> rows.add(RowFactory.create(edge.get(0), edge.get(1))));
        StructType schema = new StructType().add("u", DataTypes.LongType).add("v", DataTypes.LongType);
        return new Components(maxNodes)
                .of(spark.createDataFrame(rows, schema).repartition(4)).collectAsList().stream()
                        .collect(Collectors.toMap(row -> row.getLong(0), row -> row.getLong(1) + "," + row.getLong(2)));
    }

    static List<Integer> tables() {
        return Thorough.cases(2, 50, 1 << 20, 2);
    }

    /** With tables of 2 nodes, rounds do all the work; with large tables, tasks do all of it. */
    @ParameterizedTest
    @MethodSource("tables")
    void asByJoiningSets(int maxNodes) {
        graphs();
        assertThat(found(maxNodes)).isEqualTo(expected());
    }

    /** A small file may contain more rows than fit in a task's memory. */
    @Test
    void fewBytesOfManyNodes() {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            // three chains
            rows.add(RowFactory.create(
                    i, "%s%s".formatted("xyz".substring(i % 3, i % 3 + 1).repeat(9), "a".repeat(i / 3))));
        }
        assertThat(clustered(rows, 1, 4)).hasSize(60).allMatch(row -> row.getInt(1) == row.getInt(0) % 3);
    }

    /** Comparing the strings of a small file may take long, so several tasks share this work. */
    @Test
    void fewLongStrings() throws InterruptedException, TimeoutException {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            // three chains, with 35 edits between neighbours
            int begin = i / 3 * 35;
            rows.add(RowFactory.create(
                    i, "xyz".substring(i % 3, i % 3 + 1).repeat(100) + "a".repeat(begin) + "b".repeat(3_500 - begin)));
        }
        AtomicInteger tasks = new AtomicInteger();
        SparkListener listener = new SparkListener() {
            @Override
            public void onStageSubmitted(SparkListenerStageSubmitted submitted) {
                if (submitted.stageInfo().rddInfos().exists(rdd -> rdd.name().equals("StringsRdd"))) {
                    tasks.accumulateAndGet(submitted.stageInfo().numTasks(), Math::max);
                }
            }
        };
        spark.sparkContext().addSparkListener(listener);
        assertThat(clustered(rows, 40, 1_000)).hasSize(300).allMatch(row -> row.getInt(1) == row.getInt(0) % 3);
        spark.sparkContext().listenerBus().waitUntilEmpty();
        spark.sparkContext().removeSparkListener(listener);
        assertThat(tasks.get()).isGreaterThan(1);
    }

    private List<Row> clustered(List<Row> rows, int max, int maxNodes) {
        StructType schema =
                new StructType().add("id", DataTypes.IntegerType).add(Clusters.STRING, DataTypes.StringType);
        try (KeptData kept = new KeptData()) {
            return new Clusters(
                            spark.createDataFrame(rows, schema),
                            "id",
                            List.of(),
                            0,
                            Optional.of((a, b) ->
                                    call_function("edit_distance", a, b).leq(max)),
                            Optional.empty())
                    .solve(kept, maxNodes)
                    .rows()
                    .collectAsList();
        }
    }

    @Test
    void noEdges() {
        assertThat(found(2)).isEmpty();
    }
}
