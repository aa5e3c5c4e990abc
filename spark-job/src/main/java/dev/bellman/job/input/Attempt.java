package dev.bellman.job.input;

import static org.apache.spark.sql.functions.struct;

import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.Concat;
import org.apache.spark.sql.catalyst.expressions.CreateArray;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Lower;
import org.apache.spark.sql.catalyst.expressions.StringReplace;
import org.apache.spark.sql.catalyst.expressions.StringTrim;
import org.apache.spark.sql.catalyst.expressions.StringTrimLeft;
import org.apache.spark.sql.catalyst.expressions.StringTrimRight;
import org.apache.spark.sql.catalyst.expressions.Substring;
import org.apache.spark.sql.catalyst.expressions.TryEval;
import org.apache.spark.sql.catalyst.expressions.Upper;
import org.apache.spark.sql.classic.ExpressionUtils;
import scala.jdk.javaapi.CollectionConverters;

/** Evaluates an SQL expression in such a way that a failure affects only the row, and not the whole query. */
public final class Attempt {
    private static final String VALUE = "value";

    /**
     * Expressions that cannot fail for any row. They are evaluated directly, because an attempt would move them from
     * the GPU to the CPU.
     */
    private static final Set<Class<? extends Expression>> TOTAL = Set.of(
            Alias.class,
            Coalesce.class,
            Concat.class,
            CreateArray.class,
            GetStructField.class,
            Lower.class,
            StringReplace.class,
            StringTrim.class,
            StringTrimLeft.class,
            StringTrimRight.class,
            Substring.class,
            Upper.class);

    private Attempt() {}

    /**
     * Returns a column that is NULL if the expression fails, and otherwise a struct that contains its {@link #value}.
     */
    public static Column of(Column expression) {
        return ExpressionUtils.column(new TryEval(ExpressionUtils.expression(struct(expression.as(VALUE)))));
    }

    public static Column value(Column attempt) {
        return attempt.getField(VALUE);
    }

    /** Whether a resolved expression can fail for some row. */
    static boolean mayFail(Expression expression) {
        boolean total = expression instanceof Attribute
                || expression instanceof Literal
                || expression instanceof Cast cast
                        && Cast.canUpCast(cast.child().dataType(), cast.dataType())
                || TOTAL.contains(expression.getClass());
        return !total
                || CollectionConverters.asJava(expression.children()).stream().anyMatch(Attempt::mayFail);
    }
}
