package dev.bellman.plan.nearest;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * An expression that decides from a row's distance whether the row may be among the nearest of its group. Rows whose
 * distance is NULL are kept.
 */
public final class MayBeNearest extends OfGroup {
    private static final long serialVersionUID = 1L;

    MayBeNearest(LeastDistances least, List<Expression> group, Expression distance) {
        super(least, group, List.of(distance));
    }

    @Override
    OfGroup with(List<Expression> group, List<Expression> distance) {
        return new MayBeNearest(least, group, distance.get(0));
    }

    @Override
    public DataType dataType() {
        return DataTypes.BooleanType;
    }

    @Override
    public boolean nullable() {
        return false;
    }

    @Override
    public Object eval(InternalRow row) {
        Object distance = numbers.get(0).eval(row);
        return distance == null || ofGroup(row).add((Double) distance);
    }

    @Override
    public String prettyName() {
        return "may_be_nearest";
    }
}
