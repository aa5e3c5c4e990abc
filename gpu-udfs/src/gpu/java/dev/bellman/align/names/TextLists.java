package dev.bellman.align.names;

import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Types;

/** A column of lists of strings, in the layout of {@code TextLists} in {@code align/names/matching.cu}. */
record TextLists(long offsets, long textOffsets, long bytes, long validity) {
    static TextLists of(Batch batch, int argument) {
        DeviceColumn lists = batch.column(argument, Types.list(Types.STRING));
        DeviceColumn texts = lists.elements();
        return new TextLists(lists.offsets(), texts.offsets(), texts.values(), texts.validity());
    }
}
