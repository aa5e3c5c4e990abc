package dev.bellman.job.plan;

import dev.bellman.plan.nearest.MayBeNearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.execution.CollectMetricsExec;
import org.apache.spark.sql.execution.CommandResultExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.jdk.javaapi.CollectionConverters;

/** The operators that a query executed, including adaptive changes, from the root to the leaves. */
public record FinalPlan(SparkPlan root) {
    /** Returns all operators; parents come before their children. */
    List<SparkPlan> operators() {
        List<SparkPlan> operators = new ArrayList<>();
        collect(root, operators);
        return operators;
    }

    private static void collect(SparkPlan operator, List<SparkPlan> into) {
        Optional<SparkPlan> inside = inside(operator);
        if (inside.isPresent()) {
            collect(inside.get(), into);
            return;
        }
        into.add(operator);
        CollectionConverters.asJava(operator.children()).forEach(child -> collect(child, into));
    }

    /** Returns the plan that an operator contains but does not return from {@code children}. */
    private static Optional<SparkPlan> inside(SparkPlan operator) {
        if (operator instanceof AdaptiveSparkPlanExec adaptive) {
            return Optional.of(adaptive.executedPlan());
        }
        if (operator instanceof QueryStageExec stage) {
            return Optional.of(stage.plan());
        }
        if (operator instanceof CommandResultExec command) {
            return Optional.of(command.commandPhysicalPlan());
        }
        return Optional.empty();
    }

    /** Returns the count that the query observed under this name; empty if there is no such count. */
    public Optional<Long> observed(String name) {
        return operators().stream()
                .filter(operator -> operator instanceof CollectMetricsExec metrics
                        && metrics.name().equals(name))
                .map(operator ->
                        ((CollectMetricsExec) operator).collectedMetrics().getLong(0))
                .reduce(Long::sum);
    }

    /** Returns the number of rows that the query wrote. */
    public Optional<Long> rowsWritten() {
        return operators().stream()
                .filter(operator -> operator.getClass().getSimpleName().contains("WritingCommand"))
                .flatMap(operator -> rows(operator).stream())
                .findFirst();
    }

    /** The number of rows that reached the filters on a column, and the number of rows that passed them. */
    public record Filtered(long seen, long passed) {
        long leftOut() {
            return seen - passed;
        }
    }

    /**
     * Adds up the row counts of all filters on a column; empty if there is no such filter, or if a filter did not count
     * its rows.
     */
    public Optional<Filtered> filtered(String column) {
        Optional<Filtered> all = Optional.empty();
        for (SparkPlan operator : operators()) {
            if (operator.getClass().getSimpleName().endsWith("FilterExec")
                    && operator.expressions().mkString().contains(column)) {
                Optional<Long> passed = rows(operator);
                Optional<Long> seen = rowsInto(operator);
                if (passed.isEmpty() || seen.isEmpty()) {
                    return Optional.empty();
                }
                Filtered before = all.orElse(new Filtered(0, 0));
                all = Optional.of(new Filtered(before.seen + seen.get(), before.passed + passed.get()));
            }
        }
        return all;
    }

    /** Returns the number of rows that the filters on a column removed. */
    public Optional<Long> rowsFiltered(String column) {
        return filtered(column).map(Filtered::leftOut);
    }

    /**
     * Returns the number of rows that an operator read, if the operators below it count rows. Also counts rows that a
     * search for the nearest rows dropped, because the search solved them, too.
     */
    private static Optional<Long> rowsInto(SparkPlan operator) {
        List<SparkPlan> children = CollectionConverters.asJava(operator.children());
        boolean isUnion = operator.getClass().getSimpleName().endsWith("UnionExec");
        Optional<Long> all = Optional.empty();
        for (SparkPlan child : children.subList(0, isUnion ? children.size() : Math.min(1, children.size()))) {
            SparkPlan shown = new FinalPlan(child).operators().get(0);
            Optional<Long> rows = (isSearch(shown) ? Optional.<Long>empty() : rows(shown)).or(() -> rowsInto(shown));
            if (rows.isEmpty()) {
                return rows;
            }
            all = Optional.of(all.orElse(0L) + rows.get());
        }
        return all;
    }

    private static boolean isSearch(SparkPlan operator) {
        return CollectionConverters.asJava(operator.expressions()).stream()
                .anyMatch(expression -> expression instanceof MayBeNearest);
    }

    private static Optional<Long> rows(SparkPlan operator) {
        scala.Option<SQLMetric> metric = operator.metrics().get("numOutputRows");
        return metric.isDefined() ? Optional.of((Long) metric.get().value()) : Optional.empty();
    }
}
