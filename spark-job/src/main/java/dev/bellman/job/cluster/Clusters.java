package dev.bellman.job.cluster;

import static org.apache.spark.sql.functions.bin;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.length;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.row_number;
import static org.apache.spark.sql.functions.substring;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.when;
import static org.apache.spark.sql.functions.xxhash64;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.linkage.Linkage;
import dev.bellman.columns.TaskMemory;
import dev.bellman.job.text.RecordFormat;
import dev.bellman.join.components.TaskComponents;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.expressions.Window;
import org.apache.spark.sql.types.DataTypes;

/**
 * Finds clusters of rows. Two rows of the same group are in the same cluster if a chain of close strings leads from one
 * to the other; a linkage divides these clusters further. A cluster is identified by its smallest id. A row whose
 * string or group is NULL forms a separate cluster.
 *
 * <p>Nodes are the distinct strings of each group, so repeated strings cause no additional work. A node's number is a
 * hash of its string and its group, with a seed for which the hashes of all nodes differ. The number does not depend on
 * the row order, so losing executors does no harm, and rows find their nodes without comparing strings. The driver
 * receives only the counts and the ten largest clusters. The driver clusters small inputs itself ({@link FewClusters}).
 */
public final class Clusters {
    /** The output column that identifies a row's cluster. */
    public static final String CLUSTER = "cluster";

    /**
     * The output column that contains a cluster's medoid: the string with the smallest sum of distances to the others.
     */
    static final String REPRESENTATIVE = "representative";

    /** The output column that contains the largest distance within a cluster. */
    static final String DIAMETER = "diameter";

    /** The input column that contains a row's string. */
    public static final String STRING = RecordFormat.ADDED + "string";

    /** The prefix of the input columns that must be equal within a cluster; a number, counted from 0, follows it. */
    public static final String GROUP = RecordFormat.ADDED + "group";

    static final String NODE = RecordFormat.ADDED + "node";
    static final String ROOT = RecordFormat.ADDED + "root";
    static final String SMALLEST = RecordFormat.ADDED + "smallest";
    static final String ROWS = RecordFormat.ADDED + "rows";
    static final String NEIGHBOURS = RecordFormat.ADDED + "neighbours";

    static final int MAX_LISTED = 10;
    static final int MAX_HUBS = 3;
    static final int MAX_CHARACTERS = 80;

    private final Dataset<Row> rows;
    private final String id;
    private final List<String> kept;
    private final List<String> groups;
    private final Optional<BinaryOperator<Column>> close;
    private final Optional<LinkedNodes> linked;

    /**
     * @param rows the columns {@code id} and {@code kept}, {@link #STRING}, and each numbered {@link #GROUP}
     * @param id a column whose type is orderable
     * @param kept other columns that are copied to the output
     * @param groups the number of columns that must be equal
     * @param close the join condition under which two strings are close; empty if only equal strings are close
     * @param linked the linkage; if it is given, the output also has the columns {@link #REPRESENTATIVE} and
     *     {@link #DIAMETER}
     */
    public Clusters(
            Dataset<Row> rows,
            String id,
            List<String> kept,
            int groups,
            Optional<BinaryOperator<Column>> close,
            Optional<LinkedNodes> linked) {
        this.rows = rows;
        this.id = id;
        this.kept = kept;
        this.groups = IntStream.range(0, groups).mapToObj(i -> GROUP + i).toList();
        this.close = close;
        this.linked = linked;
    }

    /** Returns the columns that are added to the output. */
    public static List<String> columns(Optional<Linkage> linkage) {
        return linkage.isPresent() ? List.of(CLUSTER, REPRESENTATIVE, DIAMETER) : List.of(CLUSTER);
    }

    /**
     * Rows with their clusters.
     *
     * @param rows rows that have the id, the kept columns, and the columns of {@link #columns}
     */
    public record Clustered(Dataset<Row> rows, ClusterSummary summary) {}

    /** Returns the query that finds pairs of close nodes, so that its plan can be inspected. */
    public Dataset<Row> planned() {
        return pairs(nodes(0));
    }

    /**
     * Finds the clusters.
     *
     * @param kept stores intermediate rows
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if an id is NULL or not unique
     */
    public Clustered solve(KeptData kept) {
        return solve(kept, TaskComponents.maxNodes(TaskMemory.bytes() / 4));
    }

    /** @param maxNodes the maximum number of nodes that a single task may hold */
    Clustered solve(KeptData kept, int maxNodes) {
        return FewClusters.solve(this, maxNodes).orElseGet(() -> solveMany(kept, maxNodes));
    }

    private Clustered solveMany(KeptData kept, int maxNodes) {
        long count = checkIds();
        int seed = 0;
        Dataset<Row> nodes = kept.persisted(nodes(seed));
        while (!nodes.groupBy(NODE).count().where(col("count").gt(1)).isEmpty()) {
            nodes = kept.persisted(nodes(++seed));
        }
        Dataset<Row> components = labelled(nodes, maxNodes);
        Dataset<Row> labelled =
                kept.persisted(linked.map(its -> its.of(components)).orElse(components));
        Dataset<Row> clusters = kept.persisted(labelled.groupBy(ROOT)
                .agg(
                        min(SMALLEST).as(CLUSTER),
                        sum(ROWS).as("rows"),
                        count(lit(1)).as("strings"),
                        expr("sum(%s) DIV 2".formatted(NEIGHBOURS)).as("pairs")));
        Dataset<Row> ofNodes = labelled.drop(SMALLEST, ROWS, STRING)
                .withColumnRenamed(NODE, NODE + "_of")
                .join(clusters.select(ROOT, CLUSTER), new String[] {ROOT})
                .select(Stream.concat(Stream.of(NODE + "_of"), columns(linked.map(LinkedNodes::linkage)).stream())
                        .map(name -> col(name))
                        .toArray(Column[]::new));
        List<Column> columns = outputColumns();
        Dataset<Row> solved = rows.withColumn(NODE, when(isNode(), node(seed)))
                .join(ofNodes, col(NODE).equalTo(col(NODE + "_of")), "left")
                .select(columns.toArray(Column[]::new));
        return new Clustered(solved, summary(count, labelled, clusters));
    }

    Dataset<Row> rows() {
        return rows;
    }

    /** Returns the columns that must be equal within a cluster. */
    List<String> groups() {
        return groups;
    }

    /** Whether strings that differ can be close. */
    boolean joins() {
        return close.isPresent();
    }

    Column idColumn() {
        return column(id);
    }

    Optional<LinkedNodes> linked() {
        return linked;
    }

    /**
     * Returns the id, the kept columns, and the added columns. A row without a string or a group forms a separate
     * cluster.
     */
    List<Column> outputColumns() {
        List<Column> columns = new ArrayList<>();
        Stream.concat(Stream.of(id), kept.stream()).map(Clusters::column).forEach(columns::add);
        columns.add(coalesce(col(CLUSTER), idColumn()).as(CLUSTER));
        if (linked.isPresent()) {
            columns.add(coalesce(col(REPRESENTATIVE), col(STRING)).as(REPRESENTATIVE));
            columns.add(coalesce(col(DIAMETER), lit(0)).as(DIAMETER));
        }
        return columns;
    }

    /** Counts the rows, and checks that their ids are not NULL and differ. */
    private long checkIds() {
        Dataset<Row> byId = rows.groupBy(column(id)).agg(count(lit(1)).as(ROWS));
        Row counts = byId.agg(
                        coalesce(sum(ROWS), lit(0L)),
                        coalesce(max(ROWS), lit(0L)),
                        coalesce(sum(when(column(id).isNull(), 1)), lit(0)))
                .head();
        if (counts.getLong(2) > 0) {
            throw idIsNull();
        }
        if (counts.getLong(1) > 1) {
            Row twice = byId.where(col(ROWS).gt(1)).head();
            throw idIsNotUnique(twice.getLong(1), twice.get(0));
        }
        return counts.getLong(0);
    }

    BellmanException idIsNull() {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE,
                ("clusters are identified by their smallest id, but some rows have a NULL %s; choose a different "
                                + "column with id (--id), or filter out these rows with input.where")
                        .formatted(id));
    }

    BellmanException idIsNotUnique(long times, Object value) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE,
                ("clusters are identified by their smallest id, but %,d rows have the %s %s; choose a "
                                + "column with a different value in each row (--id)")
                        .formatted(times, id, value));
    }

    private static Column column(String name) {
        return col("`" + name.replace("`", "``") + "`");
    }

    /** Whether a row has both a string and a group. */
    private Column isNode() {
        return groups.stream()
                .map(group -> col(group).isNotNull())
                .reduce(col(STRING).isNotNull(), Column::and);
    }

    private Column node(int seed) {
        return xxhash64(
                Stream.concat(Stream.of(lit(seed), col(STRING)), groups.stream().map(g -> col(g)))
                        .toArray(Column[]::new));
    }

    private Dataset<Row> nodes(int seed) {
        List<Column> key = new ArrayList<>(List.of(node(seed).as(NODE), col(STRING)));
        groups.forEach(group -> key.add(col(group)));
        return rows.where(isNode())
                .groupBy(key.toArray(Column[]::new))
                .agg(min(column(id)).as(SMALLEST), count(lit(1)).as(ROWS));
    }

    /**
     * Returns the pairs of close nodes.
     *
     * @param nodes rows that have the number {@link #NODE}, the string, and the groups
     */
    Dataset<Row> pairs(Dataset<Row> nodes) {
        Column condition = close.map(its -> its.apply(col(STRING + "_a"), col(STRING + "_b")))
                .orElse(lit(false));
        for (String group : groups) {
            condition = condition.and(col(group + "_a").equalTo(col(group + "_b")));
        }
        return side(nodes, "_a")
                .join(side(nodes, "_b"), condition.and(col(NODE + "_a").lt(col(NODE + "_b"))))
                .select(NODE + "_a", NODE + "_b");
    }

    private Dataset<Row> side(Dataset<Row> nodes, String side) {
        return nodes.select(Stream.concat(Stream.of(NODE, STRING), groups.stream())
                .map(name -> col(name).as(name + side))
                .toArray(Column[]::new));
    }

    /** Returns the nodes, each with the root of its cluster and the number of its neighbours. */
    private Dataset<Row> labelled(Dataset<Row> nodes, int maxNodes) {
        if (close.isEmpty()) {
            return nodes.withColumn(ROOT, col(NODE)).withColumn(NEIGHBOURS, lit(0L));
        }
        Dataset<Row> components = new Components(maxNodes).of(pairs(nodes));
        return nodes.join(components, col(NODE).equalTo(col("node")), "left")
                .withColumn(ROOT, coalesce(col("root"), col(NODE)))
                .withColumn(NEIGHBOURS, coalesce(col("neighbours"), lit(0L)))
                .drop("node", "root", "neighbours");
    }

    private ClusterSummary summary(long rowsInAll, Dataset<Row> labelled, Dataset<Row> clusters) {
        Map<Long, Long> sizes = new TreeMap<>();
        long found = 0;
        long rowsInThem = 0;
        for (Row row : clusters.groupBy(when(col("rows").equalTo(1), 0)
                        .otherwise(length(bin(col("rows").minus(1)))))
                .agg(count(lit(1)), sum("rows"))
                .collectAsList()) {
            sizes.merge(1L << row.getInt(0), row.getLong(1), Long::sum);
            found += row.getLong(1);
            rowsInThem += row.getLong(2);
        }
        long alone = rowsInAll - rowsInThem;
        if (alone > 0) {
            sizes.merge(1L, alone, Long::sum);
        }
        return new ClusterSummary(
                rowsInAll,
                found + alone,
                sizes.getOrDefault(1L, 0L),
                sizes,
                largest(labelled, clusters),
                linked.map(its -> chaining(labelled, its.max())));
    }

    private ClusterSummary.Chaining chaining(Dataset<Row> labelled, int max) {
        Row row = labelled.groupBy(ROOT)
                .agg(max(DIAMETER).as(DIAMETER))
                .agg(count(when(col(DIAMETER).gt(max), 1)), coalesce(max(DIAMETER), lit(0)))
                .head();
        return new ClusterSummary.Chaining(row.getLong(0), row.getInt(1));
    }

    private static List<ClusterSummary.Cluster> largest(Dataset<Row> labelled, Dataset<Row> clusters) {
        List<Row> largest = clusters.where(col("rows").gt(1))
                .orderBy(col("rows").desc(), col(CLUSTER))
                .select(col(ROOT), col(CLUSTER).cast(DataTypes.StringType), col("rows"), col("strings"), col("pairs"))
                .limit(MAX_LISTED)
                .collectAsList();
        Map<Long, List<ClusterSummary.Hub>> hubs = new LinkedHashMap<>();
        largest.forEach(cluster -> hubs.put(cluster.getLong(0), new ArrayList<>()));
        if (largest.isEmpty()) {
            return List.of();
        }
        labelled.where(col(ROOT).isin(hubs.keySet().toArray()))
                .withColumn(
                        "place",
                        row_number()
                                .over(Window.partitionBy(ROOT)
                                        .orderBy(
                                                col(NEIGHBOURS).desc(),
                                                col(ROWS).desc(),
                                                col(STRING),
                                                col(NODE))))
                .where(col("place").leq(MAX_HUBS))
                .orderBy("place")
                .select(col(ROOT), substring(col(STRING), 1, MAX_CHARACTERS), col(NEIGHBOURS), col(ROWS))
                .collectAsList()
                .forEach(hub -> hubs.get(hub.getLong(0))
                        .add(new ClusterSummary.Hub(hub.getString(1), hub.getLong(2), hub.getLong(3))));
        return largest.stream()
                .map(cluster -> new ClusterSummary.Cluster(
                        cluster.getString(1),
                        cluster.getLong(2),
                        cluster.getLong(3),
                        cluster.getLong(4),
                        hubs.get(cluster.getLong(0))))
                .toList();
    }
}
