package dev.bellman.job.input;

import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.lit;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.terminal.Failures;
import dev.bellman.plan.catalyst.NodeOfElements;
import dev.bellman.plan.catalyst.Scala;
import java.io.Serializable;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.TaskKilledException;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.Concat;
import org.apache.spark.sql.catalyst.expressions.ConditionalExpression;
import org.apache.spark.sql.catalyst.expressions.CreateArray;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Lower;
import org.apache.spark.sql.catalyst.expressions.StringReplace;
import org.apache.spark.sql.catalyst.expressions.StringTrim;
import org.apache.spark.sql.catalyst.expressions.StringTrimLeft;
import org.apache.spark.sql.catalyst.expressions.StringTrimRight;
import org.apache.spark.sql.catalyst.expressions.Substring;
import org.apache.spark.sql.catalyst.expressions.Upper;
import org.apache.spark.sql.catalyst.expressions.codegen.Block;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.FalseLiteral$;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Evaluates an SQL expression in such a way that a failure affects only the row, and not the whole query. The result is
 * a struct of the {@link #value} and of the reason for the {@link #failure}; one of them is NULL.
 *
 * <p>Spark evaluates common parts of several expressions only once, before all of them, and thus outside of any
 * attempt. Therefore, this is a conditional expression: Spark does not look for common parts in its branches.
 */
public final class Attempt extends Expression implements ConditionalExpression, NodeOfElements, Serializable {
    private static final long serialVersionUID = 1L;

    private static final String VALUE = "value";
    private static final String FAILURE = "failure";

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

    private final Expression child;

    /** Spark copies expressions through this constructor. */
    public Attempt(Expression child) {
        this.child = child;
    }

    public static Column of(Column expression) {
        return ExpressionUtils.column(new Attempt(ExpressionUtils.expression(expression)));
    }

    public static Column value(Column attempt) {
        return attempt.getField(VALUE);
    }

    /** Returns the reason why the expression fails; NULL if it does not fail. */
    public static Column failure(Column attempt) {
        return attempt.getField(FAILURE);
    }

    /** Returns the reason for a bad row. */
    public static Column badRow(String argument, Column failure) {
        return concat(
                lit("[%s] evaluating the argument '%s' fails: ".formatted(ErrorCode.BELLMAN_INPUT_VALUE, argument)),
                failure);
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

    /**
     * Returns a reason in one line: Spark's error condition and message. Generated code also calls this method.
     *
     * @throws TaskKilledException if the task was killed while it evaluated the expression
     */
    public static UTF8String reason(Exception failure) {
        if (failure instanceof TaskKilledException killed) {
            throw killed;
        }
        String reason = BellmanException.in(failure)
                .map(own -> Failures.withoutCode(own.getMessage()))
                .orElseGet(() -> Failures.condition(failure)
                        .map(condition -> "[%s] %s".formatted(condition, Failures.line(failure)))
                        .orElseGet(() -> Failures.line(failure)));
        return UTF8String.fromString(reason);
    }

    @Override
    public Object eval(InternalRow input) {
        try {
            return new GenericInternalRow(new Object[] {child.eval(input), null});
        } catch (Exception e) {
            return new GenericInternalRow(new Object[] {null, reason(e)});
        }
    }

    @Override
    public ExprCode doGenCode(CodegenContext context, ExprCode code) {
        ExprCode value = child.genCode(context);
        String fields = context.freshName("fields");
        Block block = block("""
                        Object[] %1$s = new Object[2];
                        try {
                        """.formatted(fields)).$plus(value.code()).$plus(block("""
                        if (!%2$s) {
                          %1$s[0] = %3$s;
                        }
                        } catch (Exception e) {
                          %1$s[1] = %4$s.reason(e);
                        }
                        InternalRow %5$s = new %6$s(%1$s);
                        """.formatted(
                        fields,
                        value.isNull(),
                        value.value(),
                        Attempt.class.getName(),
                        code.value(),
                        GenericInternalRow.class.getName())));
        return code.copy(block, FalseLiteral$.MODULE$, code.value());
    }

    private static Block block(String text) {
        return new CodeBlock(Scala.seq(text), Scala.seq());
    }

    @Override
    public DataType dataType() {
        return new StructType().add(VALUE, child.dataType()).add(FAILURE, DataTypes.StringType);
    }

    @Override
    public boolean nullable() {
        return false;
    }

    @Override
    public Seq<Expression> alwaysEvaluatedInputs() {
        return Scala.seq();
    }

    @Override
    public ConditionalExpression withNewAlwaysEvaluatedInputs(Seq<Expression> inputs) {
        return this;
    }

    @Override
    public Seq<Seq<Expression>> branchGroups() {
        return Scala.seq();
    }

    @Override
    public Seq<Expression> children() {
        return Scala.seq(child);
    }

    @Override
    public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
        return new Attempt(children.apply(0));
    }

    @Override
    public Object[] elements() {
        return new Object[] {child};
    }

    @Override
    public boolean equals(Object other) {
        return isSame(other);
    }

    @Override
    public int hashCode() {
        return Objects.hash(Attempt.class, child);
    }
}
