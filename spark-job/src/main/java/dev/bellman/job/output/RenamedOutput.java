package dev.bellman.job.output;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;

/**
 * Commits by renaming a folder in a single step, as local file systems and HDFS can. The run writes to a staging folder
 * next to the output; Spark ignores this folder because of its name.
 *
 * <ul>
 *   <li>If there is no output yet, the commit consists of renaming the staging folder.
 *   <li>To replace an output, the run first renames the old output ({@code replaced}), and then the staging folder. The
 *       second rename is the commit. Between the two, there is no output; a later run that finds only the renamed
 *       output restores it. The run renames the old output to {@code discarded} before it deletes it, so that no later
 *       run restores an output that is partly deleted.
 *   <li>To append to an output, see {@link AppendJournal}.
 * </ul>
 */
final class RenamedOutput implements OutputCommit {
    private static final String STAGING = "staging";
    private static final String REPLACED = "replaced";
    private static final String DISCARDED = "discarded";

    /**
     * The suffix of a staging folder whose parts a later run may reuse. The names of other staging folders end in a
     * random id of the run.
     */
    private static final String PARTS = "parts";

    private final OutputFiles files;
    private final Path output;
    private final SaveMode mode;
    private final boolean inParts;
    private final Consumer<String> notes;
    private final Path staging;
    private final Path replaced;
    /** Whether later runs have no use for the parts, because the run was committed or discarded. */
    private boolean over;
    /** Whether this run cannot continue from the parts, because they belong to a different job. */
    private boolean refused;

    RenamedOutput(OutputFiles files, Path output, SaveMode mode, boolean inParts, Consumer<String> notes) {
        this.files = files;
        this.output = output;
        this.mode = mode;
        this.inParts = inParts;
        this.notes = notes;
        String run = inParts ? PARTS : UUID.randomUUID().toString();
        this.staging = beside(output, STAGING, run);
        this.replaced = beside(output, REPLACED, run);
    }

    private static Path beside(Path output, String purpose, String run) {
        return OutputNames.beside(output, purpose + "-" + run);
    }

    /**
     * Completes or undoes the work of an interrupted run, so that the output is either complete or absent.
     *
     * @param keepParts whether the parts of an interrupted run should be kept
     * @param notes receives a note about the interrupted run
     */
    static void recover(OutputFiles files, Path output, boolean keepParts, Consumer<String> notes) throws IOException {
        List<Path> left = OutputNames.left(files, output);
        List<Path> replaced = of(left, output, REPLACED);
        for (Path folder : replaced) {
            String run = folder.getName()
                    .substring(beside(output, REPLACED, "").getName().length());
            if (left.contains(beside(output, STAGING, run))) {
                // the interrupted run did not reach the second rename, so the folder at the output's path is not the
                // run's result
                files.deleteIfEmpty(output);
                mustBeFree(files, output, folder);
            }
        }
        if (!replaced.isEmpty() && !files.exists(output)) {
            if (replaced.size() > 1) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_OUTPUT_UNSAFE,
                        ("the output %s does not exist, but several renamed versions of it do: %s; rename the correct "
                                        + "one to %s, and delete the others")
                                .formatted(output, replaced, output.getName()));
            }
            files.moveFolder(replaced.get(0), output);
            notes.accept("restored the output %s, which an interrupted run had renamed".formatted(output));
            replaced = List.of();
        }
        for (Path folder : replaced) {
            discard(files, output, folder);
            notes.accept("removed %s, which an interrupted run had replaced".formatted(folder));
        }
        for (Path folder : of(left, output, STAGING)) {
            if (AppendJournal.undo(files, folder, output)) {
                notes.accept("removed the files that an interrupted run had begun to append to %s".formatted(output));
            }
            if (keepParts && folder.equals(beside(output, STAGING, PARTS))) {
                continue;
            }
            String parts = parts(files, folder);
            files.deleteFolder(folder);
            notes.accept("removed %s, left behind by an interrupted run%s"
                    .formatted(
                            folder,
                            parts.startsWith("0 ")
                                    ? ""
                                    : "; --resume could have reused its finished %s".formatted(parts)));
        }
        for (Path folder : of(left, output, DISCARDED)) {
            files.deleteFolder(folder);
        }
    }

    /** Whether an interrupted run left parts. */
    static boolean hasShards(OutputFiles files, Path output) throws IOException {
        return files.exists(beside(output, STAGING, PARTS));
    }

    /** Describes how many parts of a run are finished. */
    private static String parts(OutputFiles files, Path staging) throws IOException {
        int count = files.list(new Path(staging, PartedOutput.FINISHED)).size();
        return count == 1 ? "1 part" : count + " parts";
    }

    private static void mustBeFree(OutputFiles files, Path output, Path replaced) throws IOException {
        if (files.exists(output)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OUTPUT_UNSAFE,
                    ("an interrupted run renamed the output %s to %s, and then another process created %1$s; move one "
                                    + "of the two folders away")
                            .formatted(output, replaced));
        }
    }

    /**
     * Returns the paths that belong to this output, as opposed to a different output that is named
     * {@code <output>.bellman-staging-...}.
     */
    private static List<Path> of(List<Path> left, Path output, String purpose) {
        String prefix = beside(output, purpose, "").getName();
        return left.stream()
                .filter(path -> path.getName().startsWith(prefix)
                        && !path.getName().substring(prefix.length()).contains(".bellman-"))
                .toList();
    }

    private static void discard(OutputFiles files, Path output, Path folder) throws IOException {
        Path discarded = beside(output, DISCARDED, UUID.randomUUID().toString());
        files.moveFolder(folder, discarded);
        files.deleteFolder(discarded);
    }

    @Override
    public Path begin() throws IOException {
        files.makeFolder(staging);
        return staging;
    }

    @Override
    public void write(String name, String text) throws IOException {
        files.write(new Path(staging, name), text);
    }

    @Override
    public void commit() throws IOException {
        boolean exists = files.exists(output);
        if (exists && mode == SaveMode.APPEND) {
            AppendJournal.append(files, staging, output);
        } else if (exists) {
            replace();
        } else {
            files.moveFolder(staging, output);
        }
        over = true;
    }

    private void replace() throws IOException {
        files.moveFolder(output, replaced);
        files.moveFolder(staging, output);
    }

    @Override
    public void discard() {
        over = true;
    }

    @Override
    public void refuse() {
        refused = true;
    }

    @Override
    public void close() throws IOException {
        recover(files, output, inParts && !over, note -> {});
        if (inParts && !over) {
            notes.accept("kept the finished work in %s (%s)%s"
                    .formatted(
                            staging, parts(files, staging), refused ? "" : "; pass --resume to continue from there"));
        }
    }
}
