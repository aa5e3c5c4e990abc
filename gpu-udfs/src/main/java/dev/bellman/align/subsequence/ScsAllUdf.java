package dev.bellman.align.subsequence;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.align.Text;
import dev.bellman.align.subsequence.SupersequenceOfAll.Strategy;
import dev.bellman.columns.ColumnarFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code scs_all(strings)}. Its cells are the cells of the tables of all pairs of strings. */
public final class ScsAllUdf implements UDF1<ArrayData, UTF8String>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    final Strategy strategy;
    final FunctionOptions options;

    public ScsAllUdf(Strategy strategy, FunctionOptions options) {
        this.strategy = strategy;
        this.options = options;
    }

    @Override
    public UTF8String call(ArrayData strings) {
        if (strings == null) {
            return null;
        }
        return options.answer(() -> {
            List<Text> checked =
                    checked(strings.numElements(), i -> strings.isNullAt(i) ? null : Text.of(strings.getUTF8String(i)));
            Text all = SupersequenceOfAll.of(checked, strategy);
            options.cells().add(cells(checked));
            return UTF8String.fromBytes(all.bytes());
        });
    }

    /** Strategies without steps on two strings stay on the CPU. */
    @Override
    public boolean hasKernel() {
        return strategy == Strategy.AUTO || strategy == Strategy.PROGRESSIVE_MERGE;
    }

    /** This many strings, none of them null. */
    static List<Text> checked(int count, IntFunction<Text> string) {
        List<Text> strings = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Text text = string.apply(i);
            if (text == null) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INPUT_VALUE,
                        ("scs_all: entry %d of strings (counted from 1) is NULL; every entry must be a string. "
                                        + "Correct the row, or use try_scs_all, which returns NULL")
                                .formatted(i + 1));
            }
            strings.add(text);
        }
        return strings;
    }

    static long cells(List<Text> strings) {
        long characters = 0;
        long cells = 0;
        for (Text string : strings) {
            long length = string.length();
            cells += characters * length;
            characters += length;
        }
        return cells;
    }
}
