package dev.bellman.align.names;

import dev.bellman.FunctionOptions;
import dev.bellman.align.Text;
import dev.bellman.columns.ColumnarFunction;
import java.util.List;
import org.apache.spark.sql.api.java.UDF4;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code qgram_similarity(a, b, q, coefficient)}. */
final class QGramsUdf implements UDF4<UTF8String, UTF8String, Integer, UTF8String, Double>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    static final String NAME = "qgram_similarity";

    private final QGrams.Strategy strategy;
    private final FunctionOptions options;

    QGramsUdf(QGrams.Strategy strategy, FunctionOptions options) {
        this.strategy = strategy;
        this.options = options;
    }

    FunctionOptions options() {
        return options;
    }

    @Override
    public boolean hasKernel() {
        return strategy == QGrams.Strategy.AUTO;
    }

    @Override
    public Double call(UTF8String a, UTF8String b, Integer q, UTF8String coefficient) {
        if (a == null || b == null || q == null || coefficient == null) {
            return null;
        }
        return options.answer(() -> QGrams.similarity(
                Text.of(a).characters(),
                Text.of(b).characters(),
                MatchingFunctions.checkQ(NAME, q),
                MatchingFunctions.coefficient(NAME, coefficient.toString()),
                strategy));
    }

    /** The function as a {@link dev.bellman.columns.CpuFunction}. */
    Object onCpu(FunctionOptions other, List<Object> arguments) {
        return new QGramsUdf(strategy, other)
                .call(
                        (UTF8String) arguments.get(0),
                        (UTF8String) arguments.get(1),
                        (Integer) arguments.get(2),
                        (UTF8String) arguments.get(3));
    }
}
