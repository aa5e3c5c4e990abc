package dev.bellman.job.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/**
 * An output that is written in parts; finished parts survive an interruption of the run. The parts are written to the
 * staging folder of a {@link StagedOutput}, which the commit turns into the output.
 *
 * <ul>
 *   <li>{@code _bellman/parts.json} (the manifest) records the fingerprint of the rows and the number of parts.
 *   <li>A part is written to {@code _bellman/part-<k>}. When a part is complete, {@code _bellman/parts/<k>.json}, which
 *       lists its files, marks it as finished.
 *   <li>Then the run moves these files to their final paths. After an interruption, a later run moves any files
 *       that are still in the folder of a finished part.
 *   <li>Before the commit, the run deletes the manifest and then the lists. Later runs discard a folder without a
 *       manifest.
 * </ul>
 */
public final class PartedOutput {
    private static final String MANIFEST = OutputNames.OWN_FOLDER + "/parts.json";
    static final String FINISHED = OutputNames.OWN_FOLDER + "/parts";
    private static final String PART = OutputNames.OWN_FOLDER + "/part-";

    /** The fingerprint of the rows, and the number of parts, as stored in the manifest. */
    record Manifest(int parts, String fingerprint) {}

    /**
     * A complete part.
     *
     * @param files for each of the part's files, its name and its length in bytes
     */
    record Finished(Map<String, Long> files, Map<String, Object> summary) {}

    private final OutputFiles files;
    private final StagedOutput output;
    private final Path folder;
    private final int count;
    private final Map<Integer, Finished> finished = new TreeMap<>();

    private PartedOutput(StagedOutput output, int count) {
        this.output = output;
        this.files = output.files();
        this.folder = new Path(output.folder());
        this.count = count;
    }

    /**
     * Begins an output that has this many parts, or continues it.
     *
     * @param fingerprint identifies everything on which the result depends; the run fails if the existing parts have a
     *     different one
     * @param notes receives notes about existing parts
     * @throws BellmanException {@link ErrorCode#BELLMAN_JOB_FILE} if the existing parts belong to a different result
     */
    public static PartedOutput open(StagedOutput output, int count, String fingerprint, Consumer<String> notes) {
        PartedOutput opened = new PartedOutput(output, count);
        opened.io(() -> {
            opened.begin(new Manifest(count, fingerprint), notes);
            return null;
        });
        return opened;
    }

    private void begin(Manifest wanted, Consumer<String> notes) throws IOException {
        Path manifest = new Path(folder, MANIFEST);
        Optional<Manifest> found = files.read(manifest).flatMap(text -> parse(text, Manifest.class));
        if (found.isEmpty()) {
            files.deleteFolder(folder);
            files.write(manifest, text(wanted));
            return;
        }
        if (!found.get().equals(wanted)) {
            output.refuse();
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE,
                    ("the parts in %s belong to a different job, or one of the following has changed: the input, the "
                                    + "keys, the existing output, the Spark settings, or the Bellman or Spark version; "
                                    + "run without --resume to start from the beginning")
                            .formatted(folder));
        }
        for (int part = 0; part < count; part++) {
            Optional<Finished> whole = files.read(mark(part)).flatMap(text -> parse(text, Finished.class));
            if (whole.isPresent() && isThere(part, whole.get())) {
                finished.put(part, whole.get());
                move(part, whole.get());
            } else {
                if (whole.isPresent()) {
                    notes.accept("files of part %d of %d are missing or damaged, so the part is solved again"
                            .formatted(part + 1, count));
                    for (String name : whole.get().files.keySet()) {
                        files.deleteFile(new Path(folder, name));
                    }
                }
                files.deleteFile(mark(part));
                files.deleteFolder(work(part));
            }
        }
        notes.accept("%d of %d parts are already finished".formatted(finished.size(), count));
    }

    private Path mark(int part) {
        return new Path(folder, FINISHED + "/" + part + ".json");
    }

    private Path work(int part) {
        return new Path(folder, PART + part);
    }

    /** Returns the folder in which an unfinished part is written. */
    public String folder(int part) {
        return work(part).toString();
    }

    /** Returns the summary that was recorded when a part was finished; empty if the part is unfinished. */
    public Optional<Map<String, Object>> finished(int part) {
        return Optional.ofNullable(finished.get(part)).map(Finished::summary);
    }

    /** Records that a part has been written completely. From then on, the part is kept. */
    public void finish(int part, Map<String, Object> summary) {
        io(() -> {
            Map<String, Long> written = new TreeMap<>();
            for (String name : files.filesBelow(work(part))) {
                if (!name.equals("_SUCCESS") && !name.endsWith("/_SUCCESS")) {
                    written.put(name, length(new Path(work(part), name)));
                }
            }
            Finished whole = new Finished(written, summary);
            files.write(mark(part), text(whole));
            finished.put(part, whole);
            move(part, whole);
            return null;
        });
    }

    /**
     * When all parts are finished, prepares the commit by making the folder look as if it had been written without
     * parts.
     */
    public void complete() {
        io(() -> {
            // later runs discard a folder without a manifest
            files.deleteFile(new Path(folder, MANIFEST));
            files.deleteFolder(new Path(folder, FINISHED));
            return null;
        });
        output.write("_SUCCESS", "");
    }

    /** Whether each file has the recorded length, in the part's folder or at its final path. */
    private boolean isThere(int part, Finished whole) throws IOException {
        for (Map.Entry<String, Long> file : whole.files.entrySet()) {
            Path unmoved = new Path(work(part), file.getKey());
            long length = length(files.exists(unmoved) ? unmoved : new Path(folder, file.getKey()));
            if (length != file.getValue()) {
                return false;
            }
        }
        return true;
    }

    /** Returns the length in bytes; negative if the file does not exist. */
    private long length(Path path) throws IOException {
        return files.status(path).map(FileStatus::getLen).orElse(-1L);
    }

    private void move(int part, Finished whole) throws IOException {
        for (String name : whole.files.keySet()) {
            Path from = new Path(work(part), name);
            if (files.exists(from)) {
                Path to = new Path(folder, name);
                files.makeFolder(to.getParent());
                files.moveFile(from, to);
            }
        }
        files.deleteFolder(work(part));
    }

    private interface Work<T> {
        T run() throws IOException;
    }

    private <T> T io(Work<T> work) {
        try {
            return work.run();
        } catch (IOException e) {
            throw WriteFailures.cannotWrite(output.display(), e);
        }
    }

    private static String text(Object value) {
        try {
            return new ObjectMapper().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Parses a file; empty if the file is incomplete because its run was interrupted while writing it. */
    private static <T> Optional<T> parse(String text, Class<T> type) {
        try {
            return Optional.of(new ObjectMapper().readValue(text, type));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }
}
