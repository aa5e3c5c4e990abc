package dev.bellman.align;

import dev.bellman.entry.StrategyTraits;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * The traits of functions of two strings some of whose strategies keep the whole table, or a table indexed by
 * character: those solve pairs of at most {@link SerialTable#MAX_CELLS} cells.
 *
 * @param unlimited the strategies that solve every pair
 */
public record WholeTables<S extends Enum<S>>(Set<S> unlimited) implements StrategyTraits<S> {
    @Override
    public boolean serves(S strategy, InternalRow arguments) {
        return unlimited.contains(strategy)
                || arguments.isNullAt(0)
                || arguments.isNullAt(1)
                || (long) arguments.getUTF8String(0).numChars()
                                * arguments.getUTF8String(1).numChars()
                        <= SerialTable.MAX_CELLS;
    }
}
