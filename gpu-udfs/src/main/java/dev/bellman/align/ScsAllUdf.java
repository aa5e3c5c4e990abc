package dev.bellman.align;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.api.java.UDF1;
import scala.collection.Seq;

/** {@code scs_all(strings)}, on the CPU alone. Its cells are those of the tables of every two strings. */
public final class ScsAllUdf implements UDF1<Seq<String>, String> {
    private static final long serialVersionUID = 1L;

    private final SupersequenceOfAll.Strategy strategy;
    private final FunctionOptions options;

    public ScsAllUdf(SupersequenceOfAll.Strategy strategy, FunctionOptions options) {
        this.strategy = strategy;
        this.options = options;
    }

    @Override
    public String call(Seq<String> strings) {
        return strings == null ? null : options.answer(() -> answer(strings));
    }

    private String answer(Seq<String> strings) {
        List<String> values = new ArrayList<>();
        long characters = 0;
        long cells = 0;
        for (int i = 0; i < strings.length(); i++) {
            String value = strings.apply(i);
            if (value == null) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INPUT_VALUE,
                        ("scs_all: entry %d of strings (counted from 1) is NULL; every entry must be a string. Correct the row, "
                                        + "or use try_scs_all, which returns NULL")
                                .formatted(i + 1));
            }
            values.add(value);
            long length = value.codePointCount(0, value.length());
            cells += characters * length;
            characters += length;
        }
        options.cells().add(cells);
        return SupersequenceOfAll.of(values, strategy);
    }
}
