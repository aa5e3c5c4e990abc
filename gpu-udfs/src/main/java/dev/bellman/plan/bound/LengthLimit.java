package dev.bellman.plan.bound;

import dev.bellman.join.measure.Distance;
import dev.bellman.join.measure.Measure;
import dev.bellman.join.measure.Metric;
import dev.bellman.join.measure.RelativeDistance;
import dev.bellman.plan.catalyst.Scala;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Ceil;
import org.apache.spark.sql.catalyst.expressions.Divide;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Floor;
import org.apache.spark.sql.catalyst.expressions.Greatest;
import org.apache.spark.sql.catalyst.expressions.IntegralDivide;
import org.apache.spark.sql.catalyst.expressions.Least;
import org.apache.spark.sql.catalyst.expressions.Length;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Multiply;
import org.apache.spark.sql.catalyst.expressions.Round;
import org.apache.spark.sql.catalyst.expressions.Subtract;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegralType;

/**
 * An upper bound of an expression of the lengths of two strings, which does not decrease with a length: the sum of
 * {@code constant}, and of each length times its factor.
 *
 * @param one the factor of the length of the first string
 * @param longer the factor of the greater length
 */
record LengthLimit(double constant, double one, double other, double longer, double shorter) {
    /** The greater length. */
    static final LengthLimit LONGER = new LengthLimit(0, 0, 0, 1, 0);

    private static final double HALF = 0.5;

    /** Reads expressions for two strings. */
    record Reader(Expression oneString, Expression otherString) {
        /** The bound of an expression of constants and lengths. */
        Optional<LengthLimit> read(Expression expression) {
            List<Expression> children = Scala.list(expression.children());
            if (!isRead(expression.dataType())) {
                return Optional.empty();
            } else if (expression instanceof Literal literal) {
                return number(literal).map(LengthLimit::constant);
            } else if (expression instanceof Length) {
                return length(children.get(0));
            } else if (expression instanceof Greatest || expression instanceof Least) {
                return ofBoth(children)
                        ? Optional.of(expression instanceof Least ? new LengthLimit(0, 0, 0, 0, 1) : LONGER)
                        : Optional.empty();
            } else if (expression instanceof Cast || expression instanceof Floor) {
                return read(children.get(0)).map(limit -> limit.plus(constant(limit.roundedUp(expression))));
            } else if (expression instanceof Ceil || expression instanceof Round round && keepsUnits(round)) {
                return read(children.get(0)).map(limit -> limit.plus(constant(1)));
            }
            return children.size() == 2
                    ? read(children.get(0))
                            .flatMap(a -> read(children.get(1)).flatMap(b -> ofTwo(expression, a, b)))
                            .map(limit -> limit.plus(constant(limit.roundedUp(expression))))
                    : Optional.empty();
        }

        /** Others wrap small numbers around, or round by more than the slack of a limit. */
        private static boolean isRead(DataType type) {
            return type.equals(DataTypes.IntegerType)
                    || type.equals(DataTypes.LongType)
                    || type.equals(DataTypes.DoubleType)
                    || type instanceof DecimalType;
        }

        private static boolean keepsUnits(Round round) {
            return number(round.scale()).filter(scale -> scale >= 0).isPresent();
        }

        private Optional<LengthLimit> length(Expression string) {
            if (string.semanticEquals(oneString)) {
                return Optional.of(new LengthLimit(0, 1, 0, 0, 0));
            }
            return string.semanticEquals(otherString) ? Optional.of(new LengthLimit(0, 0, 1, 0, 0)) : Optional.empty();
        }

        private boolean ofBoth(List<Expression> lengths) {
            return lengths.size() == 2
                    && lengths.stream().allMatch(Length.class::isInstance)
                    && (isLength(lengths.get(0), oneString) && isLength(lengths.get(1), otherString)
                            || isLength(lengths.get(1), oneString) && isLength(lengths.get(0), otherString));
        }

        private static boolean isLength(Expression length, Expression string) {
            return length.children().head().semanticEquals(string);
        }
    }

    private static Optional<LengthLimit> ofTwo(Expression expression, LengthLimit a, LengthLimit b) {
        if (expression instanceof Add) {
            return Optional.of(a.plus(b));
        } else if (expression instanceof Subtract) {
            return b.isConstant() ? Optional.of(a.plus(constant(-b.constant))) : Optional.empty();
        } else if (expression instanceof Multiply) {
            return a.isConstant() ? b.times(a.constant) : b.isConstant() ? a.times(b.constant) : Optional.empty();
        }
        return (expression instanceof Divide || expression instanceof IntegralDivide)
                        && b.isConstant()
                        && b.constant > 0
                ? a.times(1 / b.constant)
                : Optional.empty();
    }

    /** The most by which rounding to the type of an expression increases it. */
    private double roundedUp(Expression expression) {
        if (expression.children().head().dataType() instanceof IntegralType
                && !(expression instanceof IntegralDivide)) {
            return 0;
        } else if (expression.dataType() instanceof DecimalType decimal) {
            return HALF * Math.pow(10, -decimal.scale());
        }
        // a negative number goes up to an integer
        return constant < 0 && expression.dataType() instanceof IntegralType ? 1 : 0;
    }

    /** A constant, if it is a number. */
    static Optional<Double> number(Expression expression) {
        if (!(expression instanceof Literal literal)) {
            return Optional.empty();
        } else if (literal.value() instanceof Decimal decimal) {
            return Optional.of(decimal.toDouble());
        }
        return literal.value() instanceof Number number && Double.isFinite(number.doubleValue())
                ? Optional.of(number.doubleValue())
                : Optional.empty();
    }

    static LengthLimit constant(double value) {
        return new LengthLimit(value, 0, 0, 0, 0);
    }

    private boolean isConstant() {
        return equals(constant(constant));
    }

    private LengthLimit plus(LengthLimit other) {
        return new LengthLimit(
                constant + other.constant,
                one + other.one,
                this.other + other.other,
                longer + other.longer,
                shorter + other.shorter);
    }

    private Optional<LengthLimit> times(double factor) {
        return factor < 0
                ? Optional.empty()
                : Optional.of(new LengthLimit(
                        factor * constant, factor * one, factor * other, factor * longer, factor * shorter));
    }

    /** A measure whose limit is at least this, in both orders: the larger factor goes with the longer string. */
    Measure measure(Metric metric) {
        return isConstant()
                ? new Distance(metric, (int) Math.max(-1, Math.min(Math.floor(constant), Integer.MAX_VALUE / 4)))
                : new RelativeDistance(metric, longer + Math.max(one, other), shorter + Math.min(one, other), constant);
    }
}
