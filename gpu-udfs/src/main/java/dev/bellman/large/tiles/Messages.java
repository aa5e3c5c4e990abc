package dev.bellman.large.tiles;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Counts the messages of a schedule on a cluster with one node per tile, as Table 1 of Javanmard et al. (2019) does:
 * the node of a task's target runs the task and receives the other tiles that it reads. In a wave, only sequential
 * messages count: either the messages that one node receives, or the steps that broadcasting a tile to all its readers
 * takes, whichever is more. Pass an instance to {@link Schedule#run}.
 */
public final class Messages implements Consumer<List<Task>> {
    private long inSequence;

    @Override
    public void accept(List<Task> wave) {
        Map<Tile, Integer> readers = new HashMap<>();
        int most = 0;
        for (Task task : wave) {
            List<Tile> sent = task.sources().stream()
                    .distinct()
                    .filter(source -> !source.equals(task.target()))
                    .toList();
            most = Math.max(most, sent.size());
            sent.forEach(source -> readers.merge(source, 1, Integer::sum));
        }
        for (int count : readers.values()) {
            most = Math.max(most, Integer.SIZE - Integer.numberOfLeadingZeros(count));
        }
        inSequence += most;
    }

    /** Returns the number of messages on the critical path. Each message contains one tile. */
    public long inSequence() {
        return inSequence;
    }
}
