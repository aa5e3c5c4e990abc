package dev.bellman.large.grid;

import java.time.Duration;

/**
 * The settings for computing a table.
 *
 * @param folder a folder for panels and checkpoints that all executors reach; it belongs to this run
 * @param fingerprint identifies everything that the table depends on; tiles with a different fingerprint are not used
 * @param parts tiles per side of a large tile
 * @param memory bytes of tiles that each executor keeps in memory
 * @param checkpoint the time between checkpoints; null for a twentieth of the expected time
 * @param gpu null if the CPUs compute the table
 */
public record TileSettings(
        String folder, String fingerprint, int parts, long memory, Duration checkpoint, TileSettings.Gpu gpu) {
    public TileSettings(String folder, String fingerprint, int parts, long memory, Duration checkpoint) {
        this(folder, fingerprint, parts, memory, checkpoint, null);
    }

    /** The fingerprint in files of tiles. */
    public String ofTiles() {
        return fingerprint + "/" + parts;
    }

    /** Whether files of tiles belong to the same table, possibly with a different number of parts. */
    public boolean isOfSameTable(String ofTiles) {
        return ofTiles.startsWith(fingerprint + "/");
    }

    /**
     * One GPU that computes the whole table, or several, each of one executor, that have all tiles in their memory.
     *
     * @param memory the bytes of tiles that it keeps; others are in pinned host memory
     * @param directory a local folder for tiles that fit neither; null for Spark's
     * @param count the number of GPUs
     * @param panels a folder that all executors reach, for tiles that GPUs exchange in a round; null for
     *     the folder of the run
     */
    public record Gpu(long memory, String directory, int count, String panels) {
        public Gpu(long memory, String directory) {
            this(memory, directory, 1, null);
        }
    }
}
