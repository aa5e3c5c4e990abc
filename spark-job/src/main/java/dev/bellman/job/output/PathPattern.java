package dev.bellman.job.output;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** Where a path may be a pattern, as in Spark's readers: {@code *}, {@code ?}, {@code [ab]}, {@code {a,b}}. */
public final class PathPattern {
    private static final String SPECIAL = "[\\\\{}\\[\\]*?]";

    private PathPattern() {}

    /** A pattern that matches this one path. */
    public static String literal(String path) {
        return path.replaceAll(SPECIAL, "\\\\$0");
    }

    /** The pattern that a path of an input means: what exists by that very name is meant literally. */
    public static String ofInput(String path, Configuration configuration) throws IOException {
        if (!isPattern(path)) {
            return path;
        }
        Path literal = new Path(path);
        return literal.getFileSystem(configuration).exists(literal) ? literal(path) : path;
    }

    static boolean isPattern(String path) {
        return !path.equals(literal(path));
    }
}
