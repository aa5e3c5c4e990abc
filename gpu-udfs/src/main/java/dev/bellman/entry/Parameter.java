package dev.bellman.entry;

import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apache.spark.sql.types.DataType;

/**
 * A parameter of a function. Arguments of other types are cast where Spark casts implicitly.
 *
 * @param isSetting whether it is the same for all rows of a job, which lists it under {@code parameters} rather than
 *     {@code arguments}
 * @param check fails for a constant argument with which no row has an answer, also of {@code try_} variants, when the
 *     query is planned; takes the name of the function as called, for the message, and the value, which is not NULL
 * @param readsFile whether the function reads a file that a value names; empty if no value does
 */
public record Parameter(
        String name,
        DataType type,
        boolean isSetting,
        BiConsumer<String, Object> check,
        Optional<Predicate<String>> readsFile) {
    private static final BiConsumer<String, Object> NO_CHECK = (function, value) -> {};

    public Parameter(String name, DataType type) {
        this(name, type, NO_CHECK);
    }

    /** Whether any value is checked. */
    public boolean isChecked() {
        return check != NO_CHECK;
    }

    /** One that may differ from row to row. */
    public Parameter(String name, DataType type, BiConsumer<String, Object> check) {
        this(name, type, false, check, Optional.empty());
    }

    /** One that is the same for all rows of a job. */
    public static Parameter setting(String name, DataType type, BiConsumer<String, Object> check) {
        return new Parameter(name, type, true, check, Optional.empty());
    }

    /** The same parameter, some of whose values name a file. */
    public Parameter withFiles(Predicate<String> reads) {
        return new Parameter(name, type, isSetting, check, Optional.of(reads));
    }
}
