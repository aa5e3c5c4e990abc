package dev.bellman.columns;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import ai.rapids.cudf.HostColumnVector.ListType;
import ai.rapids.cudf.HostColumnVector.StructType;
import java.util.Arrays;
import java.util.Map;
import org.apache.spark.sql.types.DataTypes;

/** The cudf types of columns whose values may be NULL. */
public final class Types {
    public static final DataType BOOLEAN = of(DType.BOOL8);
    public static final DataType INT = of(DType.INT32);
    public static final DataType LONG = of(DType.INT64);
    public static final DataType DOUBLE = of(DType.FLOAT64);
    public static final DataType STRING = of(DType.STRING);

    private static final Map<org.apache.spark.sql.types.DataType, DataType> SCALARS = Map.of(
            DataTypes.BooleanType, BOOLEAN,
            DataTypes.IntegerType, INT,
            DataTypes.LongType, LONG,
            DataTypes.DoubleType, DOUBLE,
            DataTypes.StringType, STRING);

    private Types() {}

    public static DataType of(DType type) {
        return new BasicType(true, type);
    }

    /** Returns the cudf type of a function's result. */
    public static DataType of(org.apache.spark.sql.types.DataType type) {
        if (type instanceof org.apache.spark.sql.types.ArrayType array) {
            return list(of(array.elementType()));
        }
        if (type instanceof org.apache.spark.sql.types.StructType struct) {
            return struct(Arrays.stream(struct.fields())
                    .map(field -> of(field.dataType()))
                    .toArray(DataType[]::new));
        }
        return SCALARS.get(type);
    }

    public static DataType list(DataType entry) {
        return new ListType(true, entry);
    }

    public static DataType struct(DataType... fields) {
        return new StructType(true, fields);
    }
}
