package dev.bellman.large.grid;

import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileKernel;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A task on large tiles. It also identifies the data that the task reads.
 *
 * @param wave the number of the wave to which the step belongs
 * @param previous the last wave before this one that wrote to the target, or {@link #NONE}
 * @param sources the panels of other tiles, which the step reads
 */
record Step(Task task, int wave, int previous, List<Panel> sources) implements Serializable {
    /** Stands for a wave before the first one. */
    static final int NONE = -1;

    /** A tile that one step writes and other steps read. */
    record Panel(TileKernel kernel, Tile tile, int wave) implements Serializable {
        static final String FOLDER = "panels";

        /** Returns the name that the panel has in a {@link TileStore}. */
        String name() {
            return "%s/%s-%s".formatted(folder(wave), tile.row(), tile.column());
        }

        /** Returns the folder for all panels of a wave. */
        static String folder(int wave) {
            return FOLDER + "/" + wave;
        }
    }

    Panel panel() {
        return new Panel(task.kernel(), task.target(), wave);
    }

    /** Receives the steps of one wave. */
    @FunctionalInterface
    interface Waves {
        void accept(int wave, List<Step> steps);
    }

    /** Passes all steps of a table to a consumer, wave by wave. */
    static void run(LargeTiles<?> form, Waves waves) {
        Pattern pattern = form.problem().pattern();
        int[] wave = {0};
        Map<Tile, Integer> written = new HashMap<>();
        Map<Tile, Panel> panels = new HashMap<>();
        form.schedule().run(pattern, form.side(), all -> {
            List<Task> tasks =
                    all.stream().filter(task -> form.has(task.target())).toList();
            if (tasks.isEmpty()) {
                return;
            }
            List<Step> steps = new ArrayList<>(tasks.size());
            for (Task task : tasks) {
                steps.add(new Step(
                        task,
                        wave[0],
                        written.getOrDefault(task.target(), NONE),
                        // steps never read results of other steps in the same wave
                        task.sources().stream().map(panels::get).toList()));
            }
            for (Step step : steps) {
                written.put(step.task.target(), wave[0]);
                if (pattern.isRead(step.task.kernel())) {
                    panels.put(step.task.target(), step.panel());
                }
            }
            waves.accept(wave[0]++, steps);
        });
    }
}
