package dev.bellman.plan.bound;

import dev.bellman.join.measure.Distance;
import dev.bellman.join.measure.Metric;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Levenshtein;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.types.DataTypes;

/** Reads predicates that bound a distance. */
public final class Bounds {
    private enum Comparison {
        AT_MOST,
        AT_LEAST,
        EQUAL,
        NOT_EQUAL
    }

    /** A call, with the limit beyond which it returns -1, if any. */
    private record Call(Metric metric, Expression one, Expression other, Integer max) {}

    private final Function<ScalaUDF, Optional<String>> names;

    /** @param names the name of one of our functions */
    public Bounds(Function<ScalaUDF, Optional<String>> names) {
        this.names = names;
    }

    /** The bound of a predicate, if it has one that is planned. */
    public Optional<Bound> of(Expression predicate) {
        if (predicate instanceof LessThanOrEqual comparison) {
            return of(comparison.left(), comparison.right(), Comparison.AT_MOST, 0)
                    .or(() -> of(comparison.right(), comparison.left(), Comparison.AT_LEAST, 0));
        } else if (predicate instanceof LessThan comparison) {
            return of(comparison.left(), comparison.right(), Comparison.AT_MOST, -1)
                    .or(() -> of(comparison.right(), comparison.left(), Comparison.AT_LEAST, 1));
        } else if (predicate instanceof GreaterThanOrEqual comparison) {
            return of(comparison.left(), comparison.right(), Comparison.AT_LEAST, 0)
                    .or(() -> of(comparison.right(), comparison.left(), Comparison.AT_MOST, 0));
        } else if (predicate instanceof GreaterThan comparison) {
            return of(comparison.left(), comparison.right(), Comparison.AT_LEAST, 1)
                    .or(() -> of(comparison.right(), comparison.left(), Comparison.AT_MOST, -1));
        } else if (predicate instanceof EqualTo comparison) {
            return of(comparison.left(), comparison.right(), Comparison.EQUAL, 0)
                    .or(() -> of(comparison.right(), comparison.left(), Comparison.EQUAL, 0));
        } else if (predicate instanceof Not not && not.child() instanceof EqualTo comparison) {
            return of(comparison.left(), comparison.right(), Comparison.NOT_EQUAL, 0)
                    .or(() -> of(comparison.right(), comparison.left(), Comparison.NOT_EQUAL, 0));
        }
        return Optional.empty();
    }

    private Optional<Bound> of(Expression distance, Expression number, Comparison comparison, int offset) {
        Optional<Integer> literal = integer(number);
        Optional<Call> call = call(distance);
        if (literal.isEmpty() || call.isEmpty()) {
            return Optional.empty();
        }
        long value = (long) literal.get() + offset;
        Integer max = call.get().max();
        if (max == null) {
            boolean exact = comparison == Comparison.AT_MOST;
            return exact || comparison == Comparison.EQUAL ? bound(call.get(), value, exact) : Optional.empty();
        }
        // with a limit, strings that are farther apart give -1, which is below any bound
        return switch (comparison) {
            case AT_LEAST -> value >= 0 ? bound(call.get(), max, value == 0) : Optional.empty();
            case NOT_EQUAL -> value == -1 ? bound(call.get(), max, true) : Optional.empty();
            case EQUAL -> value >= 0 ? bound(call.get(), Math.min(max, value), false) : Optional.empty();
            case AT_MOST -> Optional.empty();
        };
    }

    private static Optional<Bound> bound(Call call, long k, boolean exact) {
        int max = (int) Math.max(-1, Math.min(k, Integer.MAX_VALUE / 4));
        return Optional.of(new Bound(call.one(), call.other(), new Distance(call.metric(), max), exact));
    }

    private Optional<Call> call(Expression expression) {
        Optional<Metric> metric = metric(expression);
        if (metric.isEmpty()) {
            return Optional.empty();
        }
        Expression one = expression.children().apply(0);
        Expression other = expression.children().apply(1);
        if (!one.dataType().equals(DataTypes.StringType) || !other.dataType().equals(DataTypes.StringType)) {
            // another collation has another equality
            return Optional.empty();
        }
        if (expression.children().size() == 2) {
            return Optional.of(new Call(metric.get(), one, other, null));
        }
        return integer(expression.children().apply(2)).map(max -> new Call(metric.get(), one, other, max));
    }

    /** The distance that an expression calls. */
    public Optional<Metric> metric(Expression expression) {
        if (expression instanceof Levenshtein) {
            return Optional.of(Metric.EDIT_DISTANCE);
        }
        return expression instanceof ScalaUDF call
                ? names.apply(call).flatMap(name -> Arrays.stream(Metric.values())
                        .filter(metric -> metric.function().equals(name))
                        .findFirst())
                : Optional.empty();
    }

    private static Optional<Integer> integer(Expression expression) {
        return expression instanceof Literal literal && literal.value() instanceof Integer value
                ? Optional.of(value)
                : Optional.empty();
    }
}
