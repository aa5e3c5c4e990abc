package dev.bellman.columns;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.entry.Parameter;
import dev.bellman.function.Catalogue;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class HostValuesTest {
    private static final DataType FLOAT = Types.of(DType.FLOAT32);

    /** Writes a function's results to a column, and reads them back as the arguments of a function. */
    @Test
    void resultsToArguments() {
        DataType type = Types.struct(
                Types.LONG, Types.STRING, Types.list(Types.INT), Types.list(Types.struct(Types.INT, Types.DOUBLE)));
        byte[] notUtf8 = {'a', (byte) 0xe4};
        Row first = RowFactory.create(
                5L, "añ文", new int[] {1, 2}, new Row[] {RowFactory.create(7, 0.5), RowFactory.create(null, -0.0)});
        Row second = RowFactory.create(null, UTF8String.fromBytes(notUtf8), List.of(), null);

        ArrayData rows = (ArrayData) throughCudf(type, first, second, null);

        assertThat(rows.numElements()).isEqualTo(3);
        InternalRow read = rows.getStruct(0, 4);
        assertThat(read.getLong(0)).isEqualTo(5);
        assertThat(read.getUTF8String(1)).hasToString("añ文");
        assertThat(read.getArray(2).toIntArray()).containsExactly(1, 2);
        assertThat(read.getArray(3).getStruct(0, 2).getInt(0)).isEqualTo(7);
        assertThat(read.getArray(3).getStruct(0, 2).getDouble(1)).isEqualTo(0.5);
        assertThat(read.getArray(3).getStruct(1, 2).isNullAt(0)).isTrue();
        InternalRow other = rows.getStruct(1, 4);
        assertThat(other.isNullAt(0)).isTrue();
        assertThat(other.getUTF8String(1).getBytes())
                .as("text that is no UTF-8")
                .isEqualTo(notUtf8);
        assertThat(other.getArray(2).numElements()).isZero();
        assertThat(other.isNullAt(3)).isTrue();
        assertThat(rows.isNullAt(2)).isTrue();
    }

    /** Tests lists of lists of DOUBLE and of BIGINT. */
    @Test
    void lists() {
        ArrayData matrix =
                (ArrayData) throughCudf(Types.list(Types.DOUBLE), new double[] {1.5, Double.NaN}, new double[0], null);
        assertThat(matrix.getArray(0).toDoubleArray()).containsExactly(1.5, Double.NaN);
        assertThat(matrix.getArray(1).numElements()).isZero();
        assertThat(matrix.isNullAt(2)).isTrue();

        ArrayData longs = (ArrayData) throughCudf(Types.list(Types.LONG), (Object) new long[] {Long.MIN_VALUE, -1});
        assertThat(longs.getArray(0).toLongArray()).containsExactly(Long.MIN_VALUE, -1);
    }

    /**
     * Tests the argument types of all functions with kernels, because the CPU reads the arguments of rows that a GPU
     * rejects or that are too large for it.
     */
    @Test
    void everyType() {
        List<org.apache.spark.sql.types.DataType> types = Catalogue.functions().stream()
                .flatMap(function -> function.signatures().stream())
                .filter(signature -> !signature.kernels().isEmpty())
                .flatMap(signature -> signature.parameters().stream())
                .map(Parameter::type)
                .distinct()
                .toList();
        assertThat(types).contains(DataTypes.StringType, DataTypes.createArrayType(DataTypes.FloatType));
        assertThat(types).allSatisfy(type -> {
            ArrayData values = (ArrayData) throughCudf(cudf(type), example(type), null);
            assertThat(values.isNullAt(0)).isFalse();
            assertThat(values.isNullAt(1)).isTrue();
        });
    }

    private static DataType cudf(org.apache.spark.sql.types.DataType type) {
        if (type instanceof ArrayType array) {
            return Types.list(cudf(array.elementType()));
        }
        if (type instanceof org.apache.spark.sql.types.StructType struct) {
            return Types.struct(Arrays.stream(struct.fields())
                    .map(field -> cudf(field.dataType()))
                    .toArray(DataType[]::new));
        }
        return switch (type.sql()) {
            case "STRING" -> Types.STRING;
            case "INT" -> Types.INT;
            case "BIGINT" -> Types.LONG;
            case "FLOAT" -> FLOAT;
            case "DOUBLE" -> Types.DOUBLE;
            case "BOOLEAN" -> Types.BOOLEAN;
            default -> throw new IllegalArgumentException(type.sql());
        };
    }

    /** Returns a value without NULLs. */
    private static Object example(org.apache.spark.sql.types.DataType type) {
        if (type instanceof ArrayType array) {
            return List.of(example(array.elementType()));
        }
        if (type instanceof org.apache.spark.sql.types.StructType struct) {
            return RowFactory.create(Arrays.stream(struct.fields())
                    .map(field -> example(field.dataType()))
                    .toArray());
        }
        return switch (type.sql()) {
            case "STRING" -> "a";
            case "INT" -> 1;
            case "BIGINT" -> 1L;
            case "FLOAT" -> 0.5F;
            case "DOUBLE" -> 0.5;
            case "BOOLEAN" -> true;
            default -> throw new IllegalArgumentException(type.sql());
        };
    }

    /** Writes a column that has a single list with these values as elements, and returns what is read back. */
    private static Object throughCudf(DataType element, Object... values) {
        @SuppressWarnings("unchecked")
        List<Object> written = (List<Object>) HostValues.write(Arrays.asList(values));
        return read(Types.list(element), written);
    }

    @SuppressWarnings("unchecked")
    private static Object read(DataType type, List<Object> list) {
        try (HostColumnVector column = HostColumnVector.fromLists(type, list)) {
            return HostValues.read(column, 0);
        }
    }
}
