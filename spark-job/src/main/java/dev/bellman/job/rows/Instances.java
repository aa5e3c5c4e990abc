package dev.bellman.job.rows;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.pmod;
import static org.apache.spark.sql.functions.when;
import static org.apache.spark.sql.functions.xxhash64;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.cluster.Clusters;
import dev.bellman.job.format.Format;
import dev.bellman.job.format.InputColumns;
import dev.bellman.job.format.ParquetFooters;
import dev.bellman.job.format.Refusal;
import dev.bellman.job.plan.EngineCheck;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.text.RecordFormat;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;

/**
 * A job's instances as rows, which contain ids, kept columns and arguments.
 *
 * @param ids the names of the columns that identify an instance, if there are any
 * @param kept the columns of an instance that are written to the output in addition to the results
 * @param failures for each argument that may fail, a column with the reason, or NULL; empty if such a failure ends
 *     the job
 * @param sources the inputs, in which malformed records are marked unless they make the job fail
 * @param rejoin adds the dropped arguments back to numbered pairs; empty if the arguments are not dropped
 * @param targetLetters the total number of letters in all targets, if a result needs it and the job does not set it
 * @param clusters the clusters that are requested but have not been found yet, if any
 * @param nearest finds the closest pairs, if only those are requested and {@code rows} contains all pairs
 * @param sides the rows before pairing, one element for each input; empty if the instances are not pairs
 * @param lacking the instances that are skipped because an argument is NULL; empty if {@code rows} contains them
 */
public record Instances(
        Job job,
        Dataset<Row> rows,
        List<String> ids,
        List<Column> kept,
        List<Column> arguments,
        Map<String, Column> failures,
        List<Dataset<Row>> sources,
        Optional<UnaryOperator<Dataset<Row>>> rejoin,
        OptionalLong targetLetters,
        Optional<Clusters> clusters,
        Optional<NearestTargets> nearest,
        List<PairSide> sides,
        Optional<Dataset<Row>> lacking) {
    /** The name under which a query's plan counts instances with a NULL argument. */
    public static final String NULLS = "bellman_nulls";

    private static final String KNOWN = RecordFormat.ADDED + "known_";

    /**
     * The number of different hashes. A sample consists of the rows whose hash is less than the sample's fraction of
     * this number.
     */
    private static final long HASHES = 1L << 40;

    /** Creates instances that have no arguments, from rows that are to be clustered or have been clustered. */
    static Instances ofRows(
            Job job,
            Dataset<Row> rows,
            List<String> ids,
            List<Column> kept,
            List<Dataset<Row>> sources,
            Optional<Clusters> clusters) {
        return new Instances(
                job,
                rows,
                ids,
                kept,
                List.of(),
                Map.of(),
                sources,
                Optional.empty(),
                OptionalLong.empty(),
                clusters,
                Optional.empty(),
                List.of(),
                Optional.empty());
    }

    /**
     * Returns instances of the same form, with other rows and sources, for which no closest pairs remain to be found.
     */
    Instances with(Dataset<Row> others, List<Dataset<Row>> from) {
        return with(others, from, Optional.empty(), sides, lacking);
    }

    private Instances with(
            Dataset<Row> others,
            List<Dataset<Row>> from,
            Optional<NearestTargets> closest,
            List<PairSide> paired,
            Optional<Dataset<Row>> without) {
        return new Instances(
                job,
                others,
                ids,
                kept,
                arguments,
                failures,
                from,
                rejoin,
                targetLetters,
                clusters,
                closest,
                paired,
                without);
    }

    /** Returns the same rows, but with different arguments. */
    Instances withArguments(List<Column> others) {
        return new Instances(
                job,
                rows,
                ids,
                kept,
                others,
                failures,
                sources,
                rejoin,
                targetLetters,
                clusters,
                nearest,
                sides,
                lacking);
    }

    /** Returns the rows of one side, each paired with itself. */
    Instances ofSide(PairSide side) {
        return with(side.rows(), sources).withArguments(List.of(side.value(), side.value()));
    }

    /**
     * Returns about this fraction of the instances, selected by a hash of the kept columns. If the job outputs the best
     * rows of each group, selects whole groups instead, by a hash of the group column.
     */
    public Instances sampled(double share) {
        Column[] hashed = job.best()
                .map(best -> new Column[] {InputColumns.column(best.column())})
                .orElseGet(() -> kept.toArray(Column[]::new));
        Column chosen = pmod(xxhash64(hashed), lit(HASHES)).lt((long) (share * HASHES));
        return with(rows.where(chosen), sources);
    }

    /**
     * Returns one of the {@code of} parts into which the instances are divided. Equal numbers always select the same
     * instances. If {@code best} is set, rows of the same group are in the same part. Otherwise, the same part contains
     * all rows that have the same id, all pairs that have the same {@code id_a}, or, without ids, all rows that have
     * the same values. Because pairs are divided by one id, rows are selected before they are paired.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_JOB_FILE} if the input has no id, and Spark considers the query
     *     for the rows not deterministic
     */
    public Instances part(int part, int of) {
        Column[] by = job.find(JobKeys.BEST)
                .map(best -> Stream.of(InputColumns.column(best.column())))
                .orElseGet(() -> ids.isEmpty()
                        ? Stream.concat(kept.stream(), arguments.stream())
                        : Stream.of(InputColumns.column(ids.get(0))))
                .toArray(Column[]::new);
        if (ids.isEmpty() && !rows.queryExecution().analyzed().deterministic()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE,
                    "output.parts divides rows without an id by their values, but the input or an argument is not "
                            + "deterministic; set id (--id) to the column that identifies a row");
        }
        Column chosen = pmod(xxhash64(by), lit((long) of)).equalTo((long) part);
        // only part 0 reports malformed records and the rows that cannot be solved in any pair
        List<Dataset<Row>> told = part == 0
                ? sources
                : sources.stream()
                        .map(source -> InputColumns.marksMalformed(source)
                                ? source.where(col(RecordFormat.MALFORMED).isNull())
                                : source)
                        .toList();
        return with(
                        rows.where(chosen),
                        told,
                        Optional.empty(),
                        part == 0 ? sides : List.of(),
                        lacking.map(left -> left.where(chosen)))
                .counted();
    }

    /** Returns the first {@code count} instances, or all instances if there are fewer. */
    public List<UnsafeRow> first(int count) {
        return Stream.of(rows.limit(count).queryExecution().executedPlan().executeCollect())
                .map(UnsafeRow.class::cast)
                .toList();
    }

    /** Returns the given instances in the same form, distributed over all cores. */
    public Instances over(List<UnsafeRow> others) {
        SparkSession spark = (SparkSession) rows.sparkSession();
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        JavaRDD<InternalRow> spread =
                context.parallelize(List.<InternalRow>copyOf(others), context.defaultParallelism());
        // if the list were local, Spark would solve its rows on the driver, during planning
        return with(spark.internalCreateDataFrame(spread.rdd(), rows.schema(), false), sources);
    }

    /**
     * Returns the instances whose {@link #keys} do not occur in the known rows.
     *
     * @param known rows that have the columns of {@link #keys}
     */
    public Instances without(Dataset<Row> known) {
        Column same = lit(true);
        Column readable = lit(true);
        List<Column> renamed = new ArrayList<>();
        for (String id : keys()) {
            String name = KNOWN + id;
            Column column = InputColumns.column(id);
            // an id stored as a string may not be valid for the id column's type, so use try_cast
            Column typed = column.try_cast(rows.schema().apply(id).dataType());
            renamed.add(typed.as(name));
            readable = readable.and(column.isNull().or(typed.isNotNull()));
            same = same.and(InputColumns.column(id).eqNullSafe(InputColumns.column(name)));
        }
        Dataset<Row> idsKnown =
                known.where(readable).select(renamed.toArray(Column[]::new)).distinct();
        Column any = same;
        UnaryOperator<Dataset<Row>> others = some -> some.join(idsKnown, any, "left_anti");
        return with(others.apply(rows), sources, nearest.map(found -> found.narrowed(others)), sides, lacking);
    }

    /** Whether a row has no result because an argument is NULL, rather than because an argument failed. */
    Column lacksArgument() {
        Column lacks = lit(false);
        for (Column argument : arguments) {
            lacks = lacks.or(argument.isNull());
        }
        for (Column failure : failures.values()) {
            lacks = lacks.and(failure.isNull());
        }
        return lacks;
    }

    /** Returns the instances except those that {@linkplain #lacksArgument lack an argument}, which are only counted. */
    public Instances complete() {
        Instances all = job.get(JobKeys.OUTPUT_PARTS) == 1 ? counted() : this;
        Column complete = not(lacksArgument());
        return with(
                all.rows.where(complete),
                sources,
                nearest.map(found -> found.narrowed(pairs -> pairs.where(complete))),
                sides,
                Optional.of(rows.where(lacksArgument())));
    }

    /**
     * Returns the same instances, whose query also counts those that {@linkplain #lacksArgument lack an argument} as
     * {@link #NULLS}. Returns this object if the instances are pairs, or if the query cannot observe the count;
     * {@link #incomplete} then runs a separate query.
     */
    public Instances counted() {
        return job.get(JobKeys.PAIRING).hasRows() && !arguments.isEmpty() && lacking.isEmpty() && canObserve()
                ? with(rows.observe(NULLS, count(when(lacksArgument(), 1)).as(NULLS)), sources)
                : this;
    }

    /** Whether queries are able to observe counts. RAPIDS cannot plan a query that observes counts. */
    public boolean canObserve() {
        return !EngineCheck.usesPlugin(rows.sparkSession());
    }

    /**
     * Counts the input rows, or the joined rows, in which an argument is NULL. A row that other pairings use in many
     * pairs is counted once.
     */
    public long incomplete() {
        return job.get(JobKeys.PAIRING).hasRows()
                ? lacking.orElseGet(() -> rows.where(lacksArgument())).count()
                : sides.stream().mapToLong(PairSide::nulls).sum();
    }

    /**
     * Returns the same instances. Unless the job outputs the best rows of each group, their query fails for a row whose
     * id is NULL or empty, because such an id does not identify a row.
     */
    public Instances identified() {
        if (job.best().isPresent()) {
            // the key of a group may be NULL
            return this;
        }
        Column none = lit(false);
        for (String id : keys()) {
            Column column = InputColumns.column(id);
            none = none.or(column.isNull());
            if (rows.schema().apply(id).dataType() instanceof StringType) {
                none = none.or(column.equalTo(""));
            }
        }
        Column fails = Refusal.of(
                ErrorCode.BELLMAN_INPUT_VALUE,
                ("output.skipExisting compares rows by %s, but a row has a NULL or empty value there; exclude such "
                                + "rows from the input, or, if their records are malformed, set onBadRow: quarantine")
                        .formatted(String.join(" and ", keys())),
                DataTypes.BooleanType);
        return with(rows.where(when(none, fails).otherwise(true)), sources);
    }

    /**
     * Returns the columns that decide whether a row is known: the ids or, if the job outputs the best rows of each
     * group, the group column.
     */
    public List<String> keys() {
        if (ids.isEmpty()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE,
                    "output.skipExisting requires ids, but the input has no column id; set id (--id) to the column "
                            + "that identifies a row");
        }
        return job.best().map(best -> List.of(best.column())).orElse(ids);
    }

    /**
     * Starts to count the rows of text files that are paired, for {@link #total} and {@link #incomplete}. In the
     * meantime, the query can be planned.
     */
    public void startCounting() {
        sides.forEach(PairSide::startCounting);
    }

    /**
     * Returns the number of instances for the progress display. For {@code cross} and {@code all-vs-all}, it is
     * computed from the numbers of rows on both sides. For the rows of columnar files without {@code input.where}, it
     * is the number of rows in the files. Empty for other inputs and pairings, and if the run skips existing rows.
     *
     * @param parts the number of parts of about the same size into which the run divides the instances. The result is
     *     the number for one part, except for rows without {@code output.partitions}, whose query for a part reads all
     *     rows.
     */
    public OptionalLong total(int parts) {
        if (job.get(JobKeys.OUTPUT_SKIP_EXISTING)) {
            return OptionalLong.empty();
        }
        switch (job.get(JobKeys.PAIRING)) {
            case CROSS:
                return OptionalLong.of(sides.get(0).size() * sides.get(1).size() / parts);
            case ALL_VS_ALL:
                long rows = sides.get(0).size();
                return OptionalLong.of(rows * (rows - 1) / (job.best().isPresent() ? 1 : 2) / parts);
            case JOIN, WITHIN, NEAREST:
                return OptionalLong.empty();
            default:
                boolean footers =
                        job.input().format().filter(Format::isColumnar).isPresent()
                                && job.find(JobKeys.INPUT_WHERE).isEmpty();
                boolean spread = job.find(JobKeys.OUTPUT_PARTITIONS).isPresent();
                return footers ? OptionalLong.of(rowsOfFiles() / (spread ? parts : 1)) : OptionalLong.empty();
        }
    }

    /** Returns the number of rows in the columnar files of the input. */
    private long rowsOfFiles() {
        Dataset<Row> source = sources.get(0);
        OptionalLong rows =
                job.input().format().filter(format -> format == Format.PARQUET).isPresent()
                        ? ParquetFooters.rows(
                                Stream.of(source.inputFiles())
                                        .map(file -> new Path(URI.create(file)))
                                        .toList(),
                                source.sparkSession().sparkContext().hadoopConfiguration())
                        : OptionalLong.empty();
        // only footers are read, so a GPU would not help
        return rows.orElseGet(() -> EngineCheck.withoutPlugin(source.sparkSession(), source::count));
    }
}
