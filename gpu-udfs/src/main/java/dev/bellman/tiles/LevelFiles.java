package dev.bellman.tiles;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** Arrays in files of a local folder, with their checksums in memory: no other process reads them. */
final class LevelFiles {
    private final Path folder;
    private long bytesWritten;
    private long bytesRead;
    private long writing;
    private long reading;

    /** @param folder is made when the first array is written */
    LevelFiles(Path folder) {
        this.folder = folder;
    }

    private Path file(long number) {
        return folder.resolve(Long.toString(number));
    }

    /** Writes all bytes of a buffer; returns their checksum. */
    int write(long number, ByteBuffer bytes) {
        long start = System.nanoTime();
        try {
            Files.createDirectories(folder);
            try (FileChannel to = FileChannel.open(
                    file(number),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING)) {
                ByteBuffer rest = bytes.duplicate().clear();
                while (rest.hasRemaining()) {
                    to.write(rest);
                }
            }
        } catch (IOException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OUTPUT_WRITE,
                    "cannot write the tile %s: %s. Make room there, or set spark.bellman.tiles.directory to another folder; --resume continues the run"
                            .formatted(file(number), e),
                    e);
        }
        bytesWritten += bytes.capacity();
        writing += System.nanoTime() - start;
        return checksum(bytes);
    }

    /** Fills a buffer with what was written. */
    void read(long number, ByteBuffer bytes, int checksum) {
        long start = System.nanoTime();
        try (FileChannel from = FileChannel.open(file(number), StandardOpenOption.READ)) {
            ByteBuffer rest = bytes.duplicate().clear();
            while (rest.hasRemaining()) {
                if (from.read(rest) < 0) {
                    throw new EOFException("%d bytes are missing".formatted(rest.remaining()));
                }
            }
        } catch (IOException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_READ,
                    "cannot read the tile %s: %s. Once that is mended, --resume continues the run"
                            .formatted(file(number), e),
                    e);
        }
        bytesRead += bytes.capacity();
        reading += System.nanoTime() - start;
        if (checksum(bytes) != checksum) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_READ,
                    "the tile %s is damaged: its checksum is wrong. --resume continues the run from its last checkpoint"
                            .formatted(file(number)));
        }
    }

    void delete(long number) {
        try {
            Files.deleteIfExists(file(number));
        } catch (IOException e) {
            // it goes with the folder
        }
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes.duplicate().clear());
        return (int) sum.getValue();
    }

    long bytesWritten() {
        return bytesWritten;
    }

    long bytesRead() {
        return bytesRead;
    }

    double secondsWriting() {
        return writing / 1e9;
    }

    double secondsReading() {
        return reading / 1e9;
    }
}
