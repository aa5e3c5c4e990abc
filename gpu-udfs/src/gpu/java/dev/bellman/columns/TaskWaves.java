package dev.bellman.columns;

import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Launches kernels for the tasks of a schedule, one wave after another. The task descriptions for many waves are copied
 * to the GPU together.
 */
public final class TaskWaves {
    /** Launches a kernel for several tasks, given the address of their descriptions. */
    @FunctionalInterface
    public interface Launch {
        void run(int tasks, long descriptions);
    }

    private static final int MAX_INTS = 3 << 20;

    private record Wave(Launch launch, int tasks) {}

    private final int intsOfTask;
    private final DeviceMemoryBuffer descriptions;
    private final int[] waiting;
    private final List<Wave> waves = new ArrayList<>();
    private int ints;
    private int tasksOfWave;

    /** @param intsOfTask the number of ints in each task's description */
    public TaskWaves(Scratch scratch, int intsOfTask) {
        this.intsOfTask = intsOfTask;
        waiting = new int[MAX_INTS / intsOfTask * intsOfTask];
        descriptions = scratch.allocateInts(waiting.length);
    }

    /**
     * Adds a task to the current wave. If the descriptions fill the memory, launches all of them, including the first
     * part of the current wave.
     */
    public void add(Launch launch, int... description) {
        System.arraycopy(description, 0, waiting, ints, intsOfTask);
        ints += intsOfTask;
        tasksOfWave++;
        if (ints == waiting.length) {
            endWave(launch);
            launch();
        }
    }

    /** Ends the wave. */
    public void endWave(Launch launch) {
        if (tasksOfWave > 0) {
            waves.add(new Wave(launch, tasksOfWave));
            tasksOfWave = 0;
        }
    }

    /** Launches the waves that are complete. */
    public void launch() {
        if (waves.isEmpty()) {
            return;
        }
        try (HostMemoryBuffer host = HostMemoryBuffer.allocate((long) Integer.BYTES * ints)) {
            host.setInts(0, waiting, 0, ints);
            descriptions.copyFromHostBuffer(host, 0, (long) Integer.BYTES * ints);
        }
        long first = descriptions.getAddress();
        for (Wave wave : waves) {
            wave.launch.run(wave.tasks, first);
            first += (long) Integer.BYTES * intsOfTask * wave.tasks;
        }
        waves.clear();
        ints = 0;
    }
}
