package dev.bellman.large.grid;

import java.time.Duration;

/**
 * The settings with which a table is computed.
 *
 * @param folder the folder of the run, for panels and checkpoints; all executors must have access to it
 * @param fingerprint identifies everything on which the table depends; only tiles that have the same fingerprint are
 *     used
 * @param parts the number of tiles on each side of a large tile
 * @param memory the maximum number of bytes that tiles may occupy in the memory of each executor
 * @param checkpoint the time between two checkpoints; null to derive it from the expected duration of the run
 * @param gpu the GPUs that compute the table; null if CPUs compute it
 */
public record TileSettings(
        String folder, String fingerprint, int parts, long memory, Duration checkpoint, TileSettings.Gpu gpu) {
    public TileSettings(String folder, String fingerprint, int parts, long memory, Duration checkpoint) {
        this(folder, fingerprint, parts, memory, checkpoint, null);
    }

    /** Returns the fingerprint that is stored together with tiles. */
    public String ofTiles() {
        return fingerprint + "/" + parts;
    }

    /**
     * Whether tiles that were stored with this fingerprint belong to the same table; the number of parts may differ.
     */
    public boolean isOfSameTable(String ofTiles) {
        return ofTiles.startsWith(fingerprint + "/");
    }

    /**
     * The GPUs that compute the table: either a single GPU, or one GPU per executor, where the GPUs together hold all
     * tiles in their memory.
     *
     * @param memory the maximum number of bytes that tiles may occupy in the memory of a GPU; the other tiles are in
     *     pinned host memory
     * @param directory a local folder for tiles that fit in neither of these memories; null for Spark's folder
     * @param count the number of GPUs
     * @param panels a folder for the tiles that GPUs exchange in a round, to which all executors have access; null for
     *     the run's folder
     */
    public record Gpu(long memory, String directory, int count, String panels) {
        public Gpu(long memory, String directory) {
            this(memory, directory, 1, null);
        }
    }
}
