package dev.bellman.fold;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import dev.bellman.columns.TaskMemory;
import java.io.Serializable;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code max_base_pairs(seq)} and {@code max_base_pairs_structure(seq)}, and both with {@code min_loop}. */
public final class BasePairsUdf<R> implements UDF1<UTF8String, R>, UDF2<UTF8String, Integer, R>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    private interface Result<R> extends Function<BasePairs, R>, Serializable {}

    private final String function;
    private final Result<R> result;
    private final BasePairs.Strategy strategy;
    final FunctionOptions options;

    private BasePairsUdf(String function, Result<R> result, BasePairs.Strategy strategy, FunctionOptions options) {
        this.function = function;
        this.result = result;
        this.strategy = strategy;
        this.options = options;
    }

    static BasePairsUdf<Integer> count(BasePairs.Strategy strategy, FunctionOptions options) {
        return new BasePairsUdf<>("max_base_pairs", BasePairs::count, strategy, options);
    }

    static BasePairsUdf<UTF8String> structure(BasePairs.Strategy strategy, FunctionOptions options) {
        return new BasePairsUdf<>(
                "max_base_pairs_structure", table -> UTF8String.fromBytes(table.structure()), strategy, options);
    }

    @Override
    public R call(UTF8String seq) {
        return call(seq, BasePairs.MIN_LOOP);
    }

    @Override
    public R call(UTF8String seq, Integer minLoop) {
        return seq == null || minLoop == null
                ? null
                : options.answer(() -> {
                    checkMinLoop(function, minLoop);
                    byte[] bases = Bases.of(function, "seq", TaskMemory.bytesOf(seq));
                    R solved = result.apply(BasePairs.of(function, bases, minLoop, strategy));
                    options.cells().add((long) bases.length * bases.length / 2);
                    return solved;
                });
    }

    /** The function as a {@link dev.bellman.columns.CpuFunction}. */
    Object onCpu(FunctionOptions other, List<Object> arguments) {
        BasePairsUdf<R> udf = new BasePairsUdf<>(function, result, strategy, other);
        UTF8String seq = (UTF8String) arguments.get(0);
        return arguments.size() == 1 ? udf.call(seq) : udf.call(seq, (Integer) arguments.get(1));
    }

    @Override
    public boolean hasKernel() {
        return strategy != BasePairs.Strategy.SERIAL;
    }

    /** @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if it is negative */
    static void checkMinLoop(String function, int minLoop) {
        if (minLoop < 0) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    ("%s: min_loop is %d; the number of bases between the two of a pair is at least 0. Use 3, which "
                                    + "chains of RNA need, or 0 for any pair")
                            .formatted(function, minLoop));
        }
    }
}
