package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.Thorough;
import dev.bellman.columns.SolverCall;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.proof.Proofs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.CatalystTypeConverters$;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Function1;

/**
 * A signature of a function, with rows of arguments and the results that calls in memory return.
 *
 * @param number the index among all calls, which is part of its columns' names
 * @param rows rows of arguments: some have results, some are rejected, and, for each level of nesting, some have NULL
 *     at that level
 * @param stored the arguments as Spark stores them
 * @param answers the results as Spark stores them; null for a row that is rejected or whose result is NULL
 * @param rejections the message for a row that is rejected; null for other rows
 */
record ColumnCall(
        int number,
        BellmanFunction<?> function,
        Signature<?> signature,
        List<InternalRow> rows,
        List<UnsafeRow> stored,
        List<Object> answers,
        List<UTF8String> rejections) {
    private static final int ANSWERED = Thorough.rounds(12, 24);
    private static final int REJECTED = Thorough.rounds(6, 12);
    private static final int MAX_DRAWS = Thorough.rounds(1_000, 4_000);

    /** Returns a call of each signature in the catalogue. */
    static List<ColumnCall> ofCatalogue() {
        List<ColumnCall> calls = new ArrayList<>();
        for (BellmanFunction<?> function : Catalogue.functions()) {
            for (Signature<?> signature : function.signatures()) {
                ColumnCall call = new ColumnCall(
                        calls.size(),
                        function,
                        signature,
                        new ArrayList<>(),
                        new ArrayList<>(),
                        new ArrayList<>(),
                        new ArrayList<>());
                call.draw(call(function, signature));
                call.store();
                calls.add(call);
            }
        }
        return calls;
    }

    private static <S extends Enum<S>> SolverCall call(BellmanFunction<S> function, Signature<?> signature) {
        @SuppressWarnings("unchecked") // the signature belongs to the function
        Signature<S> its = (Signature<S>) signature;
        S strategy = function.problem().strategy("auto");
        return its.call(strategy, FunctionOptions.DEFAULT);
    }

    private void draw(SolverCall call) {
        SplittableRandom random = new SplittableRandom(28);
        int answered = 0;
        int rejected = 0;
        boolean rejects = function.rejects().isPresent();
        for (int i = 0; i < MAX_DRAWS && (answered < ANSWERED || rejects && rejected < REJECTED); i++) {
            InternalRow row = Proofs.of(signature)
                    .generator()
                    .generate(random, Proofs.of(signature).generator().small());
            boolean fails = rejection(call, row) != null;
            if (fails ? rejected++ < REJECTED : answered++ < ANSWERED) {
                add(call, row);
            }
        }
        InternalRow model = longest();
        for (int i = 0; i < types().length; i++) {
            for (Object changed : withNulls(types()[i], value(model, i, types()[i]))) {
                InternalRow copy = model.copy();
                copy.update(i, changed);
                add(call, copy);
            }
        }
    }

    /** Returns the longest row that has a result, because it has the most parts that can become NULL. */
    private InternalRow longest() {
        return IntStream.range(0, rows.size())
                .filter(i -> answers.get(i) != null)
                .mapToObj(rows::get)
                .max(Comparator.comparingInt(row -> row.toString().length()))
                .orElseThrow();
    }

    private void add(SolverCall call, InternalRow row) {
        UTF8String rejection = rejection(call, row);
        rows.add(row);
        rejections.add(rejection);
        Function1<Object, Object> internal =
                CatalystTypeConverters$.MODULE$.createToCatalystConverter(signature.result());
        answers.add(rejection == null ? internal.apply(call.result(arguments(row))) : null);
    }

    /** Converts the arguments and results to the form in which Spark stores them. */
    private void store() {
        UnsafeProjection ofArguments = UnsafeProjection.create(types());
        rows.forEach(row -> stored.add(
                ofArguments.apply(new GenericInternalRow(arguments(row))).copy()));
        UnsafeProjection ofAnswer = UnsafeProjection.create(new DataType[] {signature.result()});
        answers.replaceAll(answer -> answer == null
                ? null
                : ofAnswer.apply(new GenericInternalRow(new Object[] {answer}))
                        .copy()
                        .get(0, signature.result()));
    }

    private UTF8String rejection(SolverCall call, InternalRow row) {
        try {
            call.result(arguments(row));
            return null;
        } catch (BellmanException e) {
            return UTF8String.fromString(e.getMessage());
        }
    }

    /** Returns the arguments in a row of the table; a call that has fewer rows than the table repeats its rows. */
    Object[] arguments(int id) {
        return arguments(rows.get(id % rows.size()));
    }

    UTF8String rejection(int id) {
        return rejections.get(id % rows.size());
    }

    /** Whether a struct in a row contains the arguments of this call, which text formats may have changed. */
    boolean isCalled(InternalRow row, int column) {
        return stored.get(row.getInt(0) % rows.size()).equals(row.getStruct(column, types().length));
    }

    /**
     * Compares the results in a row, starting at a column, with the results in memory.
     *
     * @param none whether all arguments are NULL
     */
    void check(InternalRow row, int column, boolean none) {
        int at = row.getInt(0) % rows.size();
        DataType result = signature.result();
        Object answer = none ? null : answers.get(at);
        Supplier<String> what = () -> "%s%s of %s".formatted(function.name(), signature, rows.get(at));
        assertThat(value(row, column, result)).as(what).isEqualTo(answer);
        assertThat(value(row, column + 1, result)).as(() -> "try_" + what.get()).isEqualTo(answer);
        assertThat(value(row, column + 2, DataTypes.StringType))
                .as(() -> "rejection by " + what.get())
                .isEqualTo(none ? null : rejections.get(at));
    }

    /** Whether a text is invalid as the constant value of a string parameter, so that planning the query fails. */
    boolean rejectsConstant(Parameter parameter, String text) {
        try {
            if (parameter.type() instanceof StringType) {
                parameter.check().accept(function.name(), UTF8String.fromString(text));
            }
            return false;
        } catch (BellmanException e) {
            return true;
        }
    }

    /** Whether no argument is an array. */
    boolean isFlat() {
        return Arrays.stream(types()).noneMatch(type -> type instanceof ArrayType);
    }

    private Object[] arguments(InternalRow row) {
        return IntStream.range(0, types().length)
                .mapToObj(i -> value(row, i, types()[i]))
                .toArray();
    }

    private static Object value(InternalRow row, int index, DataType type) {
        return row.isNullAt(index) ? null : row.get(index, type);
    }

    DataType[] types() {
        return signature.parameters().stream().map(Parameter::type).toArray(DataType[]::new);
    }

    /**
     * Returns NULL, and copies of the value with NULL in the first or last entry of an array or in a field, at every
     * level of nesting.
     */
    private static List<Object> withNulls(DataType type, Object value) {
        List<Object> all = new ArrayList<>();
        all.add(null);
        if (value instanceof ArrayData array && type instanceof ArrayType arrayType) {
            DataType element = arrayType.elementType();
            Object[] entries = array.toObjectArray(element);
            Stream.of(0, entries.length - 1)
                    .distinct()
                    .filter(i -> i < entries.length && i >= 0)
                    .forEach(i -> {
                        for (Object changed : withNulls(element, entries[i])) {
                            Object[] copy = entries.clone();
                            copy[i] = changed;
                            all.add(new GenericArrayData(copy));
                        }
                    });
        } else if (value instanceof InternalRow struct && type instanceof StructType structType) {
            Object[] fields = IntStream.range(0, structType.length())
                    .mapToObj(i -> struct.get(i, structType.apply(i).dataType()))
                    .toArray();
            for (int i = 0; i < fields.length; i++) {
                for (Object changed : withNulls(structType.apply(i).dataType(), fields[i])) {
                    Object[] copy = fields.clone();
                    copy[i] = changed;
                    all.add(new GenericInternalRow(copy));
                }
            }
        }
        return all;
    }
}
