package dev.bellman.check;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.entry.Oracle;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.InterpretedProjection;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Solves an instance on the calling thread, with the oracle or with Spark's expression for a call of the function. */
interface Solver extends Serializable {
    /** The answer; null for an instance that is rejected or has a NULL argument. */
    Object solve(InternalRow arguments);

    static Solver of(Oracle oracle) {
        return arguments -> {
            for (int i = 0; i < arguments.numFields(); i++) {
                if (arguments.isNullAt(i)) {
                    return null;
                }
            }
            try {
                return oracle.solve(arguments);
            } catch (BellmanException e) {
                if (e.code() == ErrorCode.BELLMAN_INPUT_VALUE || e.code() == ErrorCode.BELLMAN_OVERFLOW) {
                    return null;
                }
                throw e;
            }
        };
    }

    /**
     * With the function of that name.
     *
     * @param instances a dataset with a column for each argument, in a session that is configured with the strategy
     */
    static Solver of(Dataset<Row> instances, String function) {
        Column[] arguments =
                Arrays.stream(instances.columns()).map(functions::col).toArray(Column[]::new);
        Dataset<Row> solved = instances.select(functions.call_function(function, arguments));
        Project project = (Project) ((org.apache.spark.sql.classic.Dataset<Row>) solved)
                .queryExecution()
                .analyzed();
        return new OfExpression(project);
    }

    /** Spark's evaluator for the one expression of a projection, without code generation. */
    final class OfExpression implements Solver {
        private static final long serialVersionUID = 1L;

        private final Seq<Expression> expressions;
        private final Seq<Attribute> input;
        private transient InterpretedProjection projection;
        private final DataType type;

        private OfExpression(Project project) {
            expressions = CollectionConverters.asScala(
                            List.of((Expression) project.projectList().head()))
                    .toSeq();
            input = project.child().output();
            type = project.schema().apply(0).dataType();
        }

        @Override
        public Object solve(InternalRow arguments) {
            if (projection == null) {
                projection = new InterpretedProjection(expressions, input);
            }
            InternalRow row = projection.apply(arguments);
            return row.isNullAt(0) ? null : row.get(0, type);
        }
    }
}
