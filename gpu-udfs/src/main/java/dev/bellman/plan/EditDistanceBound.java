package dev.bellman.plan;

import java.util.Optional;
import java.util.function.Predicate;
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

/**
 * A bound that a predicate puts on the edit distance of two expressions: at most {@code k}.
 *
 * @param exact whether the predicate is true whenever the bound holds; otherwise it is stricter, as {@code = 2} is
 */
record EditDistanceBound(Expression one, Expression other, int k, boolean exact) {
    private enum Comparison {
        AT_MOST,
        AT_LEAST,
        EQUAL,
        NOT_EQUAL
    }

    /** A call, with the limit beyond which it returns -1, if any. */
    private record Call(Expression one, Expression other, Integer max) {}

    /** @param isEditDistance whether a function is {@code edit_distance} */
    static Optional<EditDistanceBound> of(Expression predicate, Predicate<ScalaUDF> isEditDistance) {
        if (predicate instanceof LessThanOrEqual comparison) {
            return of(comparison.left(), comparison.right(), Comparison.AT_MOST, 0, isEditDistance)
                    .or(() -> of(comparison.right(), comparison.left(), Comparison.AT_LEAST, 0, isEditDistance));
        } else if (predicate instanceof LessThan comparison) {
            return of(comparison.left(), comparison.right(), Comparison.AT_MOST, -1, isEditDistance)
                    .or(() -> of(comparison.right(), comparison.left(), Comparison.AT_LEAST, 1, isEditDistance));
        } else if (predicate instanceof GreaterThanOrEqual comparison) {
            return of(comparison.left(), comparison.right(), Comparison.AT_LEAST, 0, isEditDistance)
                    .or(() -> of(comparison.right(), comparison.left(), Comparison.AT_MOST, 0, isEditDistance));
        } else if (predicate instanceof GreaterThan comparison) {
            return of(comparison.left(), comparison.right(), Comparison.AT_LEAST, 1, isEditDistance)
                    .or(() -> of(comparison.right(), comparison.left(), Comparison.AT_MOST, -1, isEditDistance));
        } else if (predicate instanceof EqualTo comparison) {
            return of(comparison.left(), comparison.right(), Comparison.EQUAL, 0, isEditDistance)
                    .or(() -> of(comparison.right(), comparison.left(), Comparison.EQUAL, 0, isEditDistance));
        } else if (predicate instanceof Not not && not.child() instanceof EqualTo comparison) {
            return of(comparison.left(), comparison.right(), Comparison.NOT_EQUAL, 0, isEditDistance)
                    .or(() -> of(comparison.right(), comparison.left(), Comparison.NOT_EQUAL, 0, isEditDistance));
        }
        return Optional.empty();
    }

    private static Optional<EditDistanceBound> of(
            Expression distance,
            Expression number,
            Comparison comparison,
            int offset,
            Predicate<ScalaUDF> isEditDistance) {
        Optional<Integer> literal = integer(number);
        Optional<Call> call = call(distance, isEditDistance);
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

    private static Optional<EditDistanceBound> bound(Call call, long k, boolean exact) {
        return Optional.of(new EditDistanceBound(
                call.one(), call.other(), (int) Math.max(-1, Math.min(k, Integer.MAX_VALUE / 4)), exact));
    }

    private static Optional<Call> call(Expression expression, Predicate<ScalaUDF> isEditDistance) {
        boolean ours = expression instanceof ScalaUDF udf && isEditDistance.test(udf);
        if (!ours && !(expression instanceof Levenshtein)) {
            return Optional.empty();
        }
        Expression one = expression.children().apply(0);
        Expression other = expression.children().apply(1);
        if (!one.dataType().equals(DataTypes.StringType) || !other.dataType().equals(DataTypes.StringType)) {
            // another collation has another equality
            return Optional.empty();
        }
        if (expression.children().size() == 2) {
            return Optional.of(new Call(one, other, null));
        }
        return integer(expression.children().apply(2)).map(max -> new Call(one, other, max));
    }

    private static Optional<Integer> integer(Expression expression) {
        return expression instanceof Literal literal && literal.value() instanceof Integer value
                ? Optional.of(value)
                : Optional.empty();
    }
}
