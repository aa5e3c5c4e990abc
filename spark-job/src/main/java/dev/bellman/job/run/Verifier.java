package dev.bellman.job.run;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.Strategies;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Problem;
import dev.bellman.function.BellmanFunctions;
import dev.bellman.function.Catalogue;
import dev.bellman.job.format.InputColumns;
import dev.bellman.job.input.InputReader;
import dev.bellman.job.progress.Quantity;
import dev.bellman.job.rows.InstanceInput;
import dev.bellman.job.rows.InstanceQuery;
import dev.bellman.job.rows.Instances;
import dev.bellman.job.rows.RowSelection;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.terminal.Failures;
import dev.bellman.job.text.RecordFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/**
 * Solves a fraction of a job's rows again, with a different strategy on the CPU, and compares the results with those in
 * the files that will be published. Reads both sets of results from files of the same format. If the format cannot
 * represent a value exactly, both lose the same details.
 */
final class Verifier {
    /** The maximum number of selected rows that an executor keeps in memory in order to find them in the output. */
    private static final long BROADCAST_ROWS = 1_000_000;

    /** The column that shows which of the rows that are solved again belong to the output. */
    static final String CHOSEN = RecordFormat.ADDED + "chosen";

    /** The number of rows that were verified, and the strategy that solved them again. */
    record Agreement(long rows, String strategy) {
        Map<String, Object> describe() {
            Map<String, Object> description = new LinkedHashMap<>();
            description.put("rows", rows);
            description.put("agreed", rows);
            description.put("strategy", strategy);
            description.put("engine", "cpu");
            return description;
        }

        @Override
        public String toString() {
            return "%s verified by %s on the CPU, all results equal".formatted(Quantity.count(rows, "row"), strategy);
        }
    }

    private static final String ADVICE =
            "nothing was published. If the input has not changed and no argument is random, please report this bug, "
                    + "and use the strategy %s until it is fixed";

    private final Job job;
    private final SparkSession spark;
    private final String strategyKey;
    private final String strategy;

    /** @param jobSession the session in which the job runs */
    Verifier(Job job, SparkSession jobSession) {
        this.job = job;
        strategyKey = job.get(JobKeys.PROBLEM).strategyKey();
        strategy = Catalogue.strategy(
                job.get(JobKeys.PROBLEM), key -> jobSession.conf().get(key, null));
        spark = jobSession.newSession();
        spark.conf().set("spark.rapids.sql.enabled", "false");
        BellmanFunctions.register(spark, FunctionOptions.DEFAULT);
    }

    /**
     * @param folder the folder for the rows that are solved again; it is deleted at the end
     * @param write writes the rows that are solved again to the folder
     * @param again reads these rows back
     * @param written reads the rows of the output
     * @throws BellmanException {@link ErrorCode#BELLMAN_VERIFY_FAILED} if a row differs
     */
    Agreement verify(
            String folder, Consumer<Dataset<Row>> write, Supplier<Dataset<Row>> again, Supplier<Dataset<Row>> written) {
        List<String> others = strategies(job.get(JobKeys.PROBLEM));
        if (others.isEmpty()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE,
                    ("verify compares the results of two strategies, but no other strategy returns the same results "
                                    + "as %s; use a different strategy, or omit verify")
                            .formatted(strategy));
        }
        try {
            String by = solve(others, folder, write);
            return new Agreement(compare(again.get(), written.get(), by), by);
        } catch (Exception e) {
            // Scala code throws Spark's checked exceptions without declaring them
            throw Failures.explain(e);
        } finally {
            delete(folder);
        }
    }

    /** Returns the other CPU strategies that return the same results as the job's strategy, simplest first. */
    private <S extends Enum<S>> List<String> strategies(Problem<S> problem) {
        S own = problem.strategy(strategy);
        List<BellmanFunction<S>> functions = functions(problem);
        if (functions.stream().anyMatch(function -> !function.traits().answersAsDefined(own))) {
            return List.of();
        }
        return Stream.concat(
                        Stream.of(problem.textbook()),
                        Arrays.stream(problem.strategyType().getEnumConstants()))
                .distinct()
                .filter(other -> functions.stream()
                        .allMatch(function -> other != own
                                && function.traits().answersAsDefined(other)
                                && function.traits().onCpu(other) == other
                                && function.traits().onCpu(own) != other))
                .map(Strategies::name)
                .toList();
    }

    @SuppressWarnings("unchecked")
    private <S extends Enum<S>> List<BellmanFunction<S>> functions(Problem<S> problem) {
        return job.results().stream()
                .filter(function -> function.problem().equals(problem))
                .map(function -> (BellmanFunction<S>) function)
                .toList();
    }

    /** Solves the selected rows with the first strategy whose limits allow them, and returns that strategy. */
    private String solve(List<String> others, String folder, Consumer<Dataset<Row>> write) {
        List<String> left = new ArrayList<>(others);
        while (true) {
            String by = left.remove(0);
            spark.conf().set(strategyKey, by);
            Instances instances = InstanceInput.read(
                    job,
                    InputReader.open(spark, job.input(), job.get(JobKeys.ON_BAD_ROW))
                            .rows(),
                    job.targets().map(source -> InputReader.open(spark, source, job.get(JobKeys.ON_BAD_ROW))
                            .rows()));
            if (instances.kept().isEmpty()) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_JOB_FILE,
                        "verify identifies rows by the columns in id and keep, but neither is set; set at least one");
            }
            try {
                InstanceQuery sample = new InstanceQuery(instances.sampled(job.get(JobKeys.VERIFY)));
                write.accept(job.fitted(sample.judged(CHOSEN)));
                return by;
            } catch (Exception e) {
                BellmanException failure = Failures.explain(e);
                if (failure.code() != ErrorCode.BELLMAN_LIMIT || left.isEmpty()) {
                    throw failure;
                }
                delete(folder);
            }
        }
    }

    /** Compares the rows, and returns how many were compared. */
    private long compare(Dataset<Row> again, Dataset<Row> written, String by) {
        long rows = again.count();
        if (rows == 0) {
            return 0;
        }
        int kept = again.columns().length - job.results().size() - 1;
        Dataset<Row> expected = again.where(
                        col(CHOSEN).cast(DataTypes.StringType).equalTo("true"))
                .drop(CHOSEN);
        Dataset<Row> names = again.select(columns(again, 0, kept)).distinct();
        Dataset<Row> namesOrSent = rows <= BROADCAST_ROWS ? broadcast(names) : names;
        Column same = null;
        for (int i = 0; i < kept; i++) {
            Column equal = written.col(quoted(written, i)).eqNullSafe(names.col(quoted(names, i)));
            same = same == null ? equal : same.and(equal);
        }
        Dataset<Row> candidates = written.join(namesOrSent, same, "left_semi");
        List<Row> different = expected.exceptAll(candidates).takeAsList(1);
        if (!different.isEmpty()) {
            throw different(different.get(0), candidates, kept, by);
        }
        if (RowSelection.isMade(job)) {
            List<Row> tooMany = candidates.exceptAll(expected).takeAsList(1);
            if (!tooMany.isEmpty()) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_VERIFY_FAILED,
                        ("%s has %s with the strategy %s, but is not selected with the strategy %s on the CPU; "
                                        + ADVICE)
                                .formatted(
                                        named(tooMany.get(0), kept), results(tooMany.get(0), kept), strategy, by, by));
            }
        }
        return rows;
    }

    private static Column[] columns(Dataset<Row> rows, int from, int to) {
        Column[] columns = new Column[to - from];
        for (int i = from; i < to; i++) {
            columns[i - from] = rows.col(quoted(rows, i));
        }
        return columns;
    }

    private static String quoted(Dataset<Row> rows, int column) {
        return InputColumns.quoted(rows.columns()[column]);
    }

    private BellmanException different(Row row, Dataset<Row> candidates, int kept, String by) {
        Column same = lit(true);
        for (int i = 0; i < kept; i++) {
            same = same.and(candidates.col(quoted(candidates, i)).eqNullSafe(lit(row.get(i))));
        }
        List<Row> found = candidates.where(same).takeAsList(1);
        return new BellmanException(
                ErrorCode.BELLMAN_VERIFY_FAILED,
                ("%s has %s with the strategy %s, but %s with the strategy %s on the CPU; " + ADVICE)
                        .formatted(
                                named(row, kept),
                                found.isEmpty() ? "no results" : results(found.get(0), kept),
                                strategy,
                                results(row, kept),
                                by,
                                by));
    }

    private static String named(Row row, int kept) {
        StringJoiner which = new StringJoiner(", ", "the row with ", "");
        for (int i = 0; i < kept; i++) {
            which.add(row.schema().fieldNames()[i] + " " + row.get(i));
        }
        return which.toString();
    }

    private static String results(Row row, int kept) {
        StringJoiner results = new StringJoiner(", ");
        for (int i = kept; i < row.length(); i++) {
            results.add(row.schema().fieldNames()[i] + " " + row.get(i));
        }
        return results.toString();
    }

    private void delete(String folder) {
        try {
            Path path = new Path(folder);
            FileSystem files = path.getFileSystem(spark.sparkContext().hadoopConfiguration());
            files.delete(path, true);
        } catch (IOException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OUTPUT_WRITE,
                    "cannot delete the folder %s: %s".formatted(folder, Failures.line(e)),
                    e);
        }
    }
}
