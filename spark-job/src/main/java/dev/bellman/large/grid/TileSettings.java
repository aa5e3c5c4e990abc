package dev.bellman.large.grid;

import java.time.Duration;

/**
 * The settings for computing a table.
 *
 * @param folder the run's folder for panels and checkpoints. All executors must be able to access it
 * @param fingerprint identifies everything on which the table depends. Only tiles with the same fingerprint are used
 * @param parts the number of tiles per side of a large tile
 * @param memory the maximum number of bytes that tiles may occupy in each executor's memory
 * @param checkpoint the time between checkpoints; null for a twentieth of the expected time
 * @param gpu the GPUs that compute the table; null if the CPUs compute it
 */
public record TileSettings(
        String folder, String fingerprint, int parts, long memory, Duration checkpoint, TileSettings.Gpu gpu) {
    public TileSettings(String folder, String fingerprint, int parts, long memory, Duration checkpoint) {
        this(folder, fingerprint, parts, memory, checkpoint, null);
    }

    /** Returns the fingerprint stored in tile files. */
    public String ofTiles() {
        return fingerprint + "/" + parts;
    }

    /** Whether tile files belong to the same table, possibly with a different number of parts. */
    public boolean isOfSameTable(String ofTiles) {
        return ofTiles.startsWith(fingerprint + "/");
    }

    /**
     * The GPUs that compute the table: either a single GPU, or one per executor, which together hold all tiles in their
     * memory.
     *
     * @param memory the maximum number of bytes that tiles may occupy in a GPU's memory; other tiles are in pinned host
     *     memory
     * @param directory a local folder for tiles that fit in neither memory; null for Spark's folder
     * @param count the number of GPUs
     * @param panels a folder that all executors can access, for tiles that GPUs exchange in a round; null for the run's
     *     folder
     */
    public record Gpu(long memory, String directory, int count, String panels) {
        public Gpu(long memory, String directory) {
            this(memory, directory, 1, null);
        }
    }
}
