package dev.bellman.function;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.collect_list;
import static org.apache.spark.sql.functions.struct;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.SparkTest;
import dev.bellman.Thorough;
import dev.bellman.entry.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * On columns from every {@link Source} and in every {@link Form}, every function of the catalogue and its {@code try_}
 * variant return the same results as in memory. Readers, caches and expressions create rows, arrays and strings of
 * different classes, some of which do not support all inherited methods.
 */
class ColumnsTest extends SparkTest {
    /** The number of calls in one query. */
    private static final int TOGETHER = 24;

    /** Of the structs that contain arguments, one in {@code NULLS} is NULL. */
    private static final int NULLS = 9;

    @TempDir
    private static Path folder;

    private static List<ColumnCall> calls;
    private static int count;

    /** Where a table is stored. */
    enum Source {
        MEMORY(UnaryOperator.identity()),
        SHUFFLE(table -> table.repartition(3)),
        CACHE(Dataset::cache),
        COLLECTED(table -> table.groupBy(col("id").mod(5))
                .agg(collect_list(struct("*")).as("list"))
                .selectExpr("inline(list)")),
        PARQUET("parquet", true, Map.of(), Map.of()),
        PARQUET_OFF_HEAP("parquet", true, Map.of("spark.sql.columnVector.offheap.enabled", "true"), Map.of()),
        PARQUET_WITHOUT_DICTIONARY("parquet", true, Map.of(), Map.of("parquet.enable.dictionary", "false")),
        PARQUET_BY_ROW("parquet", false, Map.of("spark.sql.parquet.enableVectorizedReader", "false"), Map.of()),
        ORC("orc", true, Map.of(), Map.of()),
        ORC_WITH_DICTIONARY("orc", true, Map.of(), Map.of("orc.dictionary.key.threshold", "1")),
        ORC_BY_ROW("orc", false, Map.of("spark.sql.orc.enableVectorizedReader", "false"), Map.of()),
        JSON("json", false, Map.of(), Map.of()),
        CSV(
                "csv",
                false,
                Map.of(),
                Map.of(
                        "quoteAll",
                        "true",
                        "escape",
                        "\"",
                        "multiLine",
                        "true",
                        "ignoreLeadingWhiteSpace",
                        "false",
                        "ignoreTrailingWhiteSpace",
                        "false"));

        /** Whether values are read as vectors. */
        private final boolean vectors;

        private final Map<String, String> settings;
        private final UnaryOperator<Dataset<Row>> stored;

        Source(UnaryOperator<Dataset<Row>> stored) {
            vectors = false;
            settings = Map.of();
            this.stored = stored;
        }

        Source(String format, boolean vectors, Map<String, String> settings, Map<String, String> options) {
            this.vectors = vectors;
            this.settings = settings;
            stored = table -> {
                Path path = folder.resolve(name() + table.schema().hashCode());
                if (!Files.exists(path)) {
                    table.coalesce(1).write().format(format).options(options).save(path.toString());
                }
                return spark.read()
                        .schema(table.schema())
                        .format(format)
                        .options(options)
                        .load(path.toString());
            };
        }

        /** Whether strings must be valid UTF-8 without control characters. */
        boolean isText() {
            return this == JSON || this == CSV;
        }
    }

    /** How an argument is extracted from a row. */
    enum Form {
        COLUMN("", "c%d_%s"),
        FIELD("%2$s", "n%d.%s"),
        SLICE("array(%s, %s)", "slice(n%d, 2, 1)[0].%s"),
        FILTER("array(%s, %s)", "get(filter(n%d, x -> x.given), 0).%s"),
        MAP("map('j', %s, 'k', %s)", "n%d['k'].%s"),
        /**
         * A part of an array or string is a view of the whole. Spark's {@code slice} returns values for NULL arrays
         * that are nested in arrays of a vectorized ORC column, so such arrays are filtered.
         */
        PART("", "c%d_%s") {
            @Override
            String argument(ColumnCall call, Parameter parameter) {
                String column = super.argument(call, parameter);
                return parameter.type() instanceof ArrayType array
                        ? (isAtomic(array.elementType())
                                        ? "slice(%1$s, 1, size(%1$s))"
                                        : "filter(%1$s, (x, i) -> i < size(%1$s))")
                                .formatted(column)
                        : parameter.type() instanceof StringType
                                ? "substr(concat('x', %s), 2)".formatted(column)
                                : column;
            }
        };

        /** The nested column, given another struct and the struct that contains the arguments. */
        private final String nested;

        private final String template;

        Form(String nested, String template) {
            this.nested = nested;
            this.template = template;
        }

        String argument(ColumnCall call, Parameter parameter) {
            return template.formatted(call.number(), parameter.name());
        }

        private static boolean isAtomic(DataType type) {
            return !(type instanceof ArrayType || type instanceof StructType);
        }

        boolean isNested() {
            return this != COLUMN && this != PART;
        }
    }

    @BeforeAll
    static void makeCalls() {
        // a limit that allows a vectorized reader for all columns of a query and their nested fields
        spark.conf().set("spark.sql.codegen.maxFields", 1_000);
        Catalogue.functions().forEach(function -> BellmanFunctions.registerRejection(spark, function));
        calls = ColumnCall.ofCatalogue();
        count = calls.stream().mapToInt(call -> call.rows().size()).max().orElseThrow();
    }

    /** Returns a table with a column for each argument of some calls. */
    private static Dataset<Row> memory(List<ColumnCall> together) {
        StructType schema = new StructType().add("id", DataTypes.IntegerType);
        for (ColumnCall call : together) {
            schema = schema.add("ok%d".formatted(call.number()), DataTypes.BooleanType);
            for (Parameter parameter : call.signature().parameters()) {
                schema = schema.add(Form.COLUMN.argument(call, parameter), parameter.type());
            }
        }
        List<InternalRow> rows = new ArrayList<>();
        for (int id = 0; id < count; id++) {
            List<Object> values = new ArrayList<>(List.of(id));
            for (ColumnCall call : together) {
                values.add(call.rejection(id) == null);
                values.addAll(Arrays.asList(call.arguments(id)));
            }
            rows.add(new GenericInternalRow(values.toArray()));
        }
        return inMemory(schema, rows);
    }

    /** Returns a table with a nested column for the arguments of each call. */
    private static Dataset<Row> nested(List<ColumnCall> together, Form form) {
        Stream<String> columns = together.stream().flatMap(call -> {
            String fields = call.signature().parameters().stream()
                    .map(each -> "'%s', %s".formatted(each.name(), Form.COLUMN.argument(call, each)))
                    .collect(Collectors.joining(", "));
            String value = "if(id %% %d = 0, NULL, named_struct('given', true, %s))".formatted(NULLS, fields);
            String other = "named_struct('given', false, %s)".formatted(fields);
            return Stream.of(
                    "ok" + call.number(), "%s AS n%d".formatted(form.nested.formatted(other, value), call.number()));
        });
        return memory(together)
                .selectExpr(Stream.concat(Stream.of("id"), columns).toArray(String[]::new));
    }

    /** Returns a table that consists of these objects, without copying them. */
    private static Dataset<Row> inMemory(StructType schema, List<InternalRow> rows) {
        List<Attribute> attributes = List.copyOf(CollectionConverters.asJava(DataTypeUtils.toAttributes(schema)));
        return org.apache.spark.sql.classic.Dataset.ofRows(
                (org.apache.spark.sql.classic.SparkSession) spark,
                new LocalRelation(
                        CollectionConverters.asScala(attributes).toSeq(),
                        CollectionConverters.asScala(rows).toSeq(),
                        false,
                        Option.empty()));
    }

    static Stream<Arguments> always() {
        Set<Source> columns = EnumSet.of(Source.MEMORY, Source.CACHE, Source.PARQUET, Source.ORC, Source.JSON);
        return pairs((source, form) ->
                form == Form.COLUMN ? columns.contains(source) : source == Source.PARQUET && form == Form.SLICE);
    }

    static Stream<Arguments> others() {
        Set<Object> always = always().map(each -> List.of(each.get())).collect(Collectors.toSet());
        return Thorough.part(pairs((source, form) ->
                        !always.contains(List.of(source, form)) && (source != Source.CSV || form == Form.COLUMN))
                .toList());
    }

    private static Stream<Arguments> pairs(BiPredicate<Source, Form> wanted) {
        return Arrays.stream(Source.values()).flatMap(source -> Arrays.stream(Form.values())
                .filter(form -> wanted.test(source, form))
                .map(form -> Arguments.of(source, form)));
    }

    @ParameterizedTest
    @MethodSource("always")
    void asInMemory(Source source, Form form) {
        compare(source, form);
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("others")
    void asInMemoryToo(Source source, Form form) {
        compare(source, form);
    }

    /**
     * A constant that is invalid for all rows is an error when the query is planned, even in {@code try_} variants. The
     * same value in a row is not an error at that time.
     */
    @Test
    void constants() {
        Set<String> names = new TreeSet<>();
        for (ColumnCall call : calls) {
            for (Parameter parameter : call.signature().parameters()) {
                if (call.rejectsConstant(parameter, "no such thing")) {
                    names.add(parameter.name());
                    for (String name :
                            List.of(call.function().name(), call.function().tryName())) {
                        String planned = with(name, call, parameter, "concat('no such ', 'thing')");
                        assertThatThrownBy(() -> memory(List.of(call)).selectExpr(planned))
                                .as(planned)
                                .isInstanceOf(AnalysisException.class)
                                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] %s: ", name)
                                .hasMessageContaining("no such thing")
                                .message()
                                .doesNotContain("Correct the row", "returns NULL");
                    }
                    String ofRow = with(call.function().tryName(), call, parameter, "concat('no such ', id)");
                    assertThat(memory(List.of(call))
                                    .selectExpr(ofRow + " AS answer")
                                    .where("answer IS NOT NULL")
                                    .isEmpty())
                            .as(ofRow)
                            .isTrue();
                }
            }
        }
        assertThat(names)
                .containsExactly(
                        "algorithm",
                        "coefficient",
                        "cost",
                        "costs",
                        "format",
                        "grammar",
                        "linkage",
                        "metric",
                        "mode",
                        "operator",
                        "options",
                        "penalty",
                        "profile",
                        "scoring");
    }

    private static String with(String name, ColumnCall call, Parameter replaced, String value) {
        return call.signature().parameters().stream()
                .map(each -> each == replaced ? value : Form.COLUMN.argument(call, each))
                .collect(Collectors.joining(", ", name + "(", ")"));
    }

    private static void compare(Source source, Form form) {
        source.settings.forEach((key, value) -> spark.conf().set(key, value));
        try {
            List<ColumnCall> can = calls.stream()
                    .filter(call -> source != Source.CSV || call.isFlat())
                    .toList();
            for (int from = 0; from < can.size(); from += TOGETHER) {
                List<ColumnCall> together = can.subList(from, Math.min(can.size(), from + TOGETHER));
                Dataset<Row> table = form.isNested() ? nested(together, form) : memory(together);
                compare(source, source.stored.apply(table), form, together);
            }
        } finally {
            source.settings.keySet().forEach(spark.conf()::unset);
            spark.catalog().clearCache();
        }
    }

    private static void compare(Source source, Dataset<Row> table, Form form, List<ColumnCall> together) {
        List<String> columns = new ArrayList<>(List.of("id"));
        for (ColumnCall call : together) {
            String arguments = call.signature().parameters().stream()
                    .map(each -> form.argument(call, each))
                    .collect(Collectors.joining(", ", "(", ")"));
            String name = call.function().name();
            columns.add("if(ok%d, %s%s, NULL)".formatted(call.number(), name, arguments));
            columns.add(call.function().tryName() + arguments);
            columns.add("bellman_rejection_" + name + arguments);
            columns.add("struct" + arguments);
        }
        Dataset<Row> answers = table.selectExpr(columns.toArray(String[]::new));
        SparkPlan plan = ((org.apache.spark.sql.classic.Dataset<Row>) answers)
                .queryExecution()
                .executedPlan();
        assertThat(plan.toString().contains("ColumnarToRow")).isEqualTo(source.vectors);
        InternalRow[] found = plan.executeCollect();
        assertThat(found).hasSize(count);
        for (int i = 0; i < together.size(); i++) {
            int first = 1 + 4 * i;
            ColumnCall call = together.get(i);
            int same = 0;
            for (InternalRow row : found) {
                boolean none = form.isNested() && row.getInt(0) % NULLS == 0;
                if (none || !source.isText() || call.isCalled(row, first + 3)) {
                    call.check(row, first, none);
                    same++;
                }
            }
            assertThat(same).as("rows that are the same as text").isGreaterThan(found.length / 2);
        }
    }
}
