package dev.bellman.fold.rna;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.TaskMemory;
import dev.bellman.fold.Bases;
import java.io.Serializable;
import java.util.function.Function;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code rna_fold(seq)} and {@code rna_fold_energy(seq)}, and both with {@code options}. */
final class RnaFoldUdf<R> implements UDF1<UTF8String, R>, UDF2<UTF8String, UTF8String, R> {
    private static final long serialVersionUID = 1L;

    static final StructType RESULT =
            new StructType().add("energy", DataTypes.DoubleType, false).add("structure", DataTypes.StringType, false);

    /** Hundredths in a kcal/mol. */
    static final double UNIT = 100;

    private interface Result<R> extends Function<RnaFold, R>, Serializable {}

    private final String function;
    private final Result<R> result;
    private final RnaFold.Strategy strategy;
    private final FunctionOptions options;

    private RnaFoldUdf(String function, Result<R> result, RnaFold.Strategy strategy, FunctionOptions options) {
        this.function = function;
        this.result = result;
        this.strategy = strategy;
        this.options = options;
    }

    static RnaFoldUdf<Row> fold(RnaFold.Strategy strategy, FunctionOptions options) {
        return new RnaFoldUdf<>(
                "rna_fold",
                folding -> RowFactory.create(
                        folding.energy() / UNIT,
                        UTF8String.fromBytes(folding.structure()).toString()),
                strategy,
                options);
    }

    static RnaFoldUdf<Double> energy(RnaFold.Strategy strategy, FunctionOptions options) {
        return new RnaFoldUdf<>("rna_fold_energy", folding -> folding.energy() / UNIT, strategy, options);
    }

    @Override
    public R call(UTF8String seq) {
        return call(seq, UTF8String.EMPTY_UTF8);
    }

    @Override
    public R call(UTF8String seq, UTF8String how) {
        return seq == null || how == null
                ? null
                : options.answer(() -> {
                    FoldOptions parsed = FoldOptions.of(function, how.toString());
                    byte[] bases = Bases.of(function, "seq", TaskMemory.bytesOf(seq));
                    R solved = result.apply(RnaFold.of(function, bases, parsed, strategy));
                    options.cells().add((long) bases.length * bases.length / 2);
                    return solved;
                });
    }
}
