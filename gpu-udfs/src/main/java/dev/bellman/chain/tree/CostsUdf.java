package dev.bellman.chain.tree;

import dev.bellman.FunctionOptions;
import dev.bellman.chain.CostArithmetic;
import dev.bellman.columns.ColumnarFunction;
import java.util.List;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * The common part of the functions of two lists of costs: the handling of NULL, of NULL entries, and of invalid rows.
 */
abstract class CostsUdf implements UDF2<ArrayData, ArrayData, Object>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    final String function;
    private final String firstName;
    private final String secondName;
    /** Whether the lists are of DOUBLE rather than BIGINT. */
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

    /** The same function with other options. */
    abstract CostsUdf with(FunctionOptions other);

    /** The function as a {@link dev.bellman.columns.CpuFunction}. */
    final Object onCpu(FunctionOptions other, List<Object> arguments) {
        return with(other).call((ArrayData) arguments.get(0), (ArrayData) arguments.get(1));
    }

    /** Leaves of the parenthesization. */
    abstract int leaves(int first, int second);

    @Override
    public final Object call(ArrayData first, ArrayData second) {
        return first == null || second == null ? null : options.answer(() -> answer(first, second));
    }

    private Object answer(ArrayData first, ArrayData second) {
        Object result = doubles
                ? solve(
                        checked(firstName, first).toDoubleArray(),
                        checked(secondName, second).toDoubleArray())
                : solve(
                        checked(firstName, first).toLongArray(),
                        checked(secondName, second).toLongArray());
        options.cells().add(CostArithmetic.relaxations(leaves(first.numElements(), second.numElements())));
        return result;
    }

    /** The values, which must not be NULL. */
    private ArrayData checked(String list, ArrayData values) {
        for (int i = 0; i < values.numElements(); i++) {
            if (values.isNullAt(i)) {
                throw Costs.invalidEntry(function, list, i, "NULL");
            }
        }
        return values;
    }
}
