package dev.bellman.plan.catalyst;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Alias$;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.expressions.XxHash64;
import org.apache.spark.sql.types.DataType;
import scala.Option;

/** Creates expressions for plan nodes. */
public final class Expressions {
    private Expressions() {}

    public static Expression and(List<Expression> conjuncts) {
        return conjuncts.stream().reduce(And::new).orElseThrow();
    }

    public static Expression hash(List<Expression> group) {
        return new XxHash64(Scala.seq(group));
    }

    public static Alias renamed(Attribute string, Attribute name) {
        return alias(string, name.name(), name.exprId());
    }

    public static Alias alias(Expression expression, String name) {
        return alias(expression, name, NamedExpression$.MODULE$.newExprId());
    }

    private static Alias alias(Expression expression, String name, ExprId id) {
        return new Alias(
                expression,
                name,
                id,
                Alias$.MODULE$.$lessinit$greater$default$4(expression, name),
                Option.empty(),
                Alias$.MODULE$.$lessinit$greater$default$6(expression, name));
    }

    public static Attribute attribute(String name, DataType type) {
        return new AttributeReference(
                name,
                type,
                false,
                org.apache.spark.sql.types.Metadata.empty(),
                NamedExpression$.MODULE$.newExprId(),
                Scala.<String>seq());
    }
}
