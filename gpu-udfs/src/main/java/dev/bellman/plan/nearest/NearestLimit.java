package dev.bellman.plan.nearest;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * The largest distance at which a row may be among the nearest of its group, given the previous rows. The result never
 * exceeds a given number, and is NULL if that number is NULL.
 */
final class NearestLimit extends OfGroup {
    private static final long serialVersionUID = 1L;

    /** @param most the number that the result never exceeds; empty if there is none */
    NearestLimit(LeastDistances least, List<Expression> group, List<Expression> most) {
        super(least, group, most);
    }

    @Override
    OfGroup with(List<Expression> group, List<Expression> most) {
        return new NearestLimit(least, group, most);
    }

    @Override
    public DataType dataType() {
        return DataTypes.DoubleType;
    }

    @Override
    public boolean nullable() {
        return numbers.stream().anyMatch(Expression::nullable);
    }

    @Override
    public Object eval(InternalRow row) {
        Object most = numbers.isEmpty()
                ? (Object) Double.POSITIVE_INFINITY
                : numbers.get(0).eval(row);
        return most == null
                ? null
                : (Object) Math.min((Double) most, ofGroup(row).limit());
    }

    @Override
    public String prettyName() {
        return "nearest_limit";
    }
}
