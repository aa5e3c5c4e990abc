package dev.bellman.entry;

import dev.bellman.columns.OnGpu;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A parameter of a function. Arguments of other types are cast where Spark casts implicitly.
 *
 * @param isSetting whether the value must be the same for all rows of a job, so that job files list it under {@code
 *     parameters} rather than {@code arguments}
 * @param check checks a constant argument while the query is planned, even for {@code try_} variants, and fails if the
 *     value would make every row fail. Receives the name by which the function was called, for the error message, and
 *     the value, which is never NULL
 * @param readsFile whether a given value names a file that the function would read; empty if values never name files
 * @param ifAbsent the default of an omitted argument; empty if the parameter is required
 * @param isContent returns whether a string in a job is the value itself, rather than the path of a file that contains
 *     the value; empty if the value is never read from a file
 * @param onGpu how the function's kernels take the values
 * @param collectsRows whether a call with a string instead of an array of strings is an aggregate, which collects the
 *     strings of all rows
 */
public record Parameter(
        String name,
        DataType type,
        boolean isSetting,
        BiConsumer<String, Object> check,
        Optional<Predicate<String>> readsFile,
        Optional<Default> ifAbsent,
        Optional<Predicate<String>> isContent,
        OnGpu onGpu,
        boolean collectsRows) {
    private static final BiConsumer<String, Object> NO_CHECK = (function, value) -> {};

    /**
     * The default of an optional parameter.
     *
     * @param value the value in Spark's internal form; passing it has the same effect as omitting the argument
     * @param text the default as the documentation shows it, such as {@code 2} or {@code no limit}
     */
    public record Default(Object value, String text) {
        public Default {
            Objects.requireNonNull(value, "value");
        }

        /** Returns the value in the form that Spark's {@code lit} accepts. */
        public Object plain() {
            return value instanceof UTF8String string ? string.toString() : value;
        }
    }

    public Parameter(String name, DataType type) {
        this(name, type, NO_CHECK);
    }

    /** Whether the parameter has a check for its values. */
    public boolean isChecked() {
        return check != NO_CHECK;
    }

    /** Creates a parameter whose value may differ from row to row. */
    public Parameter(String name, DataType type, BiConsumer<String, Object> check) {
        this(name, type, false, check, Optional.empty(), Optional.empty(), Optional.empty(), OnGpu.COLUMN, false);
    }

    /** Returns a parameter that must have one value for all rows of a job. */
    public static Parameter setting(String name, DataType type, BiConsumer<String, Object> check) {
        return new Parameter(
                name, type, true, check, Optional.empty(), Optional.empty(), Optional.empty(), OnGpu.COLUMN, false);
    }

    /** Returns an optional parameter whose value may differ from row to row. */
    public static Parameter optional(String name, DataType type, Object value) {
        return new Parameter(name, type).orElse(value);
    }

    /** Returns an optional copy of the parameter; the documentation shows the default value. */
    public Parameter orElse(Object value) {
        return orElse(value, value.toString());
    }

    /** Returns an optional copy of the parameter; the documentation shows this text instead of the default value. */
    public Parameter orElse(Object value, String text) {
        return new Parameter(
                name,
                type,
                isSetting,
                check,
                readsFile,
                Optional.of(new Default(value, text)),
                isContent,
                onGpu,
                collectsRows);
    }

    /** Returns a copy of the parameter that accepts file paths as values. */
    public Parameter withFiles(Predicate<String> reads) {
        return new Parameter(
                name, type, isSetting, check, Optional.of(reads), ifAbsent, isContent, onGpu, collectsRows);
    }

    /** Returns a copy of the parameter whose value a job can also read from a file. */
    public Parameter ofContent(Predicate<String> recognized) {
        return new Parameter(
                name, type, isSetting, check, readsFile, ifAbsent, Optional.of(recognized), onGpu, collectsRows);
    }

    /** Returns a copy of the parameter that kernels do not support: calls with this parameter run only on the CPU. */
    public Parameter withoutKernel() {
        return with(OnGpu.NEVER);
    }

    /**
     * Returns a copy of the parameter whose value kernels take as a part of the call. RAPIDS copies other arguments to
     * every row, and cannot do so with a large constant. Calls in which the value is not constant run on the CPU.
     */
    public Parameter constantOnGpu() {
        return with(OnGpu.CONSTANT);
    }

    /**
     * Returns a copy of the parameter whose value kernels take as a part of the call if this argument and all arguments
     * after it are constant and may become part of the call; otherwise, they take a column.
     */
    public Parameter constantOrColumnOnGpu() {
        return with(OnGpu.CONSTANT_OR_COLUMN);
    }

    private Parameter with(OnGpu support) {
        return new Parameter(name, type, isSetting, check, readsFile, ifAbsent, isContent, support, collectsRows);
    }

    /**
     * Returns a copy of the parameter, an array of strings, that accepts a string: the call is then an aggregate over
     * rows.
     */
    public Parameter collectingRows() {
        return new Parameter(name, type, isSetting, check, readsFile, ifAbsent, isContent, onGpu, true);
    }

    public boolean isOptional() {
        return ifAbsent.isPresent();
    }
}
