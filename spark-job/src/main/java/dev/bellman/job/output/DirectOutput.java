package dev.bellman.job.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;

/**
 * Commits on an object store, where a rename copies the object. Spark writes directly to the output, with the committer
 * configured for the store. The names of its files never clash with those of existing files.
 *
 * <ul>
 *   <li>First, the run writes a journal next to the output, which lists the existing files. A later run that finds a
 *       journal removes all files that the journal does not list and that a run may have written.
 *   <li>The commit is another object next to the output. It contains the report and the names of files to delete, such
 *       as the old files of a replaced output. A later run that finds a commit completes it.
 *   <li>The run deletes the old report and {@code _SUCCESS} before Spark writes, and writes the new report last, so an
 *       output that has a report is complete.
 * </ul>
 */
final class DirectOutput implements OutputCommit {
    /**
     * The contents of a journal or of a commit.
     *
     * @param files the files to keep (in a journal) or to delete (in a commit)
     * @param reports small files that are written afterwards, keyed by name
     */
    record Step(List<String> files, Map<String, String> reports) {}

    private final OutputFiles files;
    private final Path output;
    private final SaveMode mode;
    private final Map<String, String> reports = new LinkedHashMap<>();
    private final List<String> before = new ArrayList<>();

    DirectOutput(OutputFiles files, Path output, SaveMode mode) {
        this.files = files;
        this.output = output;
        this.mode = mode;
    }

    @Override
    public Path begin() throws IOException {
        Map<String, String> marks = new LinkedHashMap<>();
        for (String name : files.filesBelow(output)) {
            if (OutputNames.isMark(name)) {
                marks.put(name, files.read(new Path(output, name)).orElse(""));
            } else {
                before.add(name);
            }
        }
        write(files, journal(output), new Step(before, marks));
        for (String mark : marks.keySet()) {
            files.deleteFile(new Path(output, mark));
        }
        return output;
    }

    @Override
    public void write(String name, String text) {
        reports.put(name, text);
    }

    @Override
    public void commit() throws IOException {
        Step commit = new Step(mode.overwrites() ? before : List.of(), reports);
        try {
            write(files, commit(output), commit);
        } catch (IOException e) {
            if (!read(files, commit(output)).equals(Optional.of(commit))) {
                throw e;
            }
        }
        try {
            finish(files, output, commit);
        } catch (IOException e) {
            // the commit has already happened, so completing it can safely be tried again
            finish(files, output, commit);
        }
    }

    private static void finish(OutputFiles files, Path output, Step commit) throws IOException {
        for (String name : commit.files) {
            files.deleteFile(new Path(output, name));
        }
        writeReports(files, output, commit);
        files.deleteFile(journal(output));
        files.deleteFile(commit(output));
    }

    private static void undo(OutputFiles files, Path output, Step journal) throws IOException {
        Set<String> kept = new HashSet<>(journal.files);
        for (String name : files.filesBelow(output)) {
            // a file that neither Spark nor Bellman can have written was added by another program, so keep it
            if (!kept.contains(name) && OutputRules.mayBeWritten(name)) {
                files.deleteFile(new Path(output, name));
            }
        }
        if (files.filesBelow(output).isEmpty() && journal.files.isEmpty() && journal.reports.isEmpty()) {
            files.deleteFolder(output);
        }
        writeReports(files, output, journal);
    }

    private static void writeReports(OutputFiles files, Path output, Step step) throws IOException {
        for (Map.Entry<String, String> report : step.reports.entrySet()) {
            files.write(new Path(output, report.getKey()), report.getValue());
        }
    }

    /**
     * Completes or undoes the work of an interrupted run.
     *
     * @param notes receives a note about the interrupted run
     */
    static void recover(OutputFiles files, Path output, Consumer<String> notes) throws IOException {
        Optional<Step> commit = read(files, commit(output));
        if (commit.isPresent()) {
            finish(files, output, commit.get());
            notes.accept("completed the commit of %s, which an interrupted run had started".formatted(output));
            return;
        }
        Optional<Step> journal = read(files, journal(output));
        if (journal.isPresent()) {
            undo(files, output, journal.get());
            notes.accept("removed the files of an interrupted run from %s".formatted(output));
        }
        // if the commit is incomplete, the run was interrupted while it wrote the commit
        files.deleteFile(commit(output));
        files.deleteFile(journal(output));
    }

    private static Path journal(Path output) {
        return OutputNames.beside(output, "journal");
    }

    private static Path commit(Path output) {
        return OutputNames.beside(output, "commit");
    }

    private static void write(OutputFiles files, Path path, Step step) throws IOException {
        try {
            files.write(path, new ObjectMapper().writeValueAsString(step));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Optional<Step> read(OutputFiles files, Path path) throws IOException {
        return files.read(path).flatMap(text -> {
            try {
                return Optional.of(new ObjectMapper().readValue(text, Step.class));
            } catch (JsonProcessingException e) {
                return Optional.empty();
            }
        });
    }

    @Override
    public void close() throws IOException {
        recover(files, output, note -> {});
    }
}
