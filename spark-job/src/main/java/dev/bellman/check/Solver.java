package dev.bellman.check;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.function.Call;
import dev.bellman.function.FunctionNames;
import dev.bellman.proof.Oracle;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction0;

/**
 * Solves an instance on the calling thread, either with the oracle or with the Spark expression for a call of the
 * function.
 */
interface Solver extends Serializable {
    /**
     * Returns the result; null if an argument is NULL or if the oracle or a {@code try_} variant rejects the instance.
     */
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
     * Returns a solver that evaluates Spark's expression for a call of this function, without generated code. The
     * session's settings determine the strategy.
     */
    static Solver of(SparkSession session, String function, List<DataType> types) {
        return call(session, function, types)::eval;
    }

    /**
     * Returns a faster solver, which passes the values of a row to the function directly, without Spark's expressions.
     */
    static Solver ofValues(SparkSession session, String function, List<DataType> types) {
        int count = types.size();
        return call(session, function, types) instanceof Call call
                ? row -> call.result(Arrays.copyOf(((GenericInternalRow) row).values(), count))
                : of(session, function, types);
    }

    private static Expression call(SparkSession session, String function, List<DataType> types) {
        var classic = (org.apache.spark.sql.classic.SparkSession) session;
        List<Expression> arguments = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            arguments.add(new BoundReference(i, types.get(i), true));
        }
        return classic.withActive(new AbstractFunction0<Expression>() {
            @Override
            public Expression apply() {
                try {
                    return classic.sessionState()
                            .functionRegistry()
                            .lookupFunction(
                                    FunctionNames.of(function),
                                    CollectionConverters.asScala(arguments).toSeq());
                } catch (AnalysisException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
    }
}
