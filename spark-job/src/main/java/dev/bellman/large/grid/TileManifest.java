package dev.bellman.large.grid;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * Records which part of a table is finished. A {@link TileRun} commits the waves of a job by replacing this record.
 *
 * @param fingerprint identifies everything on which the contents of tile files depend
 * @param done the last wave that has finished, counted from 0, or {@link Step#NONE}
 * @param checkpoint the last wave after which there is a checkpoint, or {@link Step#NONE}
 */
public record TileManifest(String fingerprint, int done, int checkpoint) {
    private static final String NAME = "manifest";
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Reads the manifest of a run. If there is none, returns a manifest without finished waves.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_JOB_FILE} if the manifest belongs to a different table
     */
    static TileManifest read(TileStore store, TileSettings settings) {
        if (!store.exists(NAME)) {
            // files without a manifest may belong to a different table
            store.delete(Step.Panel.FOLDER);
            store.delete(TileWorker.CHECKPOINTS);
            return new TileManifest(settings.ofTiles(), Step.NONE, Step.NONE);
        }
        TileManifest found = read(store, settings.folder());
        if (!found.fingerprint.equals(settings.ofTiles())) {
            throw otherTable(settings.folder());
        }
        return found;
    }

    private static TileManifest read(TileStore store, String folder) {
        try {
            return JSON.readValue(store.read(NAME).array(), TileManifest.class);
        } catch (IOException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_READ,
                    ("cannot read the manifest of the tiles in %s: %s; run without --resume to start "
                                    + "from the beginning")
                            .formatted(folder, e.getMessage()),
                    e);
        }
    }

    /** Returns the error for tiles whose fingerprint is not that of the run. */
    public static BellmanException otherTable(String folder) {
        return new BellmanException(
                ErrorCode.BELLMAN_JOB_FILE,
                ("the tiles in %s belong to a different job, or one of the following has changed: the input, the "
                                + "parameters, the tile size, the Spark settings, or the Bellman or Spark version; run "
                                + "without --resume to start from the beginning")
                        .formatted(folder));
    }

    /** Fails if the manifest has been deleted, because the files to which it refers have probably been deleted, too. */
    static void mustBeIn(TileStore store, String folder) {
        if (!store.exists(NAME)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OUTPUT_WRITE,
                    "%s was deleted while the run computed the tiles in this folder; run the job again"
                            .formatted(new Path(folder, NAME)));
        }
    }

    void write(TileStore store) {
        try {
            store.replace(NAME, ByteBuffer.wrap(JSON.writeValueAsString(this).getBytes(StandardCharsets.UTF_8)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Returns {@link TileSettings#parts} of an interrupted run; empty unless that run computed the same table.
     *
     * @param folder as in {@link TileSettings}, like {@code fingerprint}
     */
    public static Optional<Integer> parts(String folder, String fingerprint, Configuration hadoop) {
        TileStore store = new TileStore(folder, hadoop);
        if (!store.exists(NAME)) {
            return Optional.empty();
        }
        String ofTiles = read(store, folder).fingerprint;
        int parts = Integer.parseInt(ofTiles.substring(ofTiles.lastIndexOf('/') + 1));
        return Optional.of(parts).filter(any -> ofTiles.equals(fingerprint + "/" + any));
    }
}
