package dev.bellman.large.file;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.text.Codec;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringTokenizer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** Reads the lines of a file of numbers, which may be compressed, and keeps track of the current position. */
final class NumberLines implements AutoCloseable {
    private final BufferedReader reader;
    private final Path path;
    private String line;
    private long number;

    private NumberLines(BufferedReader reader, Path path) {
        this.reader = reader;
        this.path = path;
    }

    /** @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_READ} if the file cannot be read */
    static NumberLines open(Configuration configuration, Path path) {
        Optional<Codec> codec = Codec.of(path.getName());
        try {
            InputStream file = path.getFileSystem(configuration).open(path);
            try {
                InputStream text = codec.isPresent() ? codec.get().open(file) : file;
                return new NumberLines(new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8)), path);
            } catch (IOException e) {
                file.close();
                throw e;
            }
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    private static BellmanException unreadable(Path path, IOException failure) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_READ,
                "cannot read the input %s: %s"
                        .formatted(path, failure instanceof EOFException ? "it is truncated" : failure.getMessage()),
                failure);
    }

    /** Reads the next line. Returns false at the end of the file. */
    boolean next() {
        number++;
        try {
            line = reader.readLine();
        } catch (IOException e) {
            throw unreadable(path, e);
        }
        return line != null;
    }

    String line() {
        return line;
    }

    List<String> words() {
        List<String> words = new ArrayList<>();
        for (StringTokenizer tokens = new StringTokenizer(line); tokens.hasMoreTokens(); ) {
            words.add(tokens.nextToken());
        }
        return words;
    }

    BellmanException malformed(String message) {
        return new BellmanException(ErrorCode.BELLMAN_INPUT_FORMAT, place(message));
    }

    /** Adds the position of the current line to a message. */
    String place(String message) {
        return "%s, line %d: %s".formatted(path, number, message);
    }

    long whole(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw malformed("found '%s'; expected a whole number from -2^63 to 2^63 - 1".formatted(text));
        }
    }

    /** Parses a count of elements. */
    int count(String text) {
        long count = whole(text);
        if (count < 0 || count > Integer.MAX_VALUE / 2) {
            throw malformed("the count is %s; it must be from 0 to %d".formatted(text, Integer.MAX_VALUE / 2));
        }
        return (int) count;
    }

    /** Parses an index, which is counted from 1 in the file, and returns the index counted from 0. */
    int index(String what, String text, int count) {
        long index = whole(text);
        if (index < 1 || index > count) {
            throw malformed("the %s is %s; it must be from 1 to %d".formatted(what, text, count));
        }
        return (int) index - 1;
    }

    /** Parses a number; returns NaN for any other text. */
    static double real(String text) {
        // Java would also parse 2f, 2d and 0x1p1
        if (text.chars().anyMatch(letter -> "+-.0123456789eE".indexOf(letter) < 0)) {
            return Double.NaN;
        }
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    @Override
    public void close() {
        try {
            reader.close();
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }
}
