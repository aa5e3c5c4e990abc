package dev.bellman.job.text;

import java.util.Arrays;
import org.apache.spark.unsafe.types.UTF8String;

/** A byte buffer that grows and that is reused for every record. */
public final class ByteBuilder {
    private byte[] bytes = new byte[256];
    private int length;

    public int length() {
        return length;
    }

    public byte[] bytes() {
        return bytes;
    }

    public void clear() {
        length = 0;
    }

    /** Appends {@code count} bytes. The caller must ensure that the length does not exceed {@code maximum}. */
    public void append(byte[] source, int from, int count, int maximum) {
        int wanted = length + count;
        if (wanted > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(maximum, Math.max(wanted, 2L * bytes.length)));
        }
        System.arraycopy(source, from, bytes, length, count);
        length = wanted;
    }

    void toUpperCase() {
        byte[] letters = bytes;
        for (int i = 0; i < length; i++) {
            byte letter = letters[i];
            letters[i] = (byte) (letter >= 'a' && letter <= 'z' ? letter - ('a' - 'A') : letter);
        }
    }

    /** Whether the bytes consist of complete UTF-8 characters. */
    public boolean isUtf8() {
        for (int i = 0; i < length; i++) {
            if (bytes[i] < 0) {
                return view().isValid();
            }
        }
        return true;
    }

    public UTF8String copy() {
        return UTF8String.fromBytes(Arrays.copyOf(bytes, length));
    }

    /** Returns a view of the bytes; it is valid until the next change. */
    UTF8String view() {
        return UTF8String.fromBytes(bytes, 0, length);
    }
}
