package dev.bellman.large.grid;

import dev.bellman.large.tiles.Tile;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * The contents of a checkpoint that is written after a wave.
 *
 * @param bySlot the stored tiles to which steps write, by slot, each with the last wave up to the checkpoint that wrote
 *     to it, or {@link Step#NONE}
 * @param needed the waves whose panels are read by later steps
 */
record Checkpoint(Map<Integer, List<TileWorker.Saved>> bySlot, BitSet needed) {
    /** @param rows whether the tiles in a row of large tiles are stored */
    static Checkpoint after(int wave, LargeTiles<?> form, Slots slots, IntPredicate rows) {
        Map<Tile, Integer> written = new LinkedHashMap<>();
        BitSet needed = new BitSet();
        Step.run(form, (number, steps) -> {
            for (Step step : steps) {
                if (number <= wave) {
                    written.put(step.task().target(), number);
                } else {
                    step.sources().forEach(panel -> needed.set(panel.wave()));
                    written.putIfAbsent(step.task().target(), Step.NONE);
                }
            }
        });
        Map<Integer, List<TileWorker.Saved>> bySlot = new LinkedHashMap<>();
        written.forEach((tile, last) -> {
            if (rows.test(tile.row())) {
                bySlot.computeIfAbsent(slots.of(tile), slot -> new ArrayList<>())
                        .add(new TileWorker.Saved(tile, last));
            }
        });
        return new Checkpoint(bySlot, needed);
    }
}
