package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.SparkTest;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/** Calls of any number and any types of arguments, from SQL, in tasks and on the driver. */
class DispatcherTest extends SparkTest {
    private enum Strategy {}

    private static final DataType NESTED = DataTypes.createArrayType(DataTypes.createArrayType(DataTypes.LongType));
    private static final StructType STRUCT = new StructType()
            .add("text", DataTypes.StringType)
            .add("numbers", DataTypes.createArrayType(DataTypes.DoubleType));

    /** The types of parameters, used cyclically, and a value for each. */
    private static final List<DataType> TYPES = List.of(
            DataTypes.StringType, DataTypes.IntegerType, NESTED, DataTypes.LongType, STRUCT, DataTypes.DoubleType);

    private static final List<String> VALUES = List.of(
            "cast(X'61E4' as string)",
            "7",
            "array(array(1L, 2L), NULL, array(NULL))",
            "8L",
            "named_struct('text', 'x', 'numbers', array(0.5D, NULL))",
            "2.5D");

    /** A function that records its arguments. */
    private static Dispatcher describing(int count) throws ClassNotFoundException {
        InvocationHandler handler =
                (InvocationHandler & java.io.Serializable) (proxy, method, arguments) -> IntStream.range(0, count)
                        .mapToObj(i -> describe(arguments[i], TYPES.get(i % TYPES.size())))
                        .collect(Collectors.joining(";"));
        Class<?> type = Class.forName("org.apache.spark.sql.api.java.UDF" + count);
        Object udf = Proxy.newProxyInstance(DispatcherTest.class.getClassLoader(), new Class<?>[] {type}, handler);
        return new Dispatcher(signature(count), udf);
    }

    private static Signature<Strategy> signature(int count) {
        List<Parameter> parameters = IntStream.range(0, count)
                .mapToObj(i -> new Parameter("p" + i, TYPES.get(i % TYPES.size())))
                .toList();
        return new Signature<>(
                "describing", 0, parameters, List.of(), DataTypes.StringType, (strategy, options) -> null);
    }

    private static String describe(Object value, DataType type) {
        if (value == null) {
            return "null";
        } else if (type.equals(DataTypes.StringType)) {
            return hex((UTF8String) value);
        } else if (type.equals(NESTED)) {
            ArrayData lists = (ArrayData) value;
            ArrayData first = lists.getArray(0);
            return "[%d,%d],%b,%b"
                    .formatted(
                            first.getLong(0),
                            first.getLong(1),
                            lists.isNullAt(1),
                            lists.getArray(2).isNullAt(0));
        } else if (type.equals(STRUCT)) {
            InternalRow struct = (InternalRow) value;
            return "{%s,%s,%b}"
                    .formatted(
                            hex(struct.getUTF8String(0)),
                            struct.getArray(1).getDouble(0),
                            struct.getArray(1).isNullAt(1));
        }
        return value.getClass().getSimpleName() + value;
    }

    private static String hex(UTF8String text) {
        return java.util.HexFormat.of().formatHex(text.getBytes());
    }

    private static final List<String> DESCRIPTIONS =
            List.of("61e4", "Integer7", "[1,2],true,true", "Long8", "{78,0.5,true}", "Double2.5");

    private static String cycled(List<String> values, int count, String separator) {
        return IntStream.range(0, count)
                .mapToObj(i -> values.get(i % values.size()))
                .collect(Collectors.joining(separator));
    }

    private static void register(String name, int count) throws ClassNotFoundException {
        Object function = describing(count).scalaFunction("describing");
        ((org.apache.spark.sql.classic.SparkSession) spark)
                .sessionState()
                .functionRegistry()
                .createOrReplaceTempFunction(
                        name,
                        new AbstractFunction1<Seq<Expression>, Expression>() {
                            @Override
                            public Expression apply(Seq<Expression> arguments) {
                                return Dispatcher.expression(
                                        name,
                                        function,
                                        signature(count),
                                        DataTypes.StringType,
                                        CollectionConverters.asJava(arguments));
                            }
                        },
                        "built-in");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 11, 21, 22})
    void anyNumberAndTypes(int count) throws ClassNotFoundException {
        register("describing", count);
        String call = "describing(" + cycled(VALUES, count, ", ") + ")";
        String expected = cycled(DESCRIPTIONS, count, ";");
        assertThat(value(call)).isEqualTo(expected);
        // in tasks, by generated code
        assertThat(spark.range(3).selectExpr("concat(" + call + ", id)").collectAsList())
                .extracting(row -> row.getString(0))
                .containsExactly(expected + 0, expected + 1, expected + 2);
    }

    @Test
    void nulls() throws ClassNotFoundException {
        register("describing", 6);
        String nulls = IntStream.range(0, 6)
                .mapToObj(i -> "if(id = %d, NULL, %s)".formatted(i, VALUES.get(i)))
                .collect(Collectors.joining(", "));
        List<Row> rows = spark.range(6).selectExpr("describing(" + nulls + ")").collectAsList();
        for (int i = 0; i < 6; i++) {
            List<String> expected = new ArrayList<>(DESCRIPTIONS);
            expected.set(i, "null");
            assertThat(rows.get(i).getString(0)).isEqualTo(String.join(";", expected));
        }
    }

    /** Outside a query, arguments and results are in the form that rows use. */
    @Test
    void direct() throws ClassNotFoundException {
        Object[] values = {
            "a\u00e4",
            7,
            List.of(List.of(1L, 2L), List.of(), java.util.Arrays.asList((Object) null)),
            8L,
            RowFactory.create("x", java.util.Arrays.asList(0.5, null)),
            2.5
        };
        assertThat(describing(6).call(values))
                .isEqualTo("61c3a4;Integer7;[1,2],false,true;Long8;{78,0.5,true};Double2.5");
        assertThat(describing(0).call()).isEqualTo("");
    }
}
