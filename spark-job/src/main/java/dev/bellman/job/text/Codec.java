package dev.bellman.job.text;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.InflaterInputStream;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4FrameInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.tukaani.xz.XZInputStream;
import org.xerial.snappy.Snappy;
import org.xerial.snappy.SnappyFramedInputStream;

/**
 * Compression codecs for text files, identified by the extension of the file name. Unlike some of Hadoop's own codecs,
 * each codec reads all members of a file to the last byte, and throws an exception if data is damaged, truncated or
 * followed by other bytes. Snappy's framing format and Hadoop's blocks have no end mark, so a file that was truncated
 * between two blocks looks complete.
 */
public enum Codec {
    GZIP(".gz", ".gzip", ".bgz") {
        /** Uses the deprecated constructor, because the version of commons-compress in Spark 4.0 has no builder. */
        @Override
        @SuppressWarnings("deprecation")
        InputStream decompress(BufferedInputStream source) throws IOException {
            return new GzipCompressorInputStream(source, true);
        }
    },
    BZIP2(".bz2") {
        @Override
        InputStream decompress(BufferedInputStream source) throws IOException {
            return new BZip2CompressorInputStream(source, true);
        }
    },
    ZSTANDARD(".zst", ".zstd") {
        @Override
        InputStream decompress(BufferedInputStream source) throws IOException {
            return new ZstdInputStream(source);
        }
    },
    /** Reads either the frames that the lz4 tool writes, or Hadoop's blocks. */
    LZ4(".lz4") {
        @Override
        InputStream decompress(BufferedInputStream source) throws IOException {
            if (startsWith(source, 0x04, 0x22, 0x4d, 0x18)) {
                return new LZ4FrameInputStream(source);
            }
            var lz4 = LZ4Factory.fastestInstance().safeDecompressor();
            return new BlockInputStream(source, lz4::decompress);
        }
    },
    /** Reads either Snappy's framing format, or Hadoop's blocks. */
    SNAPPY(".snappy", ".sz") {
        @Override
        InputStream decompress(BufferedInputStream source) throws IOException {
            if (startsWith(source, 0xff, 0x06, 0x00, 0x00, 's', 'N', 'a', 'P', 'p', 'Y')) {
                return new SnappyFramedInputStream(source, true);
            }
            return new BlockInputStream(source, (from, start, count, to, at, room) -> {
                if (Snappy.uncompressedLength(from, start, count) > room) {
                    throw new IOException("a chunk is longer than its block");
                }
                return Snappy.uncompress(from, start, count, to, at);
            });
        }
    },
    /** Reads the zlib data that Hadoop's default codec writes. */
    DEFLATE(".deflate") {
        @Override
        InputStream decompress(BufferedInputStream source) {
            return new WholeInflaterInputStream(source);
        }
    },
    XZ(".xz") {
        @Override
        InputStream decompress(BufferedInputStream source) throws IOException {
            return new XZInputStream(source, XZ_MEMORY_KIB);
        }
    };

    /**
     * The memory limit for decoding xz data, which is more than {@code xz -9} needs. Without a limit, a damaged header
     * could request any amount of memory.
     */
    private static final int XZ_MEMORY_KIB = 256 << 10;

    /** Extensions of compressed files and archives that no codec can read. */
    private static final List<String> OTHERS = List.of(
            ".7z",
            ".br",
            ".lz",
            ".lzma",
            ".lzo",
            ".lzo_deflate",
            ".rar",
            ".tar",
            ".tbz2",
            ".tgz",
            ".txz",
            ".z",
            ".zip");

    private static final int BUFFER_BYTES = 1 << 16;

    private final List<String> suffixes;

    Codec(String... suffixes) {
        this.suffixes = List.of(suffixes);
    }

    abstract InputStream decompress(BufferedInputStream source) throws IOException;

    /** Returns the decompressed text of {@code source}; closing the result closes {@code source}. */
    public InputStream open(InputStream source) throws IOException {
        BufferedInputStream buffered = new BufferedInputStream(source, BUFFER_BYTES);
        buffered.mark(1);
        if (buffered.read() < 0) {
            throw new EOFException("the file is empty, but compressed files cannot be empty");
        }
        buffered.reset();
        return decompress(buffered);
    }

    /** Returns the codec for the file name; empty if the file is not compressed. */
    public static Optional<Codec> of(String name) {
        return Arrays.stream(values())
                .filter(codec -> endOf(name, codec.suffixes).isPresent())
                .findFirst();
    }

    /** Returns a file name from which the extensions of codecs have been removed. */
    public static String plainName(String name) {
        String plain = name;
        for (Codec codec : values()) {
            Optional<String> end = endOf(plain, codec.suffixes);
            if (end.isPresent()) {
                plain = plain.substring(0, plain.length() - end.get().length());
            }
        }
        return plain;
    }

    /** Returns the extension of a name if it is that of a compression or archive format that no codec can read. */
    public static Optional<String> unreadable(String name) {
        return endOf(name, OTHERS);
    }

    private static Optional<String> endOf(String name, List<String> suffixes) {
        String lower = name.toLowerCase(Locale.ROOT);
        return suffixes.stream().filter(lower::endsWith).findFirst();
    }

    private static boolean startsWith(BufferedInputStream source, int... magic) throws IOException {
        source.mark(magic.length);
        byte[] start = source.readNBytes(magic.length);
        source.reset();
        if (start.length < magic.length) {
            return false;
        }
        for (int i = 0; i < magic.length; i++) {
            if ((start[i] & 0xff) != magic[i]) {
                return false;
            }
        }
        return true;
    }

    /** Reads zlib data, and rejects any bytes after the end of the data. */
    private static final class WholeInflaterInputStream extends InflaterInputStream {
        WholeInflaterInputStream(InputStream source) {
            super(source);
        }

        @Override
        public int read(byte[] target, int from, int count) throws IOException {
            int read = super.read(target, from, count);
            if (read < 0 && (inf.getRemaining() > 0 || in.read() >= 0)) {
                throw new IOException("unexpected bytes after the end of the zlib data");
            }
            return read;
        }
    }
}
