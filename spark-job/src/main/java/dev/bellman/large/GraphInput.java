package dev.bellman.large;

import static org.apache.spark.sql.functions.col;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.graph.ErrorContext;
import dev.bellman.graph.Graph;
import dev.bellman.job.format.Format;
import dev.bellman.job.input.Argument;
import dev.bellman.job.input.Condition;
import dev.bellman.job.input.InputFiles;
import dev.bellman.job.input.InputReader;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.OnBadRow;
import dev.bellman.large.file.GraphFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.FractionalType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Reads the graph of a job, either from rows that contain edges between vertices whose names are integers, strings,
 * decimals, dates or times, or from a file in a graph format.
 */
public final class GraphInput {
    /** The columns of an edge, in the order of {@link JobKeys#ARGUMENTS}. */
    static final List<String> ARGUMENTS = List.of("source", "target", "weight");

    private final List<Object> names = new ArrayList<>();
    private final Job job;
    private final Numbers ends = new Numbers();
    private final Numbers weights = new Numbers();

    private GraphInput(Job job) {
        this.job = job;
    }

    /**
     * A job's graph.
     *
     * @param graph the graph, in which vertices are identified by numbers
     * @param names the names of the vertices, sorted in ascending order
     */
    record Network(Graph graph, DataType type, Object... names) {
        /** Returns the vertices that have these names, in ascending order and without duplicates. */
        int[] vertices(SparkSession spark, List<String> wanted) {
            Map<Object, Integer> numbers = new HashMap<>();
            for (int i = 0; i < names.length; i++) {
                numbers.put(names[i], i);
            }
            List<Object> parsed = parse(spark, type, wanted);
            return IntStream.range(0, wanted.size())
                    .map(i -> {
                        Integer number = numbers.get(parsed.get(i));
                        if (number == null) {
                            throw new BellmanException(
                                    ErrorCode.BELLMAN_INPUT_VALUE,
                                    ("sources contains the vertex '%s', which is not in the graph; the "
                                                    + "graph's vertices are of type %s")
                                            .formatted(wanted.get(i), type.sql()));
                        }
                        return number;
                    })
                    .sorted()
                    .distinct()
                    .toArray();
        }
    }

    /**
     * Adds the names that vertices have in the input to error messages. This class is not a record, because Kryo cannot
     * serialize records.
     */
    private static final class InputErrorContext implements ErrorContext {
        private static final long serialVersionUID = 1L;

        private final String caller;
        private final Object[] names;

        InputErrorContext(String caller, Object... names) {
            this.caller = caller;
            this.names = names;
        }

        @Override
        public String caller() {
            return caller;
        }

        @Override
        public String vertex(int vertex) {
            return "vertex '%s'".formatted(names[vertex]);
        }

        @Override
        public String correction() {
            return "Correct the input";
        }

        @Override
        public String narrowing() {
            return "use smaller weights, or DOUBLE weights";
        }
    }

    /** Parses vertex names. A name that cannot be parsed becomes null. */
    public static List<Object> parse(SparkSession spark, DataType type, List<String> names) {
        return spark
                .createDataset(names, Encoders.STRING())
                .select(col("value").try_cast(type))
                .collectAsList()
                .stream()
                .map(row -> row.get(0))
                .toList();
    }

    /** A growable list of numbers, which are not boxed. */
    private static final class Numbers {
        private long[] values = new long[1 << 10];
        private int count;

        void add(long value) {
            if (count == values.length) {
                if (count > Integer.MAX_VALUE / 2) {
                    throw new BellmanException(
                            ErrorCode.BELLMAN_LIMIT,
                            "the graph has more than the maximum of %,d edges".formatted(count / 2));
                }
                values = Arrays.copyOf(values, 2 * count);
            }
            values[count++] = value;
        }
    }

    /**
     * Reads the graph.
     *
     * @param notes receives a note for each path that has no rows
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_SCHEMA} if the columns are not those of edges,
     *     {@link ErrorCode#BELLMAN_INPUT_VALUE} if values are NULL or invalid
     */
    static Network read(SparkSession spark, Job job, Consumer<String> notes) {
        return job.input().isInstanceFile()
                ? ofFiles(job, spark.sparkContext().hadoopConfiguration())
                : new GraphInput(job).ofRows(InputReader.read(spark, job.input(), OnBadRow.FAIL, notes));
    }

    private static Network ofFiles(Job job, Configuration configuration) {
        List<GraphFile> files = InputFiles.of(job.input(), configuration).files().stream()
                .map(path -> GraphFile.read(configuration, path, job.get(JobKeys.INPUT_FORMAT) == Format.MTX))
                .toList();
        if (files.size() != 1) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_READ,
                    "the input has %d files; in this format, a graph must be a single file".formatted(files.size()));
        }
        GraphFile file = files.get(0);
        Object[] names = new Object[file.nodes()];
        Arrays.setAll(names, i -> i + 1L);
        ErrorContext context = new InputErrorContext(job.get(JobKeys.PROBLEM).name(), names);
        Graph graph = file.longs() == null
                ? Graph.ofDoubles(context, file.nodes(), file.sources(), file.targets(), file.doubles())
                : Graph.ofLongs(context, file.nodes(), file.sources(), file.targets(), file.longs());
        return new Network(graph, DataTypes.LongType, names);
    }

    private Network ofRows(Dataset<Row> allRows) {
        Dataset<Row> rows = Condition.select(allRows, job);
        Column[] columns = job.get(JobKeys.ARGUMENTS).stream()
                .map(argument -> Argument.of(job, rows, argument))
                .toArray(Column[]::new);
        StructField[] fields = rows.select(columns).schema().fields();
        DataType vertex = vertexType(fields[0].dataType(), fields[1].dataType());
        boolean integers = fields[2].dataType() instanceof IntegralType;
        if (!integers && !(fields[2].dataType() instanceof FractionalType)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_SCHEMA,
                    ("the weight '%s' is of type %s; it must be a number. For strings, use CAST(%s AS "
                                    + "BIGINT) or CAST(%s AS DOUBLE) as the argument or, for CSV and TSV, set "
                                    + "the input option inferSchema: true")
                            .formatted(
                                    job.get(JobKeys.ARGUMENTS).get(2),
                                    fields[2].dataType().sql(),
                                    job.get(JobKeys.ARGUMENTS).get(2),
                                    job.get(JobKeys.ARGUMENTS).get(2)));
        }
        Dataset<Row> edges = rows.select(
                columns[0].cast(vertex),
                columns[1].cast(vertex),
                columns[2].cast(integers ? DataTypes.LongType : DataTypes.DoubleType));
        Map<Object, Integer> numbers = new HashMap<>();
        for (Iterator<Row> iterator = edges.toLocalIterator(); iterator.hasNext(); ) {
            add(iterator.next(), integers, numbers);
        }
        return network(vertex, integers);
    }

    private void add(Row edge, boolean integers, Map<Object, Integer> numbers) {
        for (int i = 0; i < ARGUMENTS.size(); i++) {
            if (edge.isNullAt(i)) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INPUT_VALUE,
                        "the %s of the edge %s is NULL; filter out such rows with input.where"
                                .formatted(ARGUMENTS.get(i), edge));
            }
        }
        if (!integers && !Graph.isWeight(edge.getDouble(2))) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    ("the weight of the edge %s must be a number of at most %s in magnitude; filter out "
                                    + "such rows with input.where")
                            .formatted(edge, Graph.MAX_WEIGHT));
        }
        for (int i = 0; i < 2; i++) {
            Object name = edge.get(i);
            ends.add(numbers.computeIfAbsent(name, newName -> {
                names.add(newName);
                return names.size() - 1;
            }));
        }
        weights.add(integers ? edge.getLong(2) : Double.doubleToRawLongBits(edge.getDouble(2)));
    }

    /** Numbers the vertices in the order of their names. */
    private Network network(DataType type, boolean integers) {
        Object[] inOrder = names.toArray();
        Arrays.sort(inOrder, order(type));
        Map<Object, Integer> numbers = new HashMap<>();
        for (int i = 0; i < inOrder.length; i++) {
            numbers.put(inOrder[i], i);
        }
        int[] sorted = new int[inOrder.length];
        Arrays.setAll(sorted, i -> numbers.get(names.get(i)));
        int count = weights.count;
        int[] from = new int[count];
        int[] to = new int[count];
        Arrays.setAll(from, e -> sorted[(int) ends.values[2 * e]]);
        Arrays.setAll(to, e -> sorted[(int) ends.values[2 * e + 1]]);
        ErrorContext context = new InputErrorContext(job.get(JobKeys.PROBLEM).name(), inOrder);
        if (integers) {
            return new Network(
                    Graph.ofLongs(context, inOrder.length, from, to, Arrays.copyOf(weights.values, count)),
                    type,
                    inOrder);
        }
        double[] doubles = new double[count];
        Arrays.setAll(doubles, e -> Double.longBitsToDouble(weights.values[e]));
        return new Network(Graph.ofDoubles(context, inOrder.length, from, to, doubles), type, inOrder);
    }

    /** Returns the order in which Spark sorts values; for example, strings are sorted by their bytes. */
    @SuppressWarnings("unchecked") // every type that vertexType returns has comparable values
    private static Comparator<Object> order(DataType type) {
        return type.equals(DataTypes.StringType)
                ? Comparator.comparing(name -> UTF8String.fromString((String) name))
                : (a, b) -> ((Comparable<Object>) a).compareTo(b);
    }

    private DataType vertexType(DataType source, DataType target) {
        if (source instanceof StringType && target instanceof StringType) {
            // even with collations, names are equal only if their bytes are equal
            return DataTypes.StringType;
        }
        if (source instanceof IntegralType && target instanceof IntegralType) {
            return source.equals(target) && source instanceof IntegerType ? source : DataTypes.LongType;
        }
        boolean names = source instanceof DateType
                || source instanceof TimestampType
                || source instanceof TimestampNTZType
                || source instanceof DecimalType;
        if (!names || !source.equals(target)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_SCHEMA,
                    ("the source '%s' is of type %s and the target '%s' of type %s; both must be whole "
                                    + "numbers, both strings, or both of the same DECIMAL, DATE or TIMESTAMP type")
                            .formatted(
                                    job.get(JobKeys.ARGUMENTS).get(0),
                                    source.sql(),
                                    job.get(JobKeys.ARGUMENTS).get(1),
                                    target.sql()));
        }
        return source;
    }
}
