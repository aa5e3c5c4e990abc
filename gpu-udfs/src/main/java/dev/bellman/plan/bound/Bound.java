package dev.bellman.plan.bound;

import dev.bellman.join.measure.Measure;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * A measure that a predicate imposes on two strings.
 *
 * @param exact whether the predicate is true whenever the strings are a pair; otherwise it is stricter, as {@code = 2}
 *     is
 */
public record Bound(Expression one, Expression other, Measure measure, boolean exact) {}
