package dev.bellman.job.text;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads the blocks in which Hadoop writes data for codecs that have no file format of their own. A block starts with
 * the length of its decompressed text; its chunks, which follow, decompress to this many bytes in total. Each chunk is
 * preceded by its compressed length. Lengths are big-endian. Blocks have no checksum.
 */
final class BlockInputStream extends InputStream {
    /**
     * The maximum size of a block, which is more than 200 times Hadoop's default. If a block claims to be larger, the
     * file is damaged.
     */
    private static final int MAXIMUM_BLOCK_BYTES = 64 << 20;

    /** Decompresses a chunk, and returns the number of decompressed bytes. */
    interface Chunk {
        int decompress(byte[] source, int from, int count, byte[] target, int at, int room) throws IOException;
    }

    private final DataInputStream source;
    private final Chunk chunk;
    private byte[] compressed = new byte[0];
    private byte[] text = new byte[0];
    private int position;
    private int limit;

    BlockInputStream(InputStream source, Chunk chunk) {
        this.source = new DataInputStream(source);
        this.chunk = chunk;
    }

    @Override
    public int read() throws IOException {
        return position < limit || fill() ? text[position++] & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int from, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        if (position == limit && !fill()) {
            return -1;
        }
        int read = Math.min(count, limit - position);
        System.arraycopy(text, position, target, from, read);
        position += read;
        return read;
    }

    /** Reads the next block that is not empty; returns false at the end of the file. */
    private boolean fill() throws IOException {
        position = 0;
        limit = 0;
        while (limit == 0) {
            int first = source.read();
            if (first < 0) {
                return false;
            }
            int length = first << 24 | source.readUnsignedByte() << 16 | source.readUnsignedShort();
            text = sized(text, length);
            while (limit < length) {
                int count = source.readInt();
                compressed = sized(compressed, count);
                source.readFully(compressed, 0, count);
                int read = chunk.decompress(compressed, 0, count, text, limit, length - limit);
                if (read <= 0) {
                    throw new EOFException("an empty chunk inside a block");
                }
                limit += read;
            }
        }
        return true;
    }

    private static byte[] sized(byte[] bytes, int length) throws IOException {
        if (length < 0 || length > MAXIMUM_BLOCK_BYTES) {
            throw new IOException("invalid block length " + length);
        }
        return bytes.length >= length ? bytes : new byte[length];
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
