package dev.bellman.grammar;

import java.lang.ref.SoftReference;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * The words of a call in the form in which they are copied to the GPU.
 *
 * @param bytes the bytes of all words, one after another
 * @param offsets the offset of each word, followed by the length of {@code bytes}
 * @param weights the weight of each word; null to find the fewest words
 */
record HostWords(byte[] bytes, int[] offsets, double[] weights) {
    /** The arguments and the result of the thread's last call; all batches of a task pass the same objects. */
    private record Last(ArrayData words, ArrayData weights, HostWords read) {}

    private static final ThreadLocal<SoftReference<Last>> LAST = new ThreadLocal<>();

    /**
     * Reads and checks the arguments.
     *
     * @param weights the weight of each word; null to find the fewest words
     * @throws dev.bellman.BellmanException if the CPU would reject every row or could not solve any row
     */
    static HostWords of(String function, ArrayData words, ArrayData weights) {
        SoftReference<Last> reference = LAST.get();
        Last last = reference == null ? null : reference.get();
        if (last == null || last.words() != words || last.weights() != weights) {
            WordList list = WordList.of(function, words, weights);
            WordList.checkBytes(function, list.bytes());
            last = new Last(words, weights, of(list));
            LAST.set(new SoftReference<>(last));
        }
        return last.read();
    }

    private static HostWords of(WordList words) {
        byte[] bytes = new byte[(int) words.bytes()];
        int[] offsets = new int[words.count() + 1];
        for (int i = 0; i < words.count(); i++) {
            byte[] word = words.word(i);
            System.arraycopy(word, 0, bytes, offsets[i], word.length);
            offsets[i + 1] = offsets[i] + word.length;
        }
        return new HostWords(bytes, offsets, words.weights());
    }

    int count() {
        return offsets.length - 1;
    }
}
