package dev.bellman.job.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;

/**
 * Moves the files in a staging folder into an existing output: either all of them or none. File systems can rename one
 * file atomically, but not several, so a journal in the staging folder first records the plan. As long as the journal
 * exists, the append has not happened; a run that finds the journal {@linkplain #undo undoes} the append. Deleting the
 * journal is the commit.
 *
 * @param folders the folders that the append creates, with parents first
 * @param added the files that the output does not contain yet
 * @param replaced the output's files that describe its last run; during the append, they are kept in the staging folder
 */
record AppendJournal(List<String> folders, List<String> added, List<String> replaced) {
    private static final String NAME = "_append.json";
    private static final String KEPT = "_replaced";

    /** Moves everything in a staging folder into an output. */
    static void append(OutputFiles files, Path staging, Path output) throws IOException {
        AppendJournal journal = plan(files, staging, output);
        files.write(new Path(staging, NAME), journal.text());
        journal.move(files, staging, output);
        files.deleteFile(new Path(staging, NAME));
    }

    private static AppendJournal plan(OutputFiles files, Path staging, Path output) throws IOException {
        Set<String> there = new HashSet<>(files.filesBelow(output));
        Set<String> foldersThere = new HashSet<>();
        there.forEach(name -> foldersThere.addAll(foldersOf(name)));
        Set<String> folders = new LinkedHashSet<>();
        List<String> added = new ArrayList<>();
        List<String> replaced = new ArrayList<>();
        // move data before the files that describe it
        List<String> staged = files.filesBelow(staging).stream()
                .sorted(Comparator.comparing(OutputNames::isMark).thenComparing(Comparator.naturalOrder()))
                .toList();
        for (String name : staged) {
            if (!there.contains(name)) {
                added.add(name);
            } else if (OutputNames.isMark(name)) {
                replaced.add(name);
            } else {
                throw new IOException("%s already exists".formatted(new Path(output, name)));
            }
            folders.addAll(foldersOf(name));
        }
        folders.removeAll(foldersThere);
        return new AppendJournal(List.copyOf(folders), added, replaced);
    }

    /** Returns the folders that contain a file, outermost first. */
    private static List<String> foldersOf(String name) {
        return IntStream.range(0, name.length())
                .filter(at -> name.charAt(at) == '/')
                .mapToObj(slash -> name.substring(0, slash))
                .toList();
    }

    private void move(OutputFiles files, Path staging, Path output) throws IOException {
        for (String folder : folders) {
            files.makeFolder(new Path(output, folder));
        }
        for (String name : added) {
            files.moveFile(new Path(staging, name), new Path(output, name));
        }
        for (String name : replaced) {
            Path kept = kept(staging, name);
            files.makeFolder(kept.getParent());
            files.moveFile(new Path(output, name), kept);
            files.moveFile(new Path(staging, name), new Path(output, name));
        }
    }

    private static Path kept(Path staging, String name) {
        return new Path(new Path(staging, KEPT), name);
    }

    /**
     * Restores the state that an output had before an unfinished append. If it is interrupted, it can safely be
     * repeated.
     *
     * @return whether there was an unfinished append
     */
    static boolean undo(OutputFiles files, Path staging, Path output) throws IOException {
        Path path = new Path(staging, NAME);
        Optional<AppendJournal> journal = files.read(path).flatMap(AppendJournal::parse);
        if (journal.isEmpty()) {
            return false;
        }
        if (files.exists(output)) {
            journal.get().moveBack(files, staging, output);
        }
        files.deleteFile(path);
        return true;
    }

    private void moveBack(OutputFiles files, Path staging, Path output) throws IOException {
        for (String name : replaced) {
            Path kept = kept(staging, name);
            if (files.exists(kept)) {
                files.deleteFile(new Path(output, name));
                files.moveFile(kept, new Path(output, name));
            }
        }
        for (String name : added) {
            files.deleteFile(new Path(output, name));
        }
        for (int i = folders.size() - 1; i >= 0; i--) {
            files.deleteIfEmpty(new Path(output, folders.get(i)));
        }
    }

    private String text() {
        try {
            return new ObjectMapper().writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Parses a journal. If the journal is incomplete, the append had not begun. */
    private static Optional<AppendJournal> parse(String text) {
        try {
            return Optional.of(new ObjectMapper().readValue(text, AppendJournal.class));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }
}
