package dev.bellman.large.grid;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.output.LocalPermissions;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/**
 * Stores tiles, with checksums, in files of a folder. Each attempt writes a file under its own name, and then renames
 * the file, so that a file is either complete or absent. Unless a file is replaced, files that have the same name have
 * the same content, so it does not matter whose file is kept.
 */
public final class TileStore {
    private static final long MAGIC = 0x42454c4c54494c45L;
    /**
     * The number of bytes that are written or read at a time. For each call, Java allocates memory of this size outside
     * the heap; on many threads, allocating large memory is slower than the copy.
     */
    private static final int CHUNK = 1 << 20;

    private static final int HEADER = 2 * Long.BYTES + Integer.BYTES;

    private final Path folder;
    private final FileSystem files;
    private final Configuration hadoop;
    private final LocalPermissions permissions;

    public TileStore(String folder, Configuration hadoop) {
        this.folder = new Path(folder);
        this.hadoop = hadoop;
        permissions = new LocalPermissions(hadoop);
        try {
            FileSystem own = this.folder.getFileSystem(hadoop);
            // turns off Hadoop's checksums, because tiles have their own
            files = own instanceof LocalFileSystem local ? local.getRaw() : own;
        } catch (IOException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OUTPUT_WRITE, "cannot open the tile folder %s: %s".formatted(folder, e), e);
        }
    }

    private Path path(String name) {
        return new Path(folder, name);
    }

    /** Whether a file or folder exists. */
    public boolean exists(String name) {
        return read("look for", name, path -> files.exists(path));
    }

    /** Writes the rest of the buffer to a file, unless the file already exists. */
    void write(String name, ByteBuffer content) {
        write(name, content, false);
    }

    /** Writes the rest of the buffer to a file, replacing the file if it already exists. */
    public void replace(String name, ByteBuffer content) {
        write(name, content, true);
    }

    private void write(String name, ByteBuffer content, boolean replace) {
        Path path = path(name);
        Path attempt = new Path(path.getParent(), "_" + path.getName() + "." + UUID.randomUUID());
        try {
            try (DataOutputStream out = create(attempt)) {
                out.writeLong(MAGIC);
                out.writeLong(content.remaining());
                out.writeInt(checksum(content));
                write(content.duplicate(), out);
            }
            if (replace && !(files instanceof RawLocalFileSystem)) {
                FileContext.getFileContext(path.toUri(), hadoop).rename(attempt, path, Options.Rename.OVERWRITE);
            } else if (!files.rename(attempt, path) && !files.exists(path)) {
                throw new IOException("the file system could not rename " + attempt);
            }
            files.delete(attempt, false);
        } catch (IOException | FSError e) {
            remove(attempt);
            throw new BellmanException(
                    ErrorCode.BELLMAN_OUTPUT_WRITE,
                    "cannot write the tile %s: %s. Fix the problem, then rerun with --resume".formatted(path, e),
                    e);
        }
    }

    private static void write(ByteBuffer content, DataOutputStream to) throws IOException {
        byte[] chunk = content.hasArray() ? content.array() : new byte[Math.min(CHUNK, content.remaining())];
        while (content.hasRemaining()) {
            int length = Math.min(CHUNK, content.remaining());
            if (content.hasArray()) {
                to.write(chunk, content.arrayOffset() + content.position(), length);
                content.position(content.position() + length);
            } else {
                content.get(chunk, 0, length);
                to.write(chunk, 0, length);
            }
        }
    }

    private DataOutputStream create(Path file) throws IOException {
        if (files instanceof RawLocalFileSystem local) {
            File target = local.pathToFile(file);
            permissions.createFolder(target.getParentFile().toPath());
            FileOutputStream out = new FileOutputStream(target);
            permissions.set(target.toPath());
            return new DataOutputStream(new BufferedOutputStream(out));
        }
        return files.create(
                file,
                true,
                hadoop.getInt(
                        CommonConfigurationKeysPublic.IO_FILE_BUFFER_SIZE_KEY,
                        CommonConfigurationKeysPublic.IO_FILE_BUFFER_SIZE_DEFAULT),
                files.getDefaultReplication(file),
                files.getDefaultBlockSize(file));
    }

    /** Cleans up after a failure. Ignores a second failure, because it must not hide the first one. */
    private void remove(Path attempt) {
        try {
            files.delete(attempt, false);
        } catch (IOException | FSError e) {
            // the name of the attempt is unique, and its file will be deleted with the folder
        }
    }

    /** Returns the contents of a file. */
    public ByteBuffer read(String name) {
        return read(name, ByteBuffer::allocate);
    }

    /** Fills a buffer, from its beginning to its limit, with the contents of a file that has the same size. */
    void read(String name, ByteBuffer to) {
        read(name, length -> to);
    }

    private ByteBuffer read(String name, IntFunction<ByteBuffer> memory) {
        return read("read", name, path -> {
            ByteBuffer buffer;
            int checksum;
            try (FSDataInputStream in = files.open(path)) {
                if (in.readLong() != MAGIC) {
                    throw damaged(path, "its header is invalid");
                }
                long length = in.readLong();
                checksum = in.readInt();
                if (length != files.getFileStatus(path).getLen() - HEADER) {
                    throw damaged(path, "its length differs from the length in its header");
                }
                buffer = memory.apply(Math.toIntExact(length));
                if (buffer.limit() != length) {
                    throw damaged(path, "its length differs from the expected length");
                }
                read(in, buffer.duplicate());
            }
            if (checksum(buffer) != checksum) {
                throw damaged(path, "its checksum does not match");
            }
            return buffer;
        });
    }

    private static void read(FSDataInputStream from, ByteBuffer to) throws IOException {
        byte[] chunk = to.hasArray() ? to.array() : new byte[Math.min(CHUNK, to.remaining())];
        while (to.hasRemaining()) {
            int length = Math.min(CHUNK, to.remaining());
            if (to.hasArray()) {
                from.readFully(chunk, to.arrayOffset() + to.position(), length);
                to.position(to.position() + length);
            } else {
                from.readFully(chunk, 0, length);
                to.put(chunk, 0, length);
            }
        }
    }

    private static BellmanException damaged(Path path, String why) {
        return unusable("the tile %s is damaged: %s".formatted(path, why));
    }

    private static BellmanException unusable(String found) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_READ,
                found + ". Replace the tile with an intact copy and use --resume, or run without --resume to start "
                        + "from the beginning");
    }

    /** Returns the names of the files in a folder; empty if the folder does not exist. */
    List<String> list(String name) {
        return read(
                "list",
                name,
                path -> files.exists(path)
                        ? Arrays.stream(files.listStatus(path))
                                .map(file -> file.getPath().getName())
                                .toList()
                        : List.of());
    }

    /** Deletes a file or folder, if it exists. */
    void delete(String name) {
        read("delete", name, path -> files.delete(path, true));
    }

    @FunctionalInterface
    private interface Action<R> {
        R run(Path path) throws IOException;
    }

    private <R> R read(String what, String name, Action<R> action) {
        Path path = path(name);
        try {
            return action.run(path);
        } catch (ChecksumException e) {
            throw damaged(path, e.getMessage());
        } catch (EOFException e) {
            throw damaged(path, "it is truncated");
        } catch (FileNotFoundException e) {
            throw unusable("the tile %s is missing".formatted(path));
        } catch (IOException | FSError e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_READ,
                    "cannot %s the tile %s: %s. Fix the problem, then rerun with --resume".formatted(what, path, e),
                    e);
        }
    }

    private static int checksum(ByteBuffer content) {
        CRC32C sum = new CRC32C();
        sum.update(content.duplicate());
        return (int) sum.getValue();
    }
}
