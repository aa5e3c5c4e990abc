package dev.bellman.job.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Overload;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.function.Bellman;
import dev.bellman.function.Catalogue;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.proof.Proofs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** If a job omits a parameter that precedes another one, the omitted parameter has its default. */
class SkippedParametersTest {
    private static final int ROWS = 50;

    private final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    static List<BellmanFunction<?>> functions() {
        return Catalogue.functions().stream()
                .filter(function -> optional(function.overloads().get(0)).size() > 1)
                .toList();
    }

    private static List<Parameter> optional(Overload<?> overload) {
        return overload.parameters().stream().filter(Parameter::isOptional).toList();
    }

    @ParameterizedTest
    @MethodSource("functions")
    void lastAlone(BellmanFunction<?> function) {
        Overload<?> overload = function.overloads().get(0);
        Parameter last = optional(overload).get(optional(overload).size() - 1);
        InternalRow settings = settings(overload, last);
        Object value = value(overload, settings, last);
        Bellman.register(spark);
        write(overload);
        String arguments = required(overload)
                .map(each -> each.isSetting() ? literal(overload, settings, each) : each.name())
                .collect(Collectors.joining(", "));
        List<String> options = new ArrayList<>(List.of(
                "run",
                "--problem=" + function.problem().name(),
                "--results=" + function.name(),
                "--input=" + folder.resolve("rows"),
                "--parameter=%s=%s".formatted(last.name(), value),
                "--on-bad-row=null",
                "--output=" + folder.resolve("out")));
        required(overload)
                .map(each -> each.isSetting()
                        ? "--parameter=%s=%s".formatted(each.name(), value(overload, settings, each))
                        : "--argument=" + each.name())
                .forEach(options::add);

        CommandLineRun.of(options.toArray(String[]::new)).assertDone();
        List<Row> expected = spark.read()
                .parquet(folder.resolve("rows").toString())
                .selectExpr(
                        "id",
                        "%s(%s, %s => %s)"
                                .formatted(
                                        function.tryName(),
                                        arguments,
                                        last.name(),
                                        Literal.create(value, last.type()).sql()))
                .orderBy("id")
                .collectAsList();
        assertThat(LocalSpark.output(folder)
                        .select("id", function.name())
                        .orderBy("id")
                        .collectAsList())
                .isEqualTo(expected)
                .anySatisfy(row -> assertThat(row.get(1)).isNotNull());
    }

    private static Stream<Parameter> required(Overload<?> overload) {
        return overload.parameters().stream().limit(overload.required());
    }

    private static String literal(Overload<?> overload, InternalRow row, Parameter parameter) {
        return Literal.create(value(overload, row, parameter), parameter.type()).sql();
    }

    private static Object value(Overload<?> overload, InternalRow row, Parameter parameter) {
        return row.get(overload.parameters().indexOf(parameter), parameter.type());
    }

    /** Returns arguments in which the parameter {@code last} does not have its default. */
    private static InternalRow settings(Overload<?> overload, Parameter last) {
        Signature<?> all = overload.given(overload.parameters().size());
        return Stream.iterate(0, i -> i + 1)
                .map(i -> Proofs.of(all)
                        .generator()
                        .generate(
                                new SplittableRandom(i),
                                Proofs.of(all).generator().small()))
                .filter(row -> !row.anyNull())
                .filter(row -> !value(overload, row, last)
                        .equals(last.ifAbsent().map(Parameter.Default::value).orElse(null)))
                // longer strings, such as the qualities of pair_hmm, would not match the arguments of other rows
                .filter(row -> last.isSetting()
                        || !(value(overload, row, last) instanceof UTF8String text)
                        || text.numChars() == 1)
                .findFirst()
                .orElseThrow();
    }

    private void write(Overload<?> overload) {
        Signature<?> shortest = overload.given(overload.required());
        StructType arguments = new StructType();
        for (Parameter parameter : shortest.parameters()) {
            arguments = arguments.add(parameter.name(), parameter.type());
        }
        SplittableRandom random = new SplittableRandom(46);
        List<Row> rows = new ArrayList<>();
        while (rows.size() < ROWS) {
            InternalRow drawn = Proofs.of(shortest)
                    .generator()
                    .generate(random, Proofs.of(shortest).generator().small());
            if (!drawn.anyNull()) {
                rows.add((Row) CatalystTypeConverters.convertToScala(drawn, arguments));
            }
        }
        spark.createDataFrame(rows, arguments)
                .selectExpr("CAST(monotonically_increasing_id() AS STRING) AS id", "*")
                .write()
                .parquet(folder.resolve("rows").toString());
    }
}
