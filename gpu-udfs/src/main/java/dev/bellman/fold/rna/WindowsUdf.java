package dev.bellman.fold.rna;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.TaskMemory;
import dev.bellman.fold.Bases;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.api.java.UDF4;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code rna_fold_windows(seq, window, step)}, and with {@code options}. */
final class WindowsUdf
        implements UDF3<UTF8String, Integer, Integer, Row[]>, UDF4<UTF8String, Integer, Integer, UTF8String, Row[]> {
    private static final long serialVersionUID = 1L;

    static final StructType WINDOW = new StructType()
            .add("begin", DataTypes.IntegerType, false)
            .add("end", DataTypes.IntegerType, false)
            .add("energy", DataTypes.DoubleType, false)
            .add("structure", DataTypes.StringType, false);

    private static final String FUNCTION = "rna_fold_windows";

    private final RnaFold.Strategy strategy;
    private final FunctionOptions options;

    WindowsUdf(RnaFold.Strategy strategy, FunctionOptions options) {
        this.strategy = strategy;
        this.options = options;
    }

    @Override
    public Row[] call(UTF8String seq, Integer window, Integer step) {
        return call(seq, window, step, UTF8String.EMPTY_UTF8);
    }

    @Override
    public Row[] call(UTF8String seq, Integer window, Integer step, UTF8String how) {
        return seq == null || window == null || step == null || how == null
                ? null
                : options.answer(() -> {
                    RnaWindows.checkSize(FUNCTION, "window", window);
                    RnaWindows.checkSize(FUNCTION, "step", step);
                    FoldOptions parsed = FoldOptions.of(FUNCTION, how.toString());
                    byte[] bases = Bases.of(FUNCTION, "seq", TaskMemory.bytesOf(seq));
                    Row[] rows = RnaWindows.fold(FUNCTION, bases, window, step, parsed, strategy).stream()
                            .map(WindowsUdf::row)
                            .toArray(Row[]::new);
                    options.cells().add((long) bases.length * Math.min(bases.length, window));
                    return rows;
                });
    }

    private static Row row(RnaWindows.Window window) {
        return RowFactory.create(
                window.begin(),
                window.end(),
                window.energy() / RnaUdf.UNIT,
                UTF8String.fromBytes(window.structure()).toString());
    }
}
