package dev.bellman.columns;

import org.apache.spark.sql.catalyst.util.GenericArrayData;

/**
 * A literal array that is an argument of a call. Its entries never change, so a function may keep the array instead of
 * a copy, and need not compare it with itself. Spark may reuse other arrays for the next row, with different entries.
 */
public final class ConstantArray extends GenericArrayData {
    private static final long serialVersionUID = 1L;

    public ConstantArray(GenericArrayData literal) {
        super(literal.array());
    }
}
