package dev.bellman.columns;

import org.apache.spark.sql.catalyst.util.GenericArrayData;

/**
 * A constant argument of a call in a query. Its entries never change, so a function may keep the array instead of a
 * copy, and need not compare it with itself. Other arrays may have different entries in the next row.
 */
public final class ConstantArray extends GenericArrayData {
    private static final long serialVersionUID = 1L;

    public ConstantArray(GenericArrayData literal) {
        super(literal.array());
    }
}
