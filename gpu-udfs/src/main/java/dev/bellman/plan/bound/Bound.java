package dev.bellman.plan.bound;

import dev.bellman.join.measure.Measure;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * A measure that a predicate imposes on two strings.
 *
 * @param exact whether the predicate holds for every pair of strings that the measure admits; otherwise the predicate
 *     is stricter, for example {@code edit_distance(l, r) = 2} for a measure that admits distances up to 2
 */
public record Bound(Expression one, Expression other, Measure measure, boolean exact) {}
