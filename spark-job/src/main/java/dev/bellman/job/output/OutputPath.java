package dev.bellman.job.output;

import java.io.IOException;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The target of a path: qualified, with resolved symbolic links of local file systems and mounts of {@code viewfs}. A
 * path that does not exist is resolved through its nearest existing folder.
 *
 * @param given the path as given, but qualified
 */
record OutputPath(FileSystem fileSystem, Path given, Path path) {
    /** Resolves a path, which must not be a pattern. */
    static OutputPath of(String text, Configuration configuration) throws IOException {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == '/') {
            end--;
        }
        Path path = new Path(end == 0 ? text : text.substring(0, end));
        FileSystem fileSystem = path.getFileSystem(configuration);
        return of(fileSystem, fileSystem.makeQualified(path), configuration);
    }

    /** Resolves an output's path; fails with an output error if that is impossible. */
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

    /** Returns the path as users write it, without a scheme if it is local. */
    String display() {
        return given.toUri().getScheme().equals("file") ? given.toUri().getPath() : given.toString();
    }

    /** Whether the other path equals this path or is inside it. */
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

    /** Returns the store of a path. The three schemes of S3 lead to the same buckets. */
    private static String store(Path path) {
        String scheme = path.toUri().getScheme();
        return (scheme.startsWith("s3") ? "s3" : scheme) + "://" + path.toUri().getAuthority();
    }

    /**
     * Compares paths by name or, for local files, by the file system's identity, because a folder can be mounted twice.
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
