package dev.bellman.job.input;

import static org.apache.spark.sql.functions.expr;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.format.InputColumns;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKey;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.Restricted;
import dev.bellman.job.terminal.Failures;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** A condition in a job file: an SQL expression that is true for the requested rows. */
public final class Condition {
    private Condition() {}

    /** Returns the rows of an input that satisfy the job's condition on its input, if there is one. */
    public static Dataset<Row> select(Dataset<Row> rows, Job job) {
        return job.find(JobKeys.INPUT_WHERE).isPresent()
                ? rows.where(over(rows, job, JobKeys.INPUT_WHERE, "the input has"))
                : rows;
    }

    /**
     * Returns the condition that a job sets with the given key.
     *
     * @param has the subject of the error message for a missing column, such as {@code the input has}
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_SCHEMA} if a column does not exist,
     *     {@link ErrorCode#BELLMAN_JOB_FILE} if the expression is not a condition
     */
    public static Column over(Dataset<Row> rows, Job job, JobKey<String> key, String has) {
        String text = job.get(key);
        try {
            if (job.get(JobKeys.RESTRICTED)) {
                Restricted.check(rows, text);
            }
            rows.where(expr(text)).queryExecution().assertAnalyzed();
            return expr(text);
        } catch (Exception e) {
            if (e instanceof AnalysisException analysis
                    && String.valueOf(analysis.getCondition()).startsWith("UNRESOLVED_COLUMN")) {
                throw InputColumns.missing(
                        key.path() + ": " + has,
                        rows,
                        analysis.getMessageParameters().get("objectName").replace("`", ""));
            }
            throw BellmanException.in(e)
                    .orElseGet(() -> new BellmanException(
                            ErrorCode.BELLMAN_JOB_FILE,
                            "%s is '%s', which is not a valid condition: %s"
                                    .formatted(key.path(), text, Failures.line(e)),
                            e));
        }
    }
}
