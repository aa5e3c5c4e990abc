package dev.bellman.job.spec;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.NamedFiles;
import dev.bellman.job.terminal.Failures;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.apache.spark.deploy.SparkHadoopUtil;

/** Reads a small text file from a local path or a Hadoop path ({@code s3a://...}). */
final class TextFile {
    private TextFile() {}

    /**
     * Reads a file; fails for a pipe or a device.
     *
     * @param hint advice on how to fix the error if the file does not exist
     */
    static String read(String path, String what, String hint) {
        return read(path, what, hint, false);
    }

    /** Reads a file, or a pipe such as {@code /dev/stdin}, to its end. */
    static String readOrAwait(String path, String what, String hint) {
        return read(path, what, hint, true);
    }

    private static String read(String path, String what, String hint, boolean mayBePipe) {
        try {
            if (!path.contains("://")) {
                Path file = Path.of(path);
                if (!mayBePipe) {
                    NamedFiles.mustBeRegular(file);
                }
                return decoded(path, what, Files.readAllBytes(file));
            }
            var location = new org.apache.hadoop.fs.Path(path);
            try (InputStream stream =
                    NamedFiles.open(location.getFileSystem(SparkHadoopUtil.get().conf()), location)) {
                return decoded(path, what, stream.readAllBytes());
            }
        } catch (NoSuchFileException | FileNotFoundException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE, "the %s %s does not exist%s".formatted(what, path, hint), e);
        } catch (IOException | IllegalArgumentException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE, "cannot read the %s %s: %s".formatted(what, path, Failures.line(e)), e);
        }
    }

    private static String decoded(String path, String what, byte[] bytes) {
        String problem = "is not UTF-8; save it as UTF-8";
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            int nul = text.indexOf('\0');
            if (nul < 0) {
                return text.startsWith("\ufeff") ? text.substring(1) : text;
            }
            problem = "contains a NUL character in line %,d; remove it"
                    .formatted(1
                            + text.chars()
                                    .limit(nul)
                                    .filter(each -> each == '\n')
                                    .count());
        } catch (CharacterCodingException e) {
            // this error is reported below
        }
        if (bytes.length > 1 && (bytes[0] == 0 || bytes[1] == 0 || (bytes[0] & 0xfe) == 0xfe)) {
            problem = "is not UTF-8 and looks like UTF-16; save it as UTF-8";
        }
        throw new BellmanException(ErrorCode.BELLMAN_JOB_FILE, "the %s %s %s".formatted(what, path, problem));
    }
}
