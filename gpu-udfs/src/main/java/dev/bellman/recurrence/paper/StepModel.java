package dev.bellman.recurrence.paper;

import dev.bellman.Strategies;
import dev.bellman.columns.Cancellation;
import dev.bellman.recurrence.instance.Fold;
import dev.bellman.recurrence.instance.Instance;
import java.util.Arrays;

/**
 * Runs the parallel strategies by Matsumae and Miyazaki (2018) step by step, as the threads in their paper would. Tests
 * compare the GPU kernels with this model, which also counts the quantities that the paper analyses: steps, and threads
 * that read the same element in one step.
 */
public final class StepModel {
    /** The number of threads that share the candidates of an element in the naive strategy. */
    private static final int NAIVE_THREADS = 32;

    private final Instance instance;
    private final int[] offsets;
    private final long[] table;
    private final Fold fold;
    private final int[] readers;
    private final int[] read;
    private final Cancellation cancellation = new Cancellation();
    private int reads;
    private long steps;
    private int maxReaders;

    public StepModel(Instance instance, PaperStrategy strategy) {
        this.instance = instance;
        offsets = instance.offsets();
        table = instance.table();
        int stages = offsets.length;
        readers = new int[table.length];
        read = new int[stages];
        fold = Fold.of(instance, Math.max(stages, table.length));
        switch (strategy) {
            case TOURNAMENT -> tournament();
            case NAIVE_PARALLEL -> naive();
            case PIPELINE -> pipeline(1);
            case PIPELINE_2X2 -> pipeline(2);
            case SEQUENTIAL -> throw new IllegalArgumentException("no steps for " + Strategies.name(strategy));
        }
    }

    public long[] table() {
        return table;
    }

    public boolean overflowed() {
        return fold.overflowed();
    }

    public long steps() {
        return steps;
    }

    /**
     * Returns the maximum number of threads that read the same element at once. If such reads are serialized, the step
     * takes this many times as long.
     */
    public int maxReaders() {
        return maxReaders;
    }

    private void tournament() {
        int stages = offsets.length;
        for (int i = instance.start(); i < table.length; i++) {
            cancellation.count(stages);
            for (int j = 0; j < stages; j++) {
                candidate(j, i, j);
            }
            endStep();
            for (int distance = 1; distance < stages; distance *= 2) {
                for (int j = 0; j + distance < stages; j += 2 * distance) {
                    fold.join(j, j + distance);
                }
                steps++;
            }
            table[i] = fold.value(0);
        }
    }

    private void naive() {
        int stages = offsets.length;
        int share = (stages + NAIVE_THREADS - 1) / NAIVE_THREADS;
        for (int i = instance.start(); i < table.length; i++) {
            cancellation.count(stages);
            for (int turn = 0; turn < share; turn++) {
                for (int first = 0; first + turn < stages; first += share) {
                    if (turn == 0) {
                        candidate(first, i, first);
                    } else {
                        note(i - offsets[first + turn]);
                        fold.fold(first, table, i, offsets, first + turn, first + turn + 1);
                    }
                }
                endStep();
            }
            for (int first = share; first < stages; first += share) {
                fold.join(0, first);
                steps++;
            }
            table[i] = fold.value(0);
        }
    }

    /**
     * Runs the pipeline: thread {@code m}, counted from 0, folds {@code width} offsets, starting at index
     * {@code width * m}, into the element {@code head - m}.
     */
    private void pipeline(int width) {
        int threads = (offsets.length + width - 1) / width;
        for (int head = instance.start(); head < table.length + threads - 1; head++) {
            cancellation.count(offsets.length);
            for (int turn = 0; turn < width; turn++) {
                for (int m = 0; m < threads; m++) {
                    int i = head - m;
                    int j = width * m + turn;
                    if (i < instance.start() || i >= table.length || j >= offsets.length) {
                        continue;
                    }
                    if (j == 0) {
                        candidate(i, i, 0);
                    } else {
                        note(i - offsets[j]);
                        fold.fold(i, table, i, offsets, j, j + 1);
                    }
                    if (j == offsets.length - 1) {
                        table[i] = fold.value(i);
                    }
                }
                endStep();
            }
        }
    }

    private void candidate(int accumulator, int i, int stage) {
        note(i - offsets[stage]);
        fold.begin(accumulator, 1, table, i - offsets[stage], stage);
    }

    private void note(int element) {
        maxReaders = Math.max(maxReaders, ++readers[element]);
        read[reads++] = element;
    }

    private void endStep() {
        steps++;
        for (int element : Arrays.copyOf(read, reads)) {
            readers[element] = 0;
        }
        reads = 0;
    }
}
