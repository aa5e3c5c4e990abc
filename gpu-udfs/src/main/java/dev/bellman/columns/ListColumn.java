package dev.bellman.columns;

import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;

/**
 * A column of lists of elements of fixed width in device memory. Row {@code i} has the elements {@code offsets[i]} up to
 * {@code offsets[i + 1]} of {@code values}. The first offset need not be zero.
 *
 * @param offsets address of {@code rows + 1} ascending int32, which count elements
 * @param validity address of the null mask of the rows, set where a row is not null; 0 if none is null
 * @param elements how many elements the column has
 * @param values address of the elements; 0 if there are none
 * @param elementValidity address of the null mask of the elements; 0 if none is null
 */
public record ListColumn(int rows, long offsets, long validity, int elements, long values, long elementValidity) {
    static ListColumn of(ColumnView column, DType element) {
        Columns.check(column, DType.LIST);
        Columns.checkOffsets(column);
        try (ColumnView child = column.getChildColumnView(0)) {
            Columns.check(child, element);
            return new ListColumn(
                    Math.toIntExact(column.getRowCount()),
                    Columns.address(column.getOffsets()),
                    Columns.address(column.getValid()),
                    Math.toIntExact(child.getRowCount()),
                    Columns.address(child.getData()),
                    Columns.address(child.getValid()));
        }
    }
}
