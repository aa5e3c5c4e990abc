package dev.bellman.plan.bound;

import dev.bellman.join.measure.Measure;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * A measure that a predicate imposes on two strings.
 *
 * @param exact whether the predicate holds for every pair that the measure admits; if not, the predicate is stricter,
 *     like {@code = 2}
 */
public record Bound(Expression one, Expression other, Measure measure, boolean exact) {}
