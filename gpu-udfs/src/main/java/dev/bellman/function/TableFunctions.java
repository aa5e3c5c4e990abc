package dev.bellman.function;

import dev.bellman.align.linkage.Linkage;
import dev.bellman.function.TableFunction.Parameter;
import dev.bellman.markov.GaussianModel;
import dev.bellman.plan.components.ConnectedComponents;
import dev.bellman.plan.training.HmmTraining;
import dev.bellman.plan.training.SequenceType;
import dev.bellman.plan.training.TrainingGoal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.RowOrdering;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.NullType;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Defines the table-valued functions. Some return pairs or clusters of close rows, or the closest rows of a second
 * table. Each of these becomes an ordinary query with a join on edit distance, and returns the same results as a job
 * with {@code pairing: within} or {@code nearest}. The others find the connected components of a graph, or train a
 * model on the rows of a table.
 */
final class TableFunctions {
    private static final Parameter BLOCK_ON =
            new Parameter("block_on", Literal.create(null, new ArrayType(DataTypes.StringType, false)));

    private static final Parameter LINKAGE = new Parameter("linkage", Literal.create(null, DataTypes.StringType));

    private TableFunctions() {}

    static List<TableFunction> all() {
        return List.of(
                new TableFunction(
                        "similar_pairs",
                        "Returns all pairs of rows in a table whose strings in `column` are at most `max` edits apart, "
                                + "each pair once. For each column `x` of the table, the result has the columns `x_a` "
                                + "and `x_b`; it also has `distance`. If `block_on` is given, its columns must be "
                                + "equal in both rows.",
                        List.of(
                                Parameter.required("input"),
                                Parameter.required("column"),
                                Parameter.required("max"),
                                BLOCK_ON),
                        TableFunctions::similarPairs),
                new TableFunction(
                        "similar_clusters",
                        "Returns the rows of a table with their clusters. Two rows are in the same cluster if they are "
                                + "linked by a chain of strings, each at most `max` edits from the next. `cluster` "
                                + "identifies the cluster, `cluster_size` is the number of its rows, and "
                                + "`representative` is its most frequent string (ties: the string with the most other "
                                + "strings at most `max` edits away, then the smallest string). If `block_on` is "
                                + "given, its columns must be equal in all rows of a cluster. For a row with a NULL "
                                + "in `column` or `block_on`, `cluster` and `representative` are NULL, and "
                                + "`cluster_size` is 1. If `linkage` is given, the clusters are those that "
                                + "`text_clusters` returns for the distinct strings in ascending order. In this case, "
                                + "`representative` is the medoid, and the result also has `diameter`, the largest "
                                + "distance in the cluster.",
                        List.of(
                                Parameter.required("input"),
                                Parameter.required("column"),
                                Parameter.required("max"),
                                BLOCK_ON,
                                LINKAGE),
                        TableFunctions::similarClusters),
                new TableFunction(
                        "nearest",
                        "For each row of a table, returns the `top` closest rows in `targets` (default: 1) that are at "
                                + "most `max` edits away. For each column `x`, the result has the columns `x_a` and "
                                + "`x_b`; it also has `distance`. If `block_on` is given, its columns must be equal in "
                                + "both rows. Ties: the smallest values of the columns of `targets`, from the first "
                                + "column to the last; columns that Spark cannot sort, such as maps, are ignored.",
                        List.of(
                                Parameter.required("input"),
                                Parameter.required("targets"),
                                Parameter.required("column"),
                                Parameter.required("max"),
                                new Parameter("top", Literal.create(1, DataTypes.IntegerType)),
                                BLOCK_ON),
                        TableFunctions::nearest),
                new TableFunction(
                        "connected_components",
                        "Finds the connected components of a graph. The table must have two columns of integers; each "
                                + "row without NULL is an edge. Returns each `node`, the smallest node in its "
                                + "component as `component`, and the number of its edges as `neighbours`; a loop "
                                + "counts twice.",
                        List.of(Parameter.required("edges")),
                        TableFunctions::connectedComponents),
                training());
    }

    private static TableFunction training() {
        return new TableFunction(
                "hidden_markov_training",
                "Fits a hidden Markov model to the sequences in a column of a table, as `hmm_fit` does for an array of "
                        + "all sequences. Each row contains one sequence of symbols (0-based), numbers or points; rows "
                        + "whose sequence is NULL are ignored. Returns one row with `start`, `transitions`, "
                        + "`emissions` and `log_probabilities`. If `tolerance` is given, training stops once an "
                        + "iteration increases the log-probability by less than `tolerance`.",
                List.of(
                        Parameter.required("input"),
                        Parameter.required("column"),
                        Parameter.required("states"),
                        new Parameter("iterations", Literal.create(10, DataTypes.IntegerType)),
                        new Parameter("tolerance", Literal.create(null, DataTypes.DoubleType)),
                        new Parameter("seed", Literal.create(0L, DataTypes.LongType)),
                        new Parameter("min_variance", Literal.create(1e-3, DataTypes.DoubleType))),
                TableFunctions::hiddenMarkovTraining);
    }

    private static LogicalPlan similarPairs(TableFunction.Arguments call) {
        LogicalPlan input = call.table(0);
        String text = call.column(1, input);
        String condition = close(text, call.number(2, 0), call.columns(3, input));
        String row = row(input);
        return TableFunction.query(
                "SELECT %s FROM numbered a JOIN numbered b ON %s AND a.%s < b.%s"
                        .formatted(pair(input, input, text), condition, row, row),
                Map.of("numbered", call.once(numbered(input, row))));
    }

    private static LogicalPlan nearest(TableFunction.Arguments call) {
        LogicalPlan input = call.table(0);
        LogicalPlan targets = call.table(1);
        String text = call.column(2, input, targets);
        String condition = close(text, call.number(3, 0), call.columns(5, input, targets));
        String row = row(input);
        String columns =
                Stream.concat(suffixed(input, "_a"), suffixed(targets, "_b")).collect(Collectors.joining(", "));
        return TableFunction.query(
                """
                        SELECT %1$s, distance FROM (
                          SELECT *, row_number() OVER (PARTITION BY %2$s ORDER BY distance, %3$s) AS __place FROM (
                            SELECT a.%2$s, %4$s FROM numbered a JOIN targets b ON %5$s))
                        WHERE __place <= %6$s
                        """.formatted(columns, row, orderOf(targets), pair(input, targets, text), condition, call.number(4, 1)),
                Map.of("numbered", call.once(numbered(input, row)), "targets", targets));
    }

    /**
     * Returns the clusters of close rows. The nodes of the graph are the distinct strings of each group, each
     * identified by a hash. The query fails if different strings have equal hashes. For a million strings, the
     * probability of a collision is less than 10^-7.
     */
    private static LogicalPlan similarClusters(TableFunction.Arguments call) {
        LogicalPlan input = call.table(0);
        String text = call.column(1, input);
        List<String> by = call.columns(3, input);
        Optional<Linkage> linkage = call.linkage(4);
        List<String> added = new ArrayList<>(List.of("cluster", "cluster_size", "representative"));
        linkage.ifPresent(any -> added.add("diameter"));
        for (String column : added) {
            if (TableFunction.names(input).stream().anyMatch(column::equalsIgnoreCase)) {
                throw call.wrong(
                        0, "has a column %s, which would appear twice in the result; rename it".formatted(column));
            }
        }
        List<String> key = Stream.concat(Stream.of(text), by.stream())
                .map(TableFunctions::quoted)
                .toList();
        // in the queries on nodes, the columns of the key have names that differ from those of other columns
        List<String> own =
                IntStream.range(0, key.size()).mapToObj(i -> "__key" + i).toList();
        String named = IntStream.range(0, key.size())
                .mapToObj(i -> "%s AS %s".formatted(key.get(i), own.get(i)))
                .collect(Collectors.joining(", "));
        String keys = String.join(", ", key);
        String present = each(key, "%s IS NOT NULL"::formatted, " AND ");
        String nodes = """
                (SELECT __node, max(__rows) AS __rows, %s FROM (
                  SELECT xxhash64(%s) AS __node, count(*) AS __rows, %s FROM input WHERE %s GROUP BY %s)
                GROUP BY __node)""".formatted(each(own, each -> """
                                if(count(*) = 1, max(%1$s), raise_error('similar_clusters: two strings have the \
                                same hash; to cluster them, run a job with results: [cluster]')) \
                                AS %1$s""".formatted(each), ", "), keys, named, present, keys);
        String edges = "SELECT a.__node AS one, b.__node AS other FROM %s a JOIN %s b ON %s AND a.__node < b.__node"
                .formatted(nodes, nodes, close(own.get(0), call.number(2, 0), own.subList(1, own.size())));
        String components = """
                (SELECT n.*, coalesce(c.component, n.__node) AS cluster, coalesce(c.neighbours, 0) AS __neighbours
                FROM %s n LEFT JOIN connected_components(TABLE(%s)) c ON n.__node = c.node)""".formatted(nodes, edges);
        String members = linkage.map(its -> linked(components, own.get(0), call.number(2, 0), its))
                .orElseGet(() -> """
                        (SELECT __node, cluster, sum(__rows) OVER (PARTITION BY cluster) AS cluster_size,
                          min_by(%1$s, struct(-__rows, -__neighbours, %1$s)) OVER (PARTITION BY cluster) AS representative
                        FROM %2$s)""".formatted(own.get(0), components));
        return TableFunction.query(
                """
                SELECT %s, m.cluster, coalesce(m.cluster_size, 1) AS cluster_size, m.representative%s
                FROM input i LEFT JOIN %s m ON if(%s, xxhash64(%s), NULL) = m.__node
                """.formatted(
                                each(TableFunction.names(input), name -> "i." + quoted(name), ", "),
                                linkage.isPresent() ? ", m.diameter" : "",
                                members,
                                each(key, name -> "i." + name + " IS NOT NULL", " AND "),
                                each(key, name -> "i." + name, ", ")),
                Map.of("input", call.once(input)));
    }

    /** Returns a query that clusters the nodes of each component by linkage. */
    private static String linked(String components, String text, int max, Linkage linkage) {
        return """
                (SELECT *, sum(__rows) OVER (PARTITION BY cluster) AS cluster_size FROM (
                  SELECT inline(transform(text_clusters(members.%1$s, %2$s, '%3$s'), (member, i) -> struct(
                    members[i].__node, members[i].__rows, members[member.cluster].__node AS cluster,
                    members[member.medoid].%1$s AS representative, member.diameter)))
                  FROM (SELECT array_sort(collect_list(struct(%1$s, __node, __rows))) AS members
                    FROM %4$s GROUP BY cluster)))""".formatted(text, max, linkage.sqlName(), components);
    }

    private static LogicalPlan connectedComponents(TableFunction.Arguments call) {
        LogicalPlan edges = call.table(0);
        List<String> names = TableFunction.names(edges);
        if (names.size() != 2) {
            throw call.wrong(0, "must have two columns; it has " + String.join(", ", names));
        }
        // casts would merge different nodes, such as 1.2 and 1.7, or '7' and '07'
        for (Attribute column : CollectionConverters.asJava(edges.output())) {
            DataType type = column.dataType();
            boolean integers = type instanceof IntegralType
                    || type instanceof NullType
                    || type instanceof DecimalType decimal
                            && decimal.scale() == 0
                            && decimal.precision() <= Decimal.MAX_LONG_DIGITS();
            if (!integers) {
                throw call.wrong(
                        0,
                        "has the column %s of type %s; both must be integers; to number other values, use dense_rank"
                                .formatted(column.name(), type.sql()));
            }
        }
        List<String> nodes = names.stream().map(TableFunctions::quoted).toList();
        return ConnectedComponents.of(TableFunction.query(
                "SELECT %s FROM edges WHERE %s"
                        .formatted(
                                each(nodes, "CAST(%1$s AS BIGINT) AS %1$s"::formatted, ", "),
                                each(nodes, "%s IS NOT NULL"::formatted, " AND ")),
                Map.of("edges", edges)));
    }

    private static LogicalPlan hiddenMarkovTraining(TableFunction.Arguments call) {
        LogicalPlan input = call.table(0);
        String column = call.column(1, input);
        DataType type = CollectionConverters.asJava(input.output()).stream()
                .filter(each -> each.name().equals(column))
                .findFirst()
                .orElseThrow()
                .dataType();
        SequenceType<?> sequences = SequenceType.of(type)
                .orElseThrow(() -> call.wrong(
                        1,
                        "is of type %s; it must be ARRAY<INT>, ARRAY<DOUBLE> or ARRAY<ARRAY<DOUBLE>>"
                                .formatted(type.sql())));
        double minVariance = call.real(6).orElse(Double.NaN);
        if (!GaussianModel.isVariance(minVariance)) {
            throw call.wrong(6, "must be a number from 1e-80 to 1e200");
        }
        TrainingGoal goal = new TrainingGoal(
                call.number(2, 1),
                call.number(3, 1),
                call.real(4).orElse(Double.NEGATIVE_INFINITY),
                call.bigint(5),
                minVariance);
        return HmmTraining.of(
                TableFunction.query(
                        "SELECT CAST(%s AS %s) AS sequence FROM input"
                                .formatted(quoted(column), sequences.column().sql()),
                        Map.of("input", input)),
                goal);
    }

    /** Returns a name for the numbers of the rows that differs from the names of the columns. */
    private static String row(LogicalPlan input) {
        String name = "__row";
        while (TableFunction.names(input).stream().anyMatch(name::equalsIgnoreCase)) {
            name += "_";
        }
        return name;
    }

    /** Adds a unique number to each row. */
    private static LogicalPlan numbered(LogicalPlan input, String row) {
        return TableFunction.query(
                "SELECT *, monotonically_increasing_id() AS %s FROM input".formatted(row), Map.of("input", input));
    }

    private static String close(String text, int max, List<String> by) {
        return Stream.concat(
                        Stream.of("edit_distance(a.%1$s, b.%1$s) <= %2$s".formatted(quoted(text), max)),
                        by.stream().map(name -> "a.%1$s = b.%1$s".formatted(quoted(name))))
                .collect(Collectors.joining(" AND "));
    }

    /** Returns the columns of both rows of a pair, followed by the distance. */
    private static String pair(LogicalPlan a, LogicalPlan b, String text) {
        List<String> columns = new ArrayList<>();
        ofSide(a, "a").forEach(columns::add);
        ofSide(b, "b").forEach(columns::add);
        columns.add("edit_distance(a.%1$s, b.%1$s) AS distance".formatted(quoted(text)));
        return String.join(", ", columns);
    }

    private static Stream<String> ofSide(LogicalPlan side, String name) {
        return TableFunction.names(side).stream()
                .map(column -> "%s.%s AS %s".formatted(name, quoted(column), quoted(column + "_" + name)));
    }

    /** Returns the order of equally close targets. Spark cannot sort some types, such as MAP. */
    private static String orderOf(LogicalPlan targets) {
        return CollectionConverters.asJava(targets.output()).stream()
                .filter(column -> RowOrdering.isOrderable(column.dataType()))
                .map(column -> quoted(column.name() + "_b"))
                .collect(Collectors.joining(", "));
    }

    private static Stream<String> suffixed(LogicalPlan side, String suffix) {
        return TableFunction.names(side).stream().map(column -> quoted(column + suffix));
    }

    private static String each(List<String> names, Function<String, String> text, String between) {
        return names.stream().map(text).collect(Collectors.joining(between));
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }
}
