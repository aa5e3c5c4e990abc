package dev.bellman.plan.nearest;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.immutable.Seq;

/**
 * An expression that decides from a row's distance whether the row may be among the nearest of its group. Rows whose
 * distance is NULL are kept.
 */
public final class MayBeNearest extends OfGroup {
    private static final long serialVersionUID = 1L;

    /** @param distance one expression */
    public MayBeNearest(LeastDistances least, Seq<Expression> group, Seq<Expression> distance) {
        super(least, group, distance);
    }

    @Override
    OfGroup with(Seq<Expression> group, Seq<Expression> distance) {
        return new MayBeNearest(least, group, distance);
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
        Object distance = numbers.head().eval(row);
        return distance == null || ofGroup(row).add((Double) distance);
    }

    @Override
    public String prettyName() {
        return "may_be_nearest";
    }
}
