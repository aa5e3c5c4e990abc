package dev.bellman.job.input;

import static org.apache.spark.sql.functions.expr;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.format.InputColumns;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.Restricted;
import dev.bellman.job.terminal.Failures;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.plans.logical.Generate;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import scala.jdk.javaapi.CollectionConverters;

/** An argument in a job file: an input column, or an SQL expression over input columns. */
public final class Argument {
    private Argument() {}

    /** Returns the column or expression for an argument; fails if it is not valid for the input. */
    public static Column of(Job job, Dataset<Row> input, String argument) {
        return of(job, "the input has", input, argument);
    }

    public static Column of(Job job, String has, Dataset<Row> input, String argument) {
        try {
            if (job.get(JobKeys.RESTRICTED)
                    && InputColumns.find(input, argument).isEmpty()) {
                Restricted.check(input, argument);
            }
            Column expression =
                    InputColumns.find(input, argument).map(InputColumns::column).orElseGet(() -> expr(argument));
            LogicalPlan plan = input.select(expression).queryExecution().analyzed();
            boolean oneEach = plan instanceof Project project
                    && project.output().size() == 1
                    && !(project.child() instanceof Generate);
            if (!oneEach) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INPUT_SCHEMA,
                        "the argument '%s' does not return exactly one value per row".formatted(argument));
            }
            return expression;
        } catch (Exception e) {
            if (e instanceof AnalysisException analysis
                    && String.valueOf(analysis.getCondition()).startsWith("UNRESOLVED_COLUMN")) {
                throw withHint(InputColumns.missing(has, input, argument));
            }
            throw BellmanException.in(e)
                    .orElseGet(() -> new BellmanException(
                            ErrorCode.BELLMAN_INPUT_SCHEMA,
                            "the argument '%s' is not a valid expression: %s".formatted(argument, Failures.line(e)),
                            e));
        }
    }

    private static BellmanException withHint(BellmanException missing) {
        return new BellmanException(
                missing.code(),
                Failures.withoutCode(missing.getMessage())
                        + "; choose columns or expressions with arguments: [COLUMN] (--argument COLUMN)");
    }

    /** Whether the expression can fail for a row of the input. */
    public static boolean mayFail(Dataset<Row> input, Column expression) {
        LogicalPlan plan = input.select(expression).queryExecution().analyzed();
        return CollectionConverters.asJava(plan.expressions()).stream().anyMatch(Attempt::mayFail);
    }
}
