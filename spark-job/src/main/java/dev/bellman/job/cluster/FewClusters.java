package dev.bellman.job.cluster;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;

import dev.bellman.align.Text;
import dev.bellman.align.linkage.TextClusters;
import dev.bellman.job.text.RecordFormat;
import dev.bellman.join.components.TaskComponents;
import dev.bellman.plan.catalyst.Scala;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.InterpretedOrdering;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.RowOrdering;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.classic.Dataset$;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.math.BigInt;

/**
 * Clusters small inputs on the driver. Collects the ids and strings, and finds the close pairs in a single query,
 * because starting more queries takes longer than the work itself.
 */
final class FewClusters {
    /** The maximum size, in bytes and as estimated by Spark, of an input that is clustered in this way. */
    private static final long FEW_BYTES = 4L << 20;

    /** The maximum number of bytes that are collected. A small compressed file may decompress to many more bytes. */
    private static final int MAX_BYTES = 32 << 20;

    /** The maximum number of links that the tasks return; each task returns at most one for each node. */
    private static final int MAX_LINKS = 1 << 21;

    // the columns that are sent to the driver; the groups follow the other columns
    private static final int ID = 0;
    private static final int ID_TEXT = 1;
    private static final int STRING = 2;

    private static final String ID_OF = RecordFormat.ADDED + "id_of";

    private final Clusters of;
    private final StructType schema;
    /** The rows, sorted by id. */
    private final List<UnsafeRow> rows;

    /** The nodes, sorted by their smallest ids, so that the first node of a cluster has the cluster's smallest id. */
    private final List<Node> nodes = new ArrayList<>();
    /** For each row, its node; null for a row without a string or a group. */
    private final Node[] nodeOf;

    /** A distinct string within a group. */
    private static final class Node {
        private final int number;
        private final UnsafeRow first;
        private long rows;
        private long neighbours;
        private int root;
        private int medoid;
        private int diameter;

        Node(int number, UnsafeRow first) {
            this.number = number;
            this.first = first;
            root = number;
            medoid = number;
        }
    }

    private FewClusters(Clusters of, StructType schema, List<UnsafeRow> rows) {
        this.of = of;
        this.schema = schema;
        this.rows = rows;
        rows.sort(order(schema, ID, ID + 1));
        checkIds();
        nodeOf = new Node[rows.size()];
        Map<InternalRow, Node> known = new TreeMap<>(order(schema, STRING, schema.size()));
        for (int i = 0; i < nodeOf.length; i++) {
            UnsafeRow row = rows.get(i);
            if (IntStream.range(STRING, schema.size()).noneMatch(row::isNullAt)) {
                nodeOf[i] = known.computeIfAbsent(row, first -> {
                    nodes.add(new Node(nodes.size(), row));
                    return nodes.get(nodes.size() - 1);
                });
                nodeOf[i].rows++;
            }
        }
    }

    private static Comparator<InternalRow> order(StructType schema, int from, int to) {
        List<SortOrder> columns = IntStream.range(from, to)
                .mapToObj(i -> new SortOrder(
                        new BoundReference(i, schema.fields()[i].dataType(), true),
                        Ascending$.MODULE$,
                        NullsFirst$.MODULE$,
                        Scala.seq()))
                .toList();
        return new InterpretedOrdering(Scala.seq(columns));
    }

    /**
     * Finds the clusters; empty if the input is too large, or if values of a column cannot be ordered.
     *
     * @param maxNodes the maximum number of nodes that a single task may hold
     */
    static Optional<Clusters.Clustered> solve(Clusters of, int maxNodes) {
        if (!mayBeFew(of.rows())) {
            return Optional.empty();
        }
        Dataset<Row> needed = of.rows()
                .select(Stream.concat(
                                Stream.of(
                                        of.idColumn(), of.idColumn().cast(DataTypes.StringType), col(Clusters.STRING)),
                                of.groups().stream().map(name -> col(name)))
                        .toArray(Column[]::new));
        if (!Arrays.stream(needed.schema().fields()).map(StructField::dataType).allMatch(RowOrdering::isOrderable)) {
            return Optional.empty();
        }
        List<UnsafeRow> rows = new ArrayList<>(needed.coalesce(1)
                .queryExecution()
                .toRdd()
                .toJavaRDD()
                .mapPartitions(all -> new FirstRows(all, MAX_BYTES))
                .collect());
        if (rows.stream().mapToLong(UnsafeRow::getSizeInBytes).sum() > MAX_BYTES) {
            return Optional.empty();
        }
        FewClusters few = new FewClusters(of, needed.schema(), rows);
        return few.nodes.size() < maxNodes / 2 ? Optional.of(few.solve(maxNodes)) : Optional.empty();
    }

    private static boolean mayBeFew(Dataset<Row> rows) {
        return ((org.apache.spark.sql.classic.Dataset<Row>) rows)
                .queryExecution()
                .optimizedPlan()
                .stats()
                .sizeInBytes()
                .$less$eq(BigInt.apply(FEW_BYTES));
    }

    private void checkIds() {
        if (!rows.isEmpty() && rows.get(0).isNullAt(ID)) {
            throw of.idIsNull();
        }
        Comparator<InternalRow> ids = order(schema, ID, ID + 1);
        for (int i = 0; i + 1 < rows.size(); i++) {
            InternalRow row = rows.get(i);
            if (ids.compare(row, rows.get(i + 1)) == 0) {
                throw of.idIsNotUnique(
                        rows.stream()
                                .filter(each -> ids.compare(row, each) == 0)
                                .count(),
                        row.getUTF8String(ID_TEXT));
            }
        }
    }

    private Clusters.Clustered solve(int maxNodes) {
        if (of.joins() && nodes.size() > 1) {
            findPairs(maxNodes);
            of.linked().ifPresent(this::link);
        }
        return new Clusters.Clustered(clustered(), summary());
    }

    private void findPairs(int maxNodes) {
        StructType columns = new StructType().add(Clusters.NODE, DataTypes.LongType, false);
        for (int i = STRING; i < schema.size(); i++) {
            columns = columns.add(schema.fields()[i].name(), schema.fields()[i].dataType());
        }
        List<InternalRow> local = nodes.stream()
                .map(node -> {
                    Object[] values = new Object[1 + schema.size() - STRING];
                    values[0] = (long) node.number;
                    for (int i = 1; i < values.length; i++) {
                        values[i] = value(node.first, STRING + i - 1);
                    }
                    return (InternalRow) new GenericInternalRow(values);
                })
                .toList();
        // the search may take long, so its tasks must not be merged into one
        List<Row> ofTasks = of.pairs(local(columns, local))
                .coalesce(Math.max(1, MAX_LINKS / nodes.size()))
                .queryExecution()
                .toRdd()
                .toJavaRDD()
                .mapPartitions(pairs -> new TaskComponents(pairs, maxNodes))
                .collect();
        Iterator<InternalRow> links = ofTasks.stream()
                .<InternalRow>map(row -> new GenericInternalRow(new Object[] {row.get(0), row.get(1), row.get(2)}))
                .iterator();
        new TaskComponents(links, maxNodes).forEachRemaining(found -> {
            Node node = nodes.get((int) found.getLong(0));
            node.root = (int) found.getLong(1);
            node.neighbours = found.getLong(2);
        });
    }

    /** Divides components into clusters. */
    private void link(LinkedNodes linked) {
        for (List<Node> component : byRoot().values()) {
            List<Text> texts = component.stream()
                    .map(node -> Text.of(node.first.getUTF8String(STRING)))
                    .toList();
            List<TextClusters.Member> members =
                    TextClusters.of(texts, linked.max(), linked.linkage(), TextClusters.Strategy.AUTO);
            for (int i = 0; i < members.size(); i++) {
                Node node = component.get(i);
                TextClusters.Member member = members.get(i);
                node.root = component.get(member.cluster()).number;
                node.medoid = component.get(member.medoid()).number;
                node.diameter = member.diameter();
                node.neighbours = member.neighbours();
            }
        }
    }

    private Map<Integer, List<Node>> byRoot() {
        Map<Integer, List<Node>> byRoot = new TreeMap<>();
        nodes.forEach(node ->
                byRoot.computeIfAbsent(node.root, root -> new ArrayList<>()).add(node));
        return byRoot;
    }

    private Object value(InternalRow row, int column) {
        return row.get(column, schema.fields()[column].dataType());
    }

    private Dataset<Row> local(StructType columns, List<InternalRow> values) {
        return Dataset$.MODULE$.ofRows(
                (SparkSession) of.rows().sparkSession(),
                Scala.make(LocalRelation.class, DataTypeUtils.toAttributes(columns), Scala.seq(values)));
    }

    /**
     * Returns the rows with their clusters. Without a linkage, joins only those rows whose own id does not identify
     * their cluster.
     */
    private Dataset<Row> clustered() {
        DataType type = schema.fields()[ID].dataType();
        boolean linked = of.linked().isPresent();
        StructType columns = new StructType().add(ID_OF, type).add(Clusters.CLUSTER, type);
        if (linked) {
            columns = columns.add(Clusters.REPRESENTATIVE, DataTypes.StringType)
                    .add(Clusters.DIAMETER, DataTypes.IntegerType);
        }
        List<InternalRow> others = IntStream.range(0, nodeOf.length)
                .filter(i -> nodeOf[i] != null && (linked || nodes.get(nodeOf[i].root).first != rows.get(i)))
                .mapToObj(i -> clustered(rows.get(i), nodeOf[i]))
                .toList();
        return of.rows()
                .coalesce(1)
                .join(broadcast(local(columns, others)), of.idColumn().equalTo(col(ID_OF)), "left")
                .select(of.outputColumns().toArray(Column[]::new));
    }

    private InternalRow clustered(UnsafeRow row, Node node) {
        List<Object> values = new ArrayList<>(List.of(value(row, ID), value(nodes.get(node.root).first, ID)));
        if (of.linked().isPresent()) {
            values.add(nodes.get(node.medoid).first.getUTF8String(STRING));
            values.add(node.diameter);
        }
        return new GenericInternalRow(values.toArray());
    }

    private ClusterSummary summary() {
        Map<Integer, List<Node>> byRoot = byRoot();
        long[] sizes = Stream.concat(
                        byRoot.values().stream().map(FewClusters::rows),
                        Arrays.stream(nodeOf).filter(Objects::isNull).map(row -> 1L))
                .mapToLong(Long::longValue)
                .toArray();
        Map<Long, Long> bySize = new TreeMap<>();
        Arrays.stream(sizes)
                .forEach(size -> bySize.merge(1L << Long.SIZE - Long.numberOfLeadingZeros(size - 1), 1L, Long::sum));
        List<ClusterSummary.Cluster> largest = byRoot.values().stream()
                .filter(members -> rows(members) > 1)
                .sorted(Comparator.comparing(FewClusters::rows).reversed())
                .limit(Clusters.MAX_LISTED)
                .map(this::described)
                .toList();
        return new ClusterSummary(
                rows.size(),
                sizes.length,
                bySize.getOrDefault(1L, 0L),
                bySize,
                largest,
                of.linked().map(linked -> chaining(byRoot, linked.max())));
    }

    private ClusterSummary.Chaining chaining(Map<Integer, List<Node>> byRoot, int max) {
        int[] diameters = byRoot.values().stream()
                .mapToInt(members -> members.get(0).diameter)
                .toArray();
        return new ClusterSummary.Chaining(
                Arrays.stream(diameters).filter(diameter -> diameter > max).count(),
                Arrays.stream(diameters).max().orElse(0));
    }

    private static long rows(List<Node> members) {
        return members.stream().mapToLong(node -> node.rows).sum();
    }

    private ClusterSummary.Cluster described(List<Node> members) {
        Comparator<Node> byNeighbours = Comparator.comparing(node -> -node.neighbours);
        return new ClusterSummary.Cluster(
                members.get(0).first.getUTF8String(ID_TEXT).toString(),
                rows(members),
                members.size(),
                members.stream().mapToLong(node -> node.neighbours).sum() / 2,
                members.stream()
                        .sorted(byNeighbours
                                .thenComparing(node -> -node.rows)
                                .thenComparing(node -> node.first.getUTF8String(STRING)))
                        .limit(Clusters.MAX_HUBS)
                        .map(node -> new ClusterSummary.Hub(
                                node.first
                                        .getUTF8String(STRING)
                                        .substring(0, Clusters.MAX_CHARACTERS)
                                        .toString(),
                                node.neighbours,
                                node.rows))
                        .toList());
    }

    /**
     * Iterates over a task's rows up to a total number of bytes; the row that exceeds this number is still included.
     */
    private static final class FirstRows implements Iterator<UnsafeRow> {
        private final Iterator<InternalRow> rows;
        private long left;

        FirstRows(Iterator<InternalRow> rows, long bytes) {
            this.rows = rows;
            this.left = bytes;
        }

        @Override
        public boolean hasNext() {
            return left >= 0 && rows.hasNext();
        }

        @Override
        public UnsafeRow next() {
            UnsafeRow row = (UnsafeRow) rows.next();
            left -= row.getSizeInBytes();
            return row.copy();
        }
    }
}
