package dev.bellman.columns;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import ai.rapids.cudf.HostColumnVector.ListType;
import ai.rapids.cudf.HostColumnVector.StructType;

/** The cudf types of columns whose values may be NULL. */
public final class Types {
    public static final DataType BOOLEAN = of(DType.BOOL8);
    public static final DataType INT = of(DType.INT32);
    public static final DataType LONG = of(DType.INT64);
    public static final DataType DOUBLE = of(DType.FLOAT64);
    public static final DataType STRING = of(DType.STRING);

    private Types() {}

    public static DataType of(DType type) {
        return new BasicType(true, type);
    }

    public static DataType list(DataType entry) {
        return new ListType(true, entry);
    }

    public static DataType struct(DataType... fields) {
        return new StructType(true, fields);
    }
}
