package dev.bellman.plan.bound;

import dev.bellman.join.measure.Distance;
import dev.bellman.join.measure.Measure;
import dev.bellman.join.measure.Metric;
import dev.bellman.join.measure.RelativeDistance;
import dev.bellman.plan.catalyst.Scala;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.CaseWhen;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Ceil;
import org.apache.spark.sql.catalyst.expressions.Divide;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Floor;
import org.apache.spark.sql.catalyst.expressions.Greatest;
import org.apache.spark.sql.catalyst.expressions.If;
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
 * An upper bound on an expression over the lengths of two strings. The bound never decreases as a length grows: it is
 * {@code constant} plus each length times its factor, but at least {@code least} and at most {@code most}.
 *
 * @param one the factor of the length of the first string
 * @param longer the factor of the larger length
 */
record LengthLimit(
        double constant, double one, double other, double longer, double shorter, double least, double most) {
    private static final double HALF = 0.5;
    private static final int MAX_DISTANCE = Integer.MAX_VALUE / 4;

    /** Derives bounds from expressions over the lengths of two strings. */
    record Reader(Expression oneString, Expression otherString) {
        /** Returns an upper bound on an expression that consists of constants and lengths. */
        Optional<LengthLimit> read(Expression expression) {
            List<Expression> children = Scala.list(expression.children());
            if (!isRead(expression.dataType())) {
                return Optional.empty();
            } else if (expression instanceof Literal literal) {
                return number(literal).map(LengthLimit::constant);
            } else if (expression instanceof Length) {
                return length(children.get(0));
            } else if (expression instanceof Least) {
                return all(children).map(LengthLimit::leastOf);
            } else if (expression instanceof Greatest) {
                return all(children).map(LengthLimit::greatestOf);
            } else if (expression instanceof If || expression instanceof CaseWhen) {
                return all(branches(expression)).map(LengthLimit::greatestOf);
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

        /**
         * Whether expressions of the given type are supported. Other types overflow for small numbers or round by more
         * than a limit's tolerance.
         */
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
                return Optional.of(linear(0, 1, 0, 0, 0));
            }
            return string.semanticEquals(otherString) ? Optional.of(linear(0, 0, 1, 0, 0)) : Optional.empty();
        }

        /**
         * Returns the bounds of all expressions except NULL literals: a comparison with NULL is never true, and {@code
         * greatest} and {@code least} ignore NULL.
         */
        private Optional<List<LengthLimit>> all(List<Expression> expressions) {
            List<LengthLimit> limits = new ArrayList<>();
            for (Expression expression : expressions) {
                if (!isNull(expression)) {
                    Optional<LengthLimit> limit = read(expression);
                    if (limit.isEmpty()) {
                        return Optional.empty();
                    }
                    limits.add(limit.get());
                }
            }
            return Optional.of(limits).filter(found -> !found.isEmpty());
        }

        private static boolean isNull(Expression expression) {
            return expression instanceof Literal literal && literal.value() == null;
        }

        /** Returns the possible values of a conditional expression. */
        private static List<Expression> branches(Expression expression) {
            if (expression instanceof If choice) {
                return List.of(choice.trueValue(), choice.falseValue());
            }
            CaseWhen choice = (CaseWhen) expression;
            List<Expression> values =
                    new ArrayList<>(Scala.list(choice.elseValue().toList()));
            Scala.list(choice.branches()).forEach(branch -> values.add(branch._2()));
            return values;
        }

        /** Whether a number is never negative, and 0 only if both strings are empty. */
        boolean isDivisor(Expression divisor) {
            Expression expression = Bounds.uncast(divisor);
            if (expression instanceof If choice) {
                // for example, nullif(number, 0)
                return isNull(choice.trueValue())
                        && isNotNegative(choice.falseValue())
                        && choice.predicate() instanceof EqualTo equal
                        && Bounds.uncast(equal.left()).semanticEquals(Bounds.uncast(choice.falseValue()))
                        && number(equal.right()).filter(zero -> zero == 0).isPresent();
            }
            List<Expression> parts = Scala.list(expression.children());
            return (expression instanceof Greatest || expression instanceof Add)
                    && isNotNegative(expression)
                    && (parts.stream().anyMatch(part -> number(part)
                                    .filter(value -> value > 0)
                                    .isPresent())
                            || hasLength(parts, oneString) && hasLength(parts, otherString));
        }

        private boolean isNotNegative(Expression number) {
            Expression expression = Bounds.uncast(number);
            return number(expression).filter(value -> value >= 0).isPresent()
                    || expression instanceof Length
                            && length(expression.children().head()).isPresent()
                    || (expression instanceof Greatest || expression instanceof Least || expression instanceof Add)
                            && Scala.list(expression.children()).stream().allMatch(this::isNotNegative);
        }

        private static boolean hasLength(List<Expression> expressions, Expression string) {
            return expressions.stream()
                    .map(Bounds::uncast)
                    .anyMatch(each ->
                            each instanceof Length && each.children().head().semanticEquals(string));
        }
    }

    /**
     * Returns the bound of an expression with two operands. Factors and subtrahends must be constants, because their
     * upper bounds would not yield an upper bound of the result.
     */
    private static Optional<LengthLimit> ofTwo(Expression expression, LengthLimit a, LengthLimit b) {
        Optional<Double> left = number(expression.children().apply(0));
        Optional<Double> right = number(expression.children().apply(1));
        if (expression instanceof Add) {
            return a.plusLimit(b);
        } else if (expression instanceof Subtract) {
            return right.map(number -> a.plus(constant(-number)));
        } else if (expression instanceof Multiply) {
            return left.isPresent() ? b.times(left.get()) : right.flatMap(a::times);
        }
        return expression instanceof Divide || expression instanceof IntegralDivide
                ? right.filter(divisor -> divisor > 0).flatMap(divisor -> a.times(1 / divisor))
                : Optional.empty();
    }

    /** Returns the maximum increase that rounding to an expression's type causes. */
    private double roundedUp(Expression expression) {
        DataType from = expression.children().head().dataType();
        if (from instanceof IntegralType && !(expression instanceof IntegralDivide)) {
            return 0;
        } else if (expression.dataType() instanceof DecimalType decimal) {
            return isExact(expression) ? 0 : HALF * Math.pow(10, -decimal.scale());
        }
        // negative numbers are rounded up to integers
        return mayBeNegative() && expression.dataType() instanceof IntegralType ? 1 : 0;
    }

    /** Whether the result is a decimal that keeps all digits of its operands. */
    static boolean isExact(Expression expression) {
        int sum = 0;
        int most = 0;
        for (Expression child : Scala.list(expression.children())) {
            int scale = child.dataType() instanceof DecimalType decimal ? decimal.scale() : Integer.MAX_VALUE / 2;
            sum += scale;
            most = Math.max(most, scale);
        }
        return expression.dataType() instanceof DecimalType result
                && !(expression instanceof Divide)
                && result.scale() >= (expression instanceof Multiply ? sum : most);
    }

    private boolean mayBeNegative() {
        return least < 0 && (constant < 0 || most < 0);
    }

    /** Returns the value of a constant, if it is a number. */
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
        return linear(value, 0, 0, 0, 0);
    }

    private static LengthLimit linear(double constant, double one, double other, double longer, double shorter) {
        return new LengthLimit(
                constant, one, other, longer, shorter, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }

    private boolean isConstant() {
        return equals(constant(constant));
    }

    private boolean isLinear() {
        return least == Double.NEGATIVE_INFINITY && most == Double.POSITIVE_INFINITY;
    }

    private LengthLimit plus(LengthLimit number) {
        double more = number.constant;
        return new LengthLimit(constant + more, one, other, longer, shorter, least + more, most + more);
    }

    private Optional<LengthLimit> plusLimit(LengthLimit limit) {
        if (isConstant() || limit.isConstant()) {
            return Optional.of(isConstant() ? limit.plus(this) : plus(limit));
        }
        return isLinear() && limit.isLinear()
                ? Optional.of(linear(
                        constant + limit.constant,
                        one + limit.one,
                        other + limit.other,
                        longer + limit.longer,
                        shorter + limit.shorter))
                : Optional.empty();
    }

    Optional<LengthLimit> times(double factor) {
        return factor > 0
                ? Optional.of(new LengthLimit(
                        factor * constant,
                        factor * one,
                        factor * other,
                        factor * longer,
                        factor * shorter,
                        factor * least,
                        factor * most))
                : factor == 0 ? Optional.of(constant(0)) : Optional.empty();
    }

    /**
     * Returns the larger or the smaller of two limits, one of which is a constant. The constant only changes the bounds
     * of the other limit.
     */
    private LengthLimit withNumber(LengthLimit limit, DoubleBinaryOperator of) {
        LengthLimit varied = isConstant() ? limit : this;
        double number = isConstant() ? constant : limit.constant;
        return varied.isConstant()
                ? constant(of.applyAsDouble(varied.constant, number))
                : new LengthLimit(
                        varied.constant,
                        varied.one,
                        varied.other,
                        varied.longer,
                        varied.shorter,
                        of.applyAsDouble(varied.least, number),
                        of.applyAsDouble(varied.most, number));
    }

    private static LengthLimit greatestOf(List<LengthLimit> limits) {
        return limits.stream().reduce(LengthLimit::greater).get();
    }

    /**
     * Returns an upper bound on both limits. Uses the larger factors; the larger factor of each limit applies to the
     * longer string.
     */
    private LengthLimit greater(LengthLimit limit) {
        if (isConstant() || limit.isConstant()) {
            return withNumber(limit, Math::max);
        }
        return new LengthLimit(
                Math.max(constant, limit.constant),
                0,
                0,
                Math.max(ofLonger(), limit.ofLonger()),
                Math.max(ofShorter(), limit.ofShorter()),
                Math.max(least, limit.least),
                Math.max(most, limit.most));
    }

    private static LengthLimit leastOf(List<LengthLimit> limits) {
        return limits.stream().reduce(LengthLimit::smaller).get();
    }

    /**
     * Returns an upper bound on the smaller of two limits. If one limit is a constant, it becomes a bound of the other
     * limit. If each limit is a multiple of the length of a different string, the result is a multiple of the length of
     * the shorter string. Otherwise, the result is this limit.
     */
    private LengthLimit smaller(LengthLimit limit) {
        if (isConstant() || limit.isConstant()) {
            return withNumber(limit, Math::min);
        }
        double factor = Math.max(one, limit.one);
        boolean areOfBoth = equals(linear(0, one, 0, 0, 0)) && limit.equals(linear(0, 0, limit.other, 0, 0))
                || equals(linear(0, 0, other, 0, 0)) && limit.equals(linear(0, limit.one, 0, 0, 0));
        return areOfBoth ? linear(0, 0, 0, 0, Math.max(factor, Math.max(other, limit.other))) : this;
    }

    private double ofLonger() {
        return longer + Math.max(one, other);
    }

    private double ofShorter() {
        return shorter + Math.min(one, other);
    }

    /**
     * Returns a measure whose limit is at least this limit in both orders: the larger factor applies to the longer
     * string.
     */
    Measure measure(Metric metric) {
        boolean isSteep = ofLonger() + ofShorter() >= RelativeDistance.MAX_FACTOR && most < Double.POSITIVE_INFINITY;
        return isConstant() || isSteep
                ? new Distance(
                        metric, (int) Math.max(-1, Math.min(Math.floor(isSteep ? most : constant), MAX_DISTANCE)))
                : new RelativeDistance(metric, ofLonger(), ofShorter(), constant, least, most);
    }
}
