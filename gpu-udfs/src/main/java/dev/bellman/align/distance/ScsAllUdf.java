package dev.bellman.align.distance;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.align.distance.SupersequenceOfAll.Strategy;
import dev.bellman.columns.ColumnarFunction;
import dev.bellman.columns.ColumnarKernel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** {@code scs_all(strings)}. Its cells are those of the tables of every two strings. */
public final class ScsAllUdf implements UDF1<ArrayData, String>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    final Strategy strategy;
    final FunctionOptions options;

    public ScsAllUdf(Strategy strategy, FunctionOptions options) {
        this.strategy = strategy;
        this.options = options;
    }

    @Override
    public String call(ArrayData strings) {
        if (strings == null) {
            return null;
        }
        return options.answer(() -> {
            List<String> checked = checked(strings(strings));
            String all = SupersequenceOfAll.of(checked, strategy);
            options.cells().add(cells(checked));
            return all;
        });
    }

    @Override
    public ColumnarKernel kernel() {
        return new ScsAllKernel(this);
    }

    /** Strategies without steps on two strings stay on the CPU. */
    @Override
    public boolean hasKernel() {
        return strategy == Strategy.AUTO || strategy == Strategy.PROGRESSIVE_MERGE;
    }

    private static List<String> strings(ArrayData strings) {
        return IntStream.range(0, strings.numElements())
                .mapToObj(i ->
                        strings.isNullAt(i) ? null : strings.getUTF8String(i).toString())
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** The strings, none of which is null. */
    static List<String> checked(List<String> strings) {
        for (int i = 0; i < strings.size(); i++) {
            if (strings.get(i) == null) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INPUT_VALUE,
                        ("scs_all: entry %d of strings (counted from 1) is NULL; every entry must be a string. Correct the row, "
                                        + "or use try_scs_all, which returns NULL")
                                .formatted(i + 1));
            }
        }
        return strings;
    }

    static long cells(List<String> strings) {
        long characters = 0;
        long cells = 0;
        for (String string : strings) {
            long length = string.codePointCount(0, string.length());
            cells += characters * length;
            characters += length;
        }
        return cells;
    }
}
