package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.FunctionOptions;
import dev.bellman.SparkTest;
import dev.bellman.columns.ConstantArray;
import dev.bellman.columns.SolverCall;
import dev.bellman.entry.Signature;
import dev.bellman.grammar.WordBreak;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.plans.QueryPlan;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/** Constants that a kernel requires become part of a call when RAPIDS plans a query. */
class ConstantArgumentsTest extends SparkTest {
    private static final String SPLIT = "word_break(t, array('now', 'here', 'nowhere', 'no', 'where'))";

    @BeforeAll
    static void texts() {
        spark.range(0, 8, 1, 2)
                .selectExpr(
                        "id",
                        "if(id = 5, NULL, repeat('nowhere', int(id % 3))) AS t",
                        "array('now', 'here') AS w",
                        "split('no w he re', ' ') AS x",
                        "if(id < 4, array('now', 'here'), array('nowhere')) AS y")
                .createOrReplaceTempView("texts");
    }

    private static <T> T withRapids(Supplier<T> work) {
        SQLConf.get().setConfString("spark.plugins", "com.nvidia.spark.SQLPlugin");
        try {
            return work.get();
        } finally {
            SQLConf.get().unsetConf("spark.plugins");
        }
    }

    private static List<ScalaUDF> calls(QueryPlan<?> plan) {
        List<ScalaUDF> calls = new ArrayList<>();
        CollectionConverters.asJava(plan.expressions()).forEach(each -> add(calls, each));
        CollectionConverters.asJava(plan.children()).forEach(each -> calls.addAll(calls((QueryPlan<?>) each)));
        return calls;
    }

    private static void add(List<ScalaUDF> calls, Expression expression) {
        if (expression instanceof ScalaUDF call) {
            calls.add(call);
        }
        CollectionConverters.asJava(expression.children()).forEach(each -> add(calls, each));
    }

    private static List<ScalaUDF> planned(String call) {
        return withRapids(() -> calls(spark.sql("SELECT %s FROM texts".formatted(call))
                .queryExecution()
                .optimizedPlan()));
    }

    private static SolverCall solver(ScalaUDF call) {
        return Dispatcher.solver(call.function());
    }

    /** The rule recognizes constants that other rules find, such as constant columns. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                SPLIT,
                "word_break(t, split('now here nowhere', ' '))",
                "word_break(t, weights => array(-1, -2.5), words => array('now', 'here'))",
                "try_word_break(t, w)",
                "word_break(t, x, array(1D, 2, 3, 4))"
            })
    void constant(String call) {
        assertThat(planned(call)).singleElement().satisfies(plain -> {
            assertThat(plain).isExactlyInstanceOf(ScalaUDF.class);
            assertThat(plain.children().size()).isEqualTo(1);
            assertThat(plain.inputEncoders().size()).isEqualTo(1);
            assertThat(solver(plain).hasKernel()).isTrue();
            assertThat(solver(plain).column("words")).isEqualTo(-1);
            assertThat(solver(plain).ifAbsent("words")).isPresent();
            assertThat(plain.deterministic()).isTrue();
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"word_break(t, y)", "word_break(t, w, array(double(id), 1))", "word_break(t, y, array(1, 2))"})
    void notConstant(String call) {
        assertThat(planned(call)).singleElement().satisfies(plain -> {
            assertThat(plain).isExactlyInstanceOf(ScalaUDF.class);
            assertThat(plain.children().size()).isEqualTo(solver(plain).given());
            assertThat(solver(plain).hasKernel()).isFalse();
        });
        // other strategies have no kernel
        spark.conf().set("spark.bellman.word_break.strategy", "serial");
        try {
            assertThat(planned(SPLIT)).singleElement().satisfies(plain -> {
                assertThat(plain.children().size()).isEqualTo(2);
                assertThat(solver(plain).hasKernel()).isFalse();
            });
        } finally {
            spark.conf().unset("spark.bellman.word_break.strategy");
        }
    }

    /** If a kernel takes a column or a constant, calls run on the GPU in both cases. */
    @Test
    void constantOrColumn() {
        String grammar = "S -> S S [0.5] | 'now' [0.5]".replace("'", "\\'");
        assertThat(planned("cyk(split(t, ' '), '%s')".formatted(grammar)))
                .singleElement()
                .satisfies(plain -> assertThat(plain.children().size()).isEqualTo(1))
                .satisfies(plain -> assertThat(solver(plain).hasKernel()).isTrue());
        for (String call : List.of(
                "cyk(w, t)", "profile_score(t, t)", "profile_score(t, t, 'viterbi')", "edit_distance(t, 'x')")) {
            assertThat(planned(call))
                    .singleElement()
                    .satisfies(plain -> assertThat(plain.children().size())
                            .isEqualTo(solver(plain).given()))
                    .satisfies(plain -> assertThat(solver(plain).hasKernel()).isTrue());
        }
    }

    @Test
    void equalCalls() {
        List<ScalaUDF> calls = planned("%1$s, size(%1$s), word_break(t, array('now'))".formatted(SPLIT));
        assertThat(calls).hasSize(3);
        assertThat(calls.get(1)).isEqualTo(calls.get(0)).hasSameHashCodeAs(calls.get(0));
        assertThat(calls.get(1).canonicalized()).isEqualTo(calls.get(0).canonicalized());
        assertThat(calls.get(2).semanticEquals(calls.get(0))).isFalse();
        assertThat(calls.get(2).function()).isNotSameAs(calls.get(0).function());
    }

    /** In calls that remain on the CPU, the constants are arguments again. The results and messages are unchanged. */
    @Test
    void onCpu() {
        String query = "SELECT try_%1$s, count(*) FROM texts GROUP BY 1 HAVING size(try_%1$s) > 0".formatted(SPLIT);
        List<Row> expected = spark.sql(query).collectAsList();
        withRapids(() -> {
            Dataset<Row> found = spark.sql(query);
            assertThat(found.collectAsList()).isNotEmpty().containsExactlyInAnyOrderElementsOf(expected);
            assertThat(plan(found)).contains("size(try_word_break(if (", " as int)), [now,here,nowhere,no,where])");
            assertThatThrownBy(() -> spark.sql("SELECT word_break(t, array('now')) FROM texts")
                            .collectAsList())
                    .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] word_break: the string is not a sequence of words: "
                            + "no word matches after 3 of its 7 characters");
            return null;
        });
    }

    /** The call with constants is a function of the other arguments, also after serialization. */
    @Test
    void serialized() throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(solver(planned(SPLIT).get(0)));
        }
        SolverCall read;
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            read = (SolverCall) in.readObject();
        }
        assertThat(read.hasKernel()).isTrue();
        assertThat(read.given()).isEqualTo(1);
        assertThat((UTF8String[]) read.result(UTF8String.fromString("nowherenow")))
                .extracting(UTF8String::toString)
                .containsExactly("nowhere", "now");
        assertThat(read.result((Object) null)).isNull();
        assertThat((UTF8String[]) read.onCpu(FunctionOptions.DEFAULT, List.of(UTF8String.fromString("no"))))
                .hasSize(1);
    }

    /** On CPUs, functions can recognize literal arrays. */
    @Test
    void literalArrays() {
        Signature<?> signature = Catalogue.functions().stream()
                .filter(each -> each.name().equals("word_break"))
                .findFirst()
                .orElseThrow()
                .signatures()
                .get(0);
        List<SolverCall.Argument> parameters = signature.parameters().stream()
                .map(each -> new SolverCall.Argument(each.name(), each.type(), null))
                .toList();
        SolverCall isConstant = new SolverCall(
                "is_constant",
                parameters,
                2,
                DataTypes.BooleanType,
                (strategy, options, arguments) -> arguments.array(1) instanceof ConstantArray,
                WordBreak.Strategy.AUTO,
                false,
                FunctionOptions.DEFAULT);
        DataType array = parameters.get(1).type();
        Literal words = new Literal(new GenericArrayData(new Object[] {UTF8String.fromString("a")}), array);
        InternalRow row = InternalRow.apply(
                CollectionConverters.asScala(List.<Object>of(words.value())).toSeq());
        for (Expression argument : List.of(words, new BoundReference(0, array, true))) {
            Call call = Dispatcher.expression(
                    "is_constant",
                    Dispatcher.scalaFunction(isConstant),
                    signature,
                    DataTypes.BooleanType,
                    List.of(new Literal(UTF8String.fromString("a"), DataTypes.StringType), argument));
            assertThat(call.eval(row)).isEqualTo(argument == words);
        }
    }
}
