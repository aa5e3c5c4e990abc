package dev.bellman.job;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.output.PathPattern;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Opens the inputs of a job. */
final class InputReader {
    private InputReader() {}

    /**
     * The rows of a source.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_READ} if it cannot be opened, {@link
     *     ErrorCode#BELLMAN_INPUT_EMPTY} if it has no rows
     */
    static Dataset<Row> read(SparkSession spark, Job.Source source) {
        String paths = String.join(", ", source.paths());
        Dataset<Row> rows;
        try {
            rows = source.format().reader(spark, source.options()).load(patterns(spark, source));
            WideRows.fit(rows, source.format());
        } catch (Exception e) {
            throw unreadable(paths, e);
        }
        boolean empty;
        try {
            empty = rows.columns().length == 0 || rows.isEmpty();
        } catch (Exception e) {
            throw unreadable(paths, e);
        }
        if (empty) {
            throw new BellmanException(ErrorCode.BELLMAN_INPUT_EMPTY, "the input %s has no rows".formatted(paths));
        }
        return rows;
    }

    private static String[] patterns(SparkSession spark, Job.Source source) throws IOException {
        Configuration configuration = spark.sparkContext().hadoopConfiguration();
        List<String> patterns = new ArrayList<>();
        for (String path : source.paths()) {
            patterns.add(PathPattern.ofInput(path, configuration));
        }
        return patterns.toArray(String[]::new);
    }

    private static BellmanException unreadable(String paths, Exception failure) {
        if (failure instanceof AnalysisException analysis && "PATH_NOT_FOUND".equals(analysis.getCondition())) {
            return new BellmanException(
                    ErrorCode.BELLMAN_INPUT_READ,
                    "there is no input at %s; relative paths start at the working directory".formatted(paths),
                    failure);
        }
        BellmanException explained = Failures.explain(failure);
        return BellmanException.in(failure).isPresent()
                ? explained
                : new BellmanException(
                        ErrorCode.BELLMAN_INPUT_READ,
                        "cannot read the input %s: %s".formatted(paths, Failures.withoutCode(explained.getMessage())),
                        failure);
    }
}
