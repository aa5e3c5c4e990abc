package dev.bellman.job.output;

import java.io.IOException;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The location to which a path leads: qualified, and with symbolic links (of local file systems) and mounts (of
 * {@code viewfs}) resolved. If the path does not exist, its nearest existing parent folder is resolved.
 *
 * @param given the path as specified, but qualified
 */
record OutputPath(FileSystem fileSystem, Path given, Path path) {
    /** Resolves a path that is not a pattern. */
    static OutputPath of(String text, Configuration configuration) throws IOException {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == '/') {
            end--;
        }
        Path path = new Path(end == 0 ? text : text.substring(0, end));
        FileSystem fileSystem = path.getFileSystem(configuration);
        return of(fileSystem, fileSystem.makeQualified(path), configuration);
    }

    /** Resolves the path of an output; fails with an output error if this is impossible. */
    static OutputPath ofOutput(String text, Configuration configuration) {
        try {
            return of(text, configuration);
        } catch (IOException | RuntimeException e) {
            throw WriteFailures.cannotWrite(text, e);
        }
    }

    static OutputPath of(FileSystem fileSystem, Path given, Configuration configuration) throws IOException {
        String scheme = given.toUri().getScheme();
        boolean local = "file".equals(scheme);
        if (!local && !"viewfs".equals(scheme)) {
            return new OutputPath(fileSystem, given, given);
        }
        Path there = given;
        String rest = "";
        while (!there.isRoot() && !fileSystem.exists(there)) {
            rest = "/" + there.getName() + rest;
            there = there.getParent();
        }
        Path resolved = local
                ? fileSystem.makeQualified(
                        new Path(OutputFiles.localPath(there).toRealPath().toString()))
                : fileSystem.resolvePath(there);
        Path path = rest.isEmpty() ? resolved : new Path(resolved, rest.substring(1));
        return new OutputPath(path.getFileSystem(configuration), given, path);
    }

    boolean isLocal() {
        return "file".equals(path.toUri().getScheme());
    }

    /** Returns the path as users write it; a local path has no scheme. */
    String display() {
        return given.toUri().getScheme().equals("file") ? given.toUri().getPath() : given.toString();
    }

    /** Whether the other path is equal to this path or inside it. */
    boolean contains(OutputPath other) {
        if (!sameStore(other)) {
            return false;
        }
        for (Path at = other.path; at != null; at = at.getParent()) {
            if (isSame(at)) {
                return true;
            }
        }
        return false;
    }

    private boolean sameStore(OutputPath other) {
        return store(path).equalsIgnoreCase(store(other.path));
    }

    /** Returns the store that contains a path. The three schemes for S3 denote the same buckets. */
    private static String store(Path path) {
        String scheme = path.toUri().getScheme();
        return (scheme.startsWith("s3") ? "s3" : scheme) + "://" + path.toUri().getAuthority();
    }

    /**
     * Compares paths by name and, if they are local, also by their identity in the file system, because a folder can be
     * mounted twice.
     */
    private boolean isSame(Path at) {
        if (path.toUri().getPath().equals(at.toUri().getPath())) {
            return true;
        }
        if (!isLocal()) {
            return false;
        }
        java.nio.file.Path one = OutputFiles.localPath(path);
        java.nio.file.Path two = OutputFiles.localPath(at);
        try {
            return Files.exists(one) && Files.exists(two) && Files.isSameFile(one, two);
        } catch (IOException e) {
            return false;
        }
    }
}
