package dev.bellman.plan.bound;

import dev.bellman.join.measure.Distance;
import dev.bellman.join.measure.IndelRatio;
import dev.bellman.join.measure.Jaro;
import dev.bellman.join.measure.Measure;
import dev.bellman.join.measure.Metric;
import dev.bellman.join.measure.RelativeDistance;
import dev.bellman.plan.catalyst.Scala;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.BinaryComparison;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Divide;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Levenshtein;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Multiply;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.expressions.Subtract;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegralType;

/** Recognizes predicates that limit a distance or require a minimum similarity. */
public final class Bounds {
    private enum Comparison {
        AT_MOST,
        AT_LEAST,
        EQUAL,
        NOT_EQUAL
    }

    /** A call, and the limit beyond which it returns -1, if there is one. */
    private record Call(Metric metric, Expression one, Expression other, Integer max) {}

    private record Multiple(Call call, double factor) {}

    /** The maximum factor for which integer multiples of a distance do not overflow. */
    private static final int MAX_MULTIPLE = 100;

    private static final Set<String> OTHER_SIMILARITIES = Set.of(
            "partial_ratio",
            "token_sort_ratio",
            "token_set_ratio",
            "partial_token_sort_ratio",
            "weighted_ratio",
            "qgram_similarity",
            "monge_elkan",
            "affine_gap_similarity",
            "lcs_length",
            "jaro_sim",
            "jaro_winkler",
            "jaccard");

    private static final Set<String> OTHER_DISTANCES =
            Set.of("weighted_edit_distance", "edit_distance_infix", "edit_distance_prefix", "cosine_distance");

    private final Function<ScalaUDF, Optional<String>> names;

    /** @param names returns the name of a call's function, if it is one of Bellman's */
    public Bounds(Function<ScalaUDF, Optional<String>> names) {
        this.names = names;
    }

    /** Returns the bound that a predicate imposes, if there is one that the planner can use. */
    public Optional<Bound> of(Expression predicate) {
        return constant(predicate)
                .or(() -> relative(predicate).filter(bound -> !isWide(bound)))
                .or(() -> similarity(predicate));
    }

    /** Whether a predicate admits pairs of strings, of any length, that have no character in common. */
    public boolean isWide(Expression predicate) {
        return relative(predicate).filter(Bounds::isWide).isPresent();
    }

    private static boolean isWide(Bound bound) {
        return bound.measure() instanceof RelativeDistance relative
                && relative.ofLonger() + relative.ofShorter() >= RelativeDistance.MAX_FACTOR;
    }

    /**
     * Returns the bound that a predicate imposes by requiring a positive minimum similarity. The predicate itself is
     * checked later, with the strings in the original order.
     */
    private Optional<Bound> similarity(Expression predicate) {
        boolean ascending = predicate instanceof LessThanOrEqual || predicate instanceof LessThan;
        if (!ascending && !(predicate instanceof GreaterThanOrEqual) && !(predicate instanceof GreaterThan)) {
            return Optional.empty();
        }
        Expression call = uncast(predicate.children().apply(ascending ? 1 : 0));
        Optional<Double> least = LengthLimit.number(predicate.children().apply(ascending ? 0 : 1));
        if (least.isEmpty() || least.get() <= 0 || !(call instanceof ScalaUDF function) || !areStrings(function)) {
            return Optional.empty();
        }
        return names.apply(function)
                .flatMap(name -> similarity(name, least.get()))
                .map(measure -> new Bound(
                        function.children().apply(0), function.children().apply(1), measure, false));
    }

    private static Optional<Measure> similarity(String function, double least) {
        return switch (function) {
            case "jaro_winkler_similarity" -> Optional.of(new Jaro(true, least));
            case "jaro_similarity" -> Optional.of(new Jaro(false, least));
            case "ratio" -> Optional.of(new IndelRatio(least));
            default -> Optional.empty();
        };
    }

    /** Whether an expression calls a similarity function whose bounds the planner can use. */
    public boolean isSimilarity(Expression expression) {
        return expression instanceof ScalaUDF call
                && names.apply(call).flatMap(name -> similarity(name, 1)).isPresent();
    }

    /**
     * For a measure whose bounds the planner cannot use, returns 1 if the measure grows as strings become less similar,
     * or -1 if it decreases. Returns 0 for other expressions.
     */
    public int growthOfOther(Expression expression) {
        String name = expression instanceof ScalaUDF call
                ? names.apply(call).orElse("").replaceFirst("^try_", "")
                : "";
        return OTHER_DISTANCES.contains(name) ? 1 : OTHER_SIMILARITIES.contains(name) ? -1 : 0;
    }

    /** Whether an expression calls any of these functions, or a distance. */
    public boolean isMeasure(Expression expression) {
        return metric(expression).isPresent() || isSimilarity(expression) || growthOfOther(expression) != 0;
    }

    /**
     * Whether a call has two strings with the default collation and no options. Other collations define equality
     * differently.
     */
    private static boolean areStrings(Expression call) {
        return call.children().size() == 2
                && Scala.list(call.children()).stream()
                        .allMatch(each -> each.dataType().equals(DataTypes.StringType));
    }

    /**
     * Returns a limit that depends on the lengths of the strings. The predicate itself may be stricter, because of
     * rounding or because it distinguishes the sides.
     */
    private Optional<Bound> relative(Expression predicate) {
        if (predicate instanceof LessThanOrEqual || predicate instanceof LessThan) {
            return relative((BinaryComparison) predicate, 0, 1);
        }
        return predicate instanceof GreaterThanOrEqual || predicate instanceof GreaterThan
                ? relative((BinaryComparison) predicate, 1, 0)
                : Optional.empty();
    }

    private Optional<Bound> relative(BinaryComparison comparison, int small, int large) {
        Expression below = uncast(comparison.children().apply(small));
        Expression above = comparison.children().apply(large);
        if (below instanceof Divide ratio && multiple(ratio).isEmpty()) {
            // d / g <= c is equivalent to d <= c * g; if g is 0, both strings are empty, and the search finds them as
            // equal strings
            return ratio(ratio, LengthLimit.number(above));
        } else if (uncast(above) instanceof Subtract similarity && uncast(similarity.right()) instanceof Divide ratio) {
            // 1 - d / g >= t is equivalent to d / g <= 1 - t
            return ratio(ratio, LengthLimit.number(similarity.left()).flatMap(most -> LengthLimit.number(below)
                    .map(least -> most - least)));
        }
        return multiple(below).flatMap(multiple -> limit(multiple, above, 1));
    }

    private Optional<Bound> ratio(Divide ratio, Optional<Double> limit) {
        return multiple(ratio.left())
                .filter(multiple -> limit.isPresent() && limit.get() >= 0)
                .filter(multiple -> reader(multiple).isDivisor(ratio.right()))
                .flatMap(multiple -> limit(multiple, ratio.right(), limit.get() + roundedDown(ratio)));
    }

    /** Returns an upper bound on the rounding error of a quotient. */
    private static double roundedDown(Divide ratio) {
        return ratio.dataType() instanceof DecimalType decimal ? Math.pow(10, -decimal.scale()) : 0;
    }

    private static LengthLimit.Reader reader(Multiple multiple) {
        return new LengthLimit.Reader(multiple.call().one(), multiple.call().other());
    }

    /**
     * Returns the bound for the condition that a multiple of a distance is at most {@code times} multiplied by an
     * expression over the lengths.
     */
    private static Optional<Bound> limit(Multiple multiple, Expression above, double times) {
        Call call = multiple.call();
        return reader(multiple)
                .read(above)
                .flatMap(limit -> limit.times(times / multiple.factor()))
                .map(limit -> new Bound(call.one(), call.other(), limit.measure(call.metric()), false));
    }

    /**
     * Returns the call and the factor if the expression is a distance without a limit, or a multiple of one that cannot
     * overflow, such as {@code 5 * d} or {@code d / 2}. A factor may be rounded to DOUBLE. Otherwise, returns empty.
     */
    private Optional<Multiple> multiple(Expression expression) {
        Expression product = uncast(expression);
        if (!(product instanceof Multiply) && !(product instanceof Divide)) {
            return call(product).filter(call -> call.max() == null).map(call -> new Multiple(call, 1));
        }
        Expression left = product.children().apply(0);
        Expression right = product.children().apply(1);
        boolean isSwapped = product instanceof Multiply && left instanceof Literal;
        Optional<Double> number = LengthLimit.number(isSwapped ? left : right)
                .filter(factor -> factor > 0 && factor <= MAX_MULTIPLE)
                .map(factor -> product instanceof Multiply ? factor : 1 / factor);
        DataType type = product.dataType();
        return type.equals(DataTypes.DoubleType)
                        || product instanceof Multiply && (type instanceof IntegralType || LengthLimit.isExact(product))
                ? number.flatMap(factor -> multiple(isSwapped ? right : left)
                        .map(found -> new Multiple(found.call(), found.factor() * factor))
                        .filter(found -> found.factor() <= MAX_MULTIPLE))
                : Optional.empty();
    }

    /** Removes conversions to wider types. Other conversions may round, and a bound must not be rounded up. */
    public static Expression uncast(Expression expression) {
        return expression instanceof Cast cast && Cast.canUpCast(cast.child().dataType(), cast.dataType())
                ? uncast(cast.child())
                : expression;
    }

    private Optional<Bound> constant(Expression predicate) {
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
        } else if (predicate instanceof BinaryComparison comparison && isEquality(comparison)) {
            return of(comparison.left(), comparison.right(), Comparison.EQUAL, 0)
                    .or(() -> of(comparison.right(), comparison.left(), Comparison.EQUAL, 0));
        } else if (predicate instanceof Not not && not.child() instanceof EqualTo comparison) {
            return of(comparison.left(), comparison.right(), Comparison.NOT_EQUAL, 0)
                    .or(() -> of(comparison.right(), comparison.left(), Comparison.NOT_EQUAL, 0));
        }
        return Optional.empty();
    }

    /** Whether a comparison is {@code =} or {@code <=>}, which both hold only for a distance equal to the number. */
    private static boolean isEquality(BinaryComparison comparison) {
        return comparison instanceof EqualTo || comparison instanceof EqualNullSafe;
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
        // a call with a limit returns -1 for more distant strings, which is below any bound
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
            // other collations define equality differently
            return Optional.empty();
        }
        if (expression.children().size() == 2) {
            return Optional.of(new Call(metric.get(), one, other, null));
        }
        return integer(expression.children().apply(2)).map(max -> new Call(metric.get(), one, other, max));
    }

    /** Returns the metric that an expression computes, if any. */
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
