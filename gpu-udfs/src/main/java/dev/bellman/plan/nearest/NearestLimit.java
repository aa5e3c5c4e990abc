package dev.bellman.plan.nearest;

import dev.bellman.plan.catalyst.Scala;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.immutable.Seq;

/**
 * The largest distance at which a row may be among the nearest of its group, given the previous rows. The result never
 * exceeds a given number, and is NULL if that number is NULL.
 */
public final class NearestLimit extends OfGroup {
    private static final long serialVersionUID = 1L;

    /** @param most the number that the result never exceeds; empty if there is none */
    public NearestLimit(LeastDistances least, Seq<Expression> group, Seq<Expression> most) {
        super(least, group, most);
    }

    @Override
    OfGroup with(Seq<Expression> group, Seq<Expression> most) {
        return new NearestLimit(least, group, most);
    }

    @Override
    public DataType dataType() {
        return DataTypes.DoubleType;
    }

    @Override
    public boolean nullable() {
        return Scala.list(numbers).stream().anyMatch(Expression::nullable);
    }

    @Override
    public Object eval(InternalRow row) {
        Object most = numbers.isEmpty()
                ? (Object) Double.POSITIVE_INFINITY
                : numbers.head().eval(row);
        return most == null
                ? null
                : (Object) Math.min((Double) most, ofGroup(row).limit());
    }

    @Override
    public String prettyName() {
        return "nearest_limit";
    }
}
