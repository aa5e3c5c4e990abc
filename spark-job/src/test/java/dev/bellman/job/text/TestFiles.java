package dev.bellman.job.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG.Bits;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Lz4Codec;
import org.apache.hadoop.io.compress.SnappyCodec;
import org.apache.hadoop.util.ReflectionUtils;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;
import org.xerial.snappy.SnappyFramedOutputStream;

/** Writes files that are compressed according to their extensions. */
public final class TestFiles {
    private TestFiles() {}

    /**
     * The extensions of compressed files. The codecs lz4 and snappy have two formats each; {@code .hadoop} before the
     * extension selects the second.
     */
    public static final String[] COMPRESSIONS = {
        ".gz", ".bz2", ".zst", ".deflate", ".xz", ".lz4", ".snappy", ".hadoop.lz4", ".hadoop.snappy"
    };

    public static Path compress(byte[] text, Path file) {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        try (OutputStream plain = Files.newOutputStream(file);
                OutputStream out = compressor(name, plain)) {
            out.write(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }

    /** Creates a pipe to which nobody writes, so that opening it blocks. */
    public static Path pipe(Path file) {
        try {
            assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                    .isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return file;
    }

    private static OutputStream compressor(String name, OutputStream plain) throws IOException {
        if (name.endsWith(".hadoop.lz4")) {
            return hadoop(Lz4Codec.class, plain);
        }
        if (name.endsWith(".hadoop.snappy")) {
            return hadoop(SnappyCodec.class, plain);
        }
        return switch (name.substring(name.lastIndexOf('.'))) {
            case ".gz" -> new GZIPOutputStream(plain);
            case ".deflate" -> new DeflaterOutputStream(plain);
            case ".zst" -> new ZstdOutputStream(plain).setChecksum(true);
            case ".bz2" -> new BZip2CompressorOutputStream(plain);
            case ".lz4" ->
                new LZ4FrameOutputStream(plain, BLOCKSIZE.SIZE_256KB, Bits.BLOCK_INDEPENDENCE, Bits.CONTENT_CHECKSUM);
            case ".snappy" -> new SnappyFramedOutputStream(plain);
            case ".xz" -> new XZOutputStream(plain, new LZMA2Options(1));
            default -> plain;
        };
    }

    private static OutputStream hadoop(Class<? extends CompressionCodec> codec, OutputStream plain) throws IOException {
        return ReflectionUtils.newInstance(codec, new Configuration()).createOutputStream(plain);
    }
}
