package dev.bellman.large.grid;

import java.time.Duration;

/**
 * Where and how a table is computed.
 *
 * @param folder a folder for panels and checkpoints that all executors reach; it belongs to this run
 * @param fingerprint what the table depends on: tiles with another fingerprint are not used
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

    /** Whether files of tiles are of the same table, maybe in other parts. */
    public boolean isOfSameTable(String ofTiles) {
        return ofTiles.startsWith(fingerprint + "/");
    }

    /**
     * One GPU, of one executor, that computes the whole table; or several, of an executor each, that have all tiles in
     * their memory.
     *
     * @param memory bytes of tiles that it keeps; others are in pinned memory of its host
     * @param directory a local folder for tiles that both have no memory for; null for Spark's
     * @param count of the GPUs
     * @param panels a folder that all executors reach, for what one GPU computes and others read in a round; null for
     *     the folder of the run
     */
    public record Gpu(long memory, String directory, int count, String panels) {
        public Gpu(long memory, String directory) {
            this(memory, directory, 1, null);
        }
    }
}
