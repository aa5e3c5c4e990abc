package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.FunctionOptions;
import dev.bellman.OnInvalid;
import dev.bellman.SparkTest;
import dev.bellman.columns.SolverCall;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
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

/** Tests calls with up to 22 arguments of several types, from SQL, in tasks and on the driver. */
class DispatcherTest extends SparkTest {
    private static final DataType NESTED = DataTypes.createArrayType(DataTypes.createArrayType(DataTypes.LongType));
    private static final StructType STRUCT = new StructType()
            .add("text", DataTypes.StringType)
            .add("numbers", DataTypes.createArrayType(DataTypes.DoubleType));

    /** The types of the parameters, used cyclically. {@link #VALUES} contains a value of each type. */
    private static final List<DataType> TYPES = List.of(
            DataTypes.StringType, DataTypes.IntegerType, NESTED, DataTypes.LongType, STRUCT, DataTypes.DoubleType);

    private static final List<String> VALUES = List.of(
            "cast(X'61E4' as string)",
            "7",
            "array(array(1L, 2L), NULL, array(NULL))",
            "8L",
            "named_struct('text', 'x', 'numbers', array(0.5D, NULL))",
            "2.5D");

    /** Returns the signature of a function that describes its arguments. */
    private static Signature<OnInvalid> describing(int count) {
        List<Parameter> parameters = IntStream.range(0, count)
                .mapToObj(i -> new Parameter("p" + i, TYPES.get(i % TYPES.size())))
                .toList();
        return new Signature<OnInvalid>(
                "describing",
                0,
                parameters,
                List.of(),
                DataTypes.StringType,
                (strategy, options, arguments) -> IntStream.range(0, count)
                        .mapToObj(i -> describe(arguments.value(i), TYPES.get(i % TYPES.size())))
                        .collect(Collectors.joining(";")),
                Set.of());
    }

    private static SolverCall call(int count) {
        return describing(count).call(OnInvalid.FAIL, FunctionOptions.DEFAULT);
    }

    private static String describe(Object value, DataType type) {
        if (type.equals(DataTypes.StringType)) {
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

    private static void register(String name, int count) {
        Object function = Dispatcher.scalaFunction(call(count));
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
                                        describing(count),
                                        DataTypes.StringType,
                                        CollectionConverters.asJava(arguments));
                            }
                        },
                        "built-in");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 11, 21, 22})
    void anyNumberAndTypes(int count) {
        register("describing", count);
        String call = "describing(" + cycled(VALUES, count, ", ") + ")";
        String expected = cycled(DESCRIPTIONS, count, ";");
        assertThat(value(call)).isEqualTo(expected);
        // the same call in tasks, where generated code makes it
        assertThat(spark.range(3).selectExpr("concat(" + call + ", id)").collectAsList())
                .extracting(row -> row.getString(0))
                .containsExactly(expected + 0, expected + 1, expected + 2);
    }

    @Test
    void nulls() {
        register("describing", 6);
        String nulls = IntStream.range(0, 6)
                .mapToObj(i -> "if(id = %d, NULL, %s)".formatted(i, VALUES.get(i)))
                .collect(Collectors.joining(", "));
        List<Row> rows = spark.range(6).selectExpr("describing(" + nulls + ")").collectAsList();
        assertThat(rows).hasSize(6).allMatch(row -> row.isNullAt(0));
    }

    @Test
    void tooManyParameters() {
        assertThatThrownBy(() -> Dispatcher.scalaFunction(call(23)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has 23 arguments; Spark supports at most 22");
    }
}
