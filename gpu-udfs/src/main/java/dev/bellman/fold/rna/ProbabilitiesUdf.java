package dev.bellman.fold.rna;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import dev.bellman.columns.TaskMemory;
import dev.bellman.fold.Bases;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The functions of a sequence and a number that use the probabilities of its pairs: {@code rna_pair_probabilities(seq,
 * min_probability)} and {@code mea_structure(seq, gamma)}, and each with {@code options}.
 */
class ProbabilitiesUdf<R> implements UDF2<UTF8String, Double, R>, UDF3<UTF8String, Double, UTF8String, R> {
    private static final long serialVersionUID = 1L;

    static final StructType PAIR = new StructType()
            .add("i", DataTypes.IntegerType, false)
            .add("j", DataTypes.IntegerType, false)
            .add("p", DataTypes.DoubleType, false);

    /** A pair in a list of objects and in a Spark row. */
    private static final int BYTES_OF_A_PAIR = 150;

    private static final String PROBABILITIES = "rna_pair_probabilities";
    private static final String ACCURATE = "mea_structure";

    private interface Result<R> extends Serializable {
        R of(PairProbabilities probabilities, double number);
    }

    private interface Check extends Serializable {
        void check(String function, double number);
    }

    private final String function;
    private final Check check;
    private final Result<R> result;
    private final RnaFold.Strategy strategy;
    private final FunctionOptions options;

    private ProbabilitiesUdf(
            String function, Check check, Result<R> result, RnaFold.Strategy strategy, FunctionOptions options) {
        this.function = function;
        this.check = check;
        this.result = result;
        this.strategy = strategy;
        this.options = options;
    }

    static Pairs pairs(RnaFold.Strategy strategy, FunctionOptions options) {
        return new Pairs(strategy, options);
    }

    static ProbabilitiesUdf<UTF8String> mostAccurate(RnaFold.Strategy strategy, FunctionOptions options) {
        return new ProbabilitiesUdf<>(
                ACCURATE,
                ProbabilitiesUdf::checkGamma,
                (probabilities, gamma) -> UTF8String.fromBytes(probabilities.mostAccurate(gamma)),
                strategy,
                options);
    }

    private static Row[] pairs(PairProbabilities probabilities, double least) {
        List<Row> pairs = new ArrayList<>();
        for (int i = 0; i < probabilities.length(); i++) {
            int before = pairs.size();
            for (int j = i + 1; j < probabilities.length(); j++) {
                double p = probabilities.pair(i, j);
                if (p > 0 && p >= least) {
                    pairs.add(RowFactory.create(i + 1, j + 1, p));
                }
            }
            int found = pairs.size();
            TaskMemory.take(
                    PROBABILITIES,
                    (long) BYTES_OF_A_PAIR * (found - before),
                    "a larger min_probability, or ",
                    () -> "%,d pairs".formatted(found));
        }
        return pairs.toArray(Row[]::new);
    }

    /** @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if it is no probability */
    static void checkProbability(String function, double least) {
        if (!(least >= 0 && least <= 1)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    "%s: min_probability is %s; a probability is from 0 to 1, such as 0.01".formatted(function, least));
        }
    }

    /** @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if it is no weight */
    static void checkGamma(String function, double gamma) {
        if (!(gamma >= 0 && gamma <= 1e6)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    ("%s: gamma is %s; the weight of pairs is from 0 to 1000000, 1 where pairs and unpaired bases "
                                    + "count alike")
                            .formatted(function, gamma));
        }
    }

    /** {@code rna_pair_probabilities}. */
    static final class Pairs extends ProbabilitiesUdf<Row[]> implements ColumnarFunction {
        private static final long serialVersionUID = 1L;

        private Pairs(RnaFold.Strategy strategy, FunctionOptions options) {
            super(PROBABILITIES, ProbabilitiesUdf::checkProbability, ProbabilitiesUdf::pairs, strategy, options);
        }

        String function() {
            return super.function;
        }

        FunctionOptions options() {
            return super.options;
        }

        /** The function as a {@link dev.bellman.columns.CpuFunction}. */
        Object onCpu(FunctionOptions other, List<Object> arguments) {
            Pairs udf = new Pairs(super.strategy, other);
            UTF8String seq = (UTF8String) arguments.get(0);
            Double number = (Double) arguments.get(1);
            return arguments.size() == 2 ? udf.call(seq, number) : udf.call(seq, number, (UTF8String) arguments.get(2));
        }

        @Override
        public boolean hasKernel() {
            return super.strategy != RnaFold.Strategy.ZUKER;
        }
    }

    @Override
    public final R call(UTF8String seq, Double number) {
        return call(seq, number, UTF8String.EMPTY_UTF8);
    }

    @Override
    public final R call(UTF8String seq, Double number, UTF8String how) {
        return seq == null || number == null || how == null
                ? null
                : options.answer(() -> {
                    check.check(function, number);
                    FoldOptions parsed = FoldOptions.of(function, how.toString());
                    byte[] bases = Bases.of(function, "seq", TaskMemory.bytesOf(seq));
                    int least = RnaFold.of(function, bases, parsed, strategy).energy();
                    RnaEnsemble ensemble = RnaEnsemble.of(function, bases, parsed, least);
                    R solved = result.of(PairProbabilities.of(ensemble), number);
                    options.cells().add((long) bases.length * bases.length / 2);
                    return solved;
                });
    }
}
