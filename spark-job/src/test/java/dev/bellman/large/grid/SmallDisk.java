package dev.bellman.large.grid;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A small disk: a file system in memory, mounted over a folder. Tests that need such a disk are skipped if mounting is
 * not permitted.
 */
public final class SmallDisk implements AutoCloseable {
    private final Path folder;

    public SmallDisk(Path folder, int kilobytes) {
        this.folder = folder;
        Assumptions.assumeTrue(
                mount("-t", "tmpfs", "-o", "size=%dk".formatted(kilobytes), "bellman"),
                "a file system cannot be mounted here");
    }

    private boolean mount(String... options) {
        return run("mount", options);
    }

    private boolean run(String command, String... options) {
        try {
            List<String> line = new ArrayList<>(List.of(command));
            line.addAll(List.of(options));
            line.add(folder.toString());
            Process process = new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            // the command is not installed
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void remount(String options) {
        if (!mount("-o", "remount," + options)) {
            throw new IllegalStateException("cannot remount %s with %s".formatted(folder, options));
        }
    }

    public void grow() {
        remount("size=64m");
    }

    /**
     * Makes the disk read-only between two writes, because the system refuses this while a file is open for writing.
     */
    void readOnly() {
        for (int i = 0; i < 50; i++) {
            if (mount("-o", "remount,ro")) {
                return;
            }
        }
        throw new IllegalStateException("cannot remount %s read-only".formatted(folder));
    }

    void writable() {
        remount("rw");
    }

    /**
     * Unmounts the disk, even if files are open. Folders that were created on the disk are created again below it,
     * because Spark does not check whether its folders still exist.
     */
    @Override
    public void close() {
        File[] made = folder.toFile().listFiles(File::isDirectory);
        if (!run("umount", "-l")) {
            throw new IllegalStateException("cannot unmount " + folder);
        }
        for (File each : made) {
            each.mkdir();
        }
    }
}
