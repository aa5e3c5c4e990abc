package dev.bellman.chain;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import org.apache.spark.sql.api.java.UDF2;
import scala.collection.Seq;

/** What the functions of two lists of costs share: NULL, entries that are NULL, and rows that are not allowed. */
abstract class CostsUdf implements UDF2<Seq<?>, Seq<?>, Object>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    final String function;
    private final String firstName;
    private final String secondName;
    /** Whether the lists are of DOUBLE, and not of BIGINT. */
    final boolean doubles;

    final FunctionOptions options;

    CostsUdf(String function, String firstName, String secondName, boolean doubles, FunctionOptions options) {
        this.function = function;
        this.firstName = firstName;
        this.secondName = secondName;
        this.doubles = doubles;
        this.options = options;
    }

    abstract Object solve(long[] first, long[] second);

    abstract Object solve(double[] first, double[] second);

    /** Leaves of the parenthesization. */
    abstract int leaves(int first, int second);

    @Override
    public final Object call(Seq<?> first, Seq<?> second) {
        return first == null || second == null ? null : options.answer(() -> answer(first, second));
    }

    private Object answer(Seq<?> first, Seq<?> second) {
        Object result = doubles
                ? solve(doubles(firstName, first), doubles(secondName, second))
                : solve(longs(firstName, first), longs(secondName, second));
        options.cells().add(MatrixChain.relaxations(leaves(first.length(), second.length())));
        return result;
    }

    private long[] longs(String list, Seq<?> values) {
        long[] longs = new long[values.length()];
        for (int i = 0; i < longs.length; i++) {
            longs[i] = (Long) entry(list, values, i);
        }
        return longs;
    }

    private double[] doubles(String list, Seq<?> values) {
        double[] doubles = new double[values.length()];
        for (int i = 0; i < doubles.length; i++) {
            doubles[i] = (Double) entry(list, values, i);
        }
        return doubles;
    }

    private Object entry(String list, Seq<?> values, int index) {
        Object value = values.apply(index);
        if (value == null) {
            throw Costs.invalidEntry(function, list, index, "NULL");
        }
        return value;
    }
}
