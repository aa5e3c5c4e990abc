package dev.bellman.align.names;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.ListType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceColumn;

/** A column of lists of strings, in the layout of {@code TextLists} in {@code align/names/matching.cu}. */
record TextLists(long offsets, long textOffsets, long bytes, long validity) {
    static TextLists of(Batch batch, int argument) {
        DeviceColumn lists = batch.column(argument, new ListType(true, new BasicType(true, DType.STRING)));
        DeviceColumn texts = lists.elements();
        return new TextLists(lists.offsets(), texts.offsets(), texts.values(), texts.validity());
    }
}
