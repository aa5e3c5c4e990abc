package dev.bellman.plan;

import dev.bellman.plan.catalyst.Expressions;
import dev.bellman.plan.catalyst.Scala;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.analysis.DeduplicateRelations$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.JoinHint;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Range;
import org.apache.spark.sql.catalyst.trees.TreePattern;
import org.apache.spark.sql.connector.write.RowLevelOperationTable;
import org.apache.spark.sql.execution.columnar.InMemoryRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.internal.SQLConf;
import scala.Option;
import scala.PartialFunction$;
import scala.runtime.AbstractFunction1;

/** A side of a join on close strings: its rows, and a copy with fresh attributes. */
record JoinSide(LogicalPlan rows, LogicalPlan again) {
    static JoinSide of(LogicalPlan rows) {
        LogicalPlan once = isCheap(rows) ? rows : EvaluatedOnce.shuffled(rows);
        LogicalPlan pair = DeduplicateRelations$.MODULE$.apply(inner(once, once, Option.empty()));
        return new JoinSide(once, pair.children().apply(1));
    }

    /** Whether reading the rows twice is cheap and deterministic. */
    static boolean isCheap(LogicalPlan plan) {
        return plan.deterministic()
                        && (plan instanceof Project || plan instanceof Filter)
                        && !plan.containsAnyPattern(Scala.seq(TreePattern.PYTHON_UDF(), TreePattern.PLAN_EXPRESSION()))
                ? isCheap(plan.children().head())
                : plan instanceof EvaluatedOnce && SQLConf.get().exchangeReuseEnabled()
                        || plan instanceof LocalRelation
                        || plan instanceof LogicalRelation
                        || plan instanceof DataSourceV2Relation
                        || plan instanceof InMemoryRelation
                        || plan instanceof Range;
    }

    /** Whether a plan reads a table that its statement changes; the statement may read this table only once. */
    static boolean isChanged(LogicalPlan plan) {
        return plan.exists(new AbstractFunction1<LogicalPlan, Object>() {
            @Override
            public Object apply(LogicalPlan node) {
                return node instanceof DataSourceV2Relation relation
                        && relation.table() instanceof RowLevelOperationTable;
            }
        });
    }

    /**
     * Returns the same rows with an alias for each column. Otherwise, a side would differ from its copy if only one of
     * them renames a column.
     */
    static LogicalPlan aliased(LogicalPlan plan) {
        if (plan instanceof Project project) {
            return aliased(Scala.list(project.projectList()), project.child());
        }
        return aliased(Scala.list(plan.output()), plan);
    }

    private static Project aliased(List<? extends NamedExpression> columns, LogicalPlan child) {
        List<NamedExpression> aliases = new ArrayList<>();
        columns.forEach(each ->
                aliases.add(each instanceof Attribute attribute ? Expressions.alias(attribute, "column") : each));
        return new Project(Scala.seq(aliases), child);
    }

    /** Rewrites an expression over the rows as an expression over the copy. */
    Expression again(Expression expression) {
        return expression.transform(PartialFunction$.MODULE$.fromFunction(new AbstractFunction1<>() {
            @Override
            public Expression apply(Expression node) {
                if (node instanceof Attribute attribute) {
                    for (int i = 0; i < rows.output().size(); i++) {
                        if (rows.output().apply(i).exprId().equals(attribute.exprId())) {
                            return (Expression) again.output().apply(i);
                        }
                    }
                }
                return node;
            }
        }));
    }

    /** Returns, for the rows that may be in a pair, the string, the group and the columns in {@code beside}. */
    LogicalPlan occurrences(
            Expression string, List<Expression> group, JoinCondition condition, List<? extends Expression> beside) {
        List<Expression> present = new ArrayList<>();
        present.add(new IsNotNull(again(string)));
        condition.groupKeys().stream()
                .filter(key -> key.references().subsetOf(rows.outputSet()))
                .forEach(key -> present.add(new IsNotNull(again(key))));
        List<NamedExpression> columns = new ArrayList<>();
        columns.add(Expressions.alias(again(string), "string"));
        if (condition.isGrouped()) {
            columns.add(Expressions.alias(
                    Expressions.hash(group.stream().map(this::again).toList()), "group"));
        }
        beside.forEach(each -> columns.add(Expressions.alias(again(each), "beside")));
        return new Project(Scala.seq(columns), new Filter(Expressions.and(present), again));
    }

    static LogicalPlan inner(LogicalPlan left, LogicalPlan right, Option<Expression> condition) {
        return new Join(left, right, Inner$.MODULE$, condition, JoinHint.NONE());
    }
}
