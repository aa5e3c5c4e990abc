package dev.bellman.plan.nearest;

import dev.bellman.plan.catalyst.NodeOfElements;
import dev.bellman.plan.catalyst.Scala;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection$;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import scala.collection.immutable.Seq;

/** An expression over the {@link LeastDistances} of a row's group. Must be evaluated exactly once per row. */
abstract class OfGroup extends Expression implements CodegenFallback, NodeOfElements, Serializable {
    private static final long serialVersionUID = 1L;

    final LeastDistances least;
    /** The children of type DOUBLE; may be empty. */
    final Seq<Expression> numbers;

    private final Seq<Expression> group;
    private transient UnsafeProjection toGroup;

    /** @param numbers the children, of type DOUBLE */
    OfGroup(LeastDistances least, Seq<Expression> group, Seq<Expression> numbers) {
        this.least = least;
        this.group = group;
        this.numbers = numbers;
    }

    /** Returns the same expression with different children. */
    abstract OfGroup with(Seq<Expression> otherGroup, Seq<Expression> otherNumbers);

    final LeastDistances ofGroup(InternalRow row) {
        if (toGroup == null) {
            toGroup = UnsafeProjection$.MODULE$.create(group);
        }
        least.turnTo(toGroup.apply(row));
        return least;
    }

    @Override
    public final Seq<Expression> children() {
        List<Expression> children = new ArrayList<>(Scala.list(group));
        children.addAll(Scala.list(numbers));
        return Scala.seq(children);
    }

    @Override
    public final Expression withNewChildrenInternal(scala.collection.immutable.IndexedSeq<Expression> children) {
        List<Expression> all = Scala.list(children);
        return with(Scala.seq(all.subList(0, group.size())), Scala.seq(all.subList(group.size(), all.size())));
    }

    /** Returns false, because the result also depends on earlier rows. */
    @Override
    public final boolean deterministic() {
        return false;
    }

    @Override
    public final ExprCode doGenCode(CodegenContext context, ExprCode code) {
        return CodegenFallback.super.doGenCode(context, code);
    }

    @Override
    public final Object[] elements() {
        return new Object[] {least, group, numbers};
    }

    @Override
    public final String toString() {
        return "%s(%d, %s)".formatted(prettyName(), least.count(), children().mkString(", "));
    }

    @Override
    public final boolean equals(Object other) {
        return isSame(other);
    }

    @Override
    public final int hashCode() {
        return Arrays.hashCode(elements());
    }
}
