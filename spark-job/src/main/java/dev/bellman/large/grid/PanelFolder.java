package dev.bellman.large.grid;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * The folder for panels that are exchanged between several GPUs. All old panels are deleted, because a later attempt
 * never reads an earlier attempt's panels.
 */
final class PanelFolder {
    private final String path;
    private final boolean ofRun;
    private final Configuration hadoop;

    /** Completes when the panels have been deleted, which happens in the background. */
    private CompletableFuture<Void> deleting = CompletableFuture.completedFuture(null);

    /** Derives the folder's name from the run's folder, so that all attempts of a run use the same panels. */
    PanelFolder(TileSettings settings, Configuration hadoop) {
        this.hadoop = hadoop;
        String panels = settings.gpu().panels();
        ofRun = panels == null;
        UUID name = UUID.nameUUIDFromBytes(settings.folder().getBytes(StandardCharsets.UTF_8));
        path = ofRun ? settings.folder() : new Path(panels, "bellman-" + name).toString();
    }

    String path() {
        return path;
    }

    void deleteAll() {
        if (ofRun) {
            new TileStore(path, hadoop).delete(Step.Panel.FOLDER);
        } else {
            Path folder = new Path(path);
            new TileStore(folder.getParent().toString(), hadoop).delete(folder.getName());
        }
    }

    /** Deletes the panels that these steps read; the next wave does not wait for this. */
    void delete(List<Step> steps) {
        int[] waves = steps.stream()
                .flatMap(step -> step.sources().stream())
                .mapToInt(Step.Panel::wave)
                .distinct()
                .toArray();
        TileStore store = new TileStore(path, hadoop);
        deleting = deleting.thenRunAsync(
                () -> Arrays.stream(waves).forEach(wave -> store.delete(Step.Panel.folder(wave))));
    }

    /** Waits until all deletions have been completed. */
    void await() {
        deleting.join();
    }

    /** Cleans up after a run, whether it succeeded or failed. */
    void close() {
        deleting.handle((done, failure) -> done).join();
        deleteAll();
    }
}
