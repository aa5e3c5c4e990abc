package dev.bellman.grammar;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.ConstantArray;
import dev.bellman.columns.TaskMemory;
import java.lang.ref.SoftReference;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/** The words of a call, each with its weight. */
final class WordList {
    private static final double LARGEST = 1e100;

    private static final int BYTES_OF_A_WORD = 120;

    private final byte[][] words;
    /** The weight of each word; null to find the fewest words. */
    private final double[] weights;

    private final long bytes;

    /** The arguments and the trie of the thread's last word list. Usually, all rows have the same words. */
    private record Last(ArrayData words, ArrayData weights, WordTrie trie) {}

    private static final ThreadLocal<SoftReference<Last>> LAST = new ThreadLocal<>();

    private WordList(byte[][] words, double[] weights, long bytes) {
        this.words = words;
        this.weights = weights;
        this.bytes = bytes;
    }

    /**
     * Reads and checks the arguments.
     *
     * @param weights the weight of each word; null to find the fewest words
     */
    static WordList of(String function, ArrayData words, ArrayData weights) {
        double[] numbers = null;
        if (weights != null) {
            numbers = ArrayArguments.doubles(
                    function,
                    "weights",
                    weights,
                    weight -> Math.abs(weight) <= LARGEST,
                    "a number from -1e100 to 1e100");
            if (numbers.length != words.numElements()) {
                throw BellmanException.inRow(
                        function,
                        "weights has %,d entries, but words has %,d; the sizes must match"
                                .formatted(numbers.length, words.numElements()));
            }
        }
        takeWords(function, words.numElements());
        byte[][] list = new byte[words.numElements()][];
        long bytes = 0;
        for (int i = 0; i < list.length; i++) {
            if (words.isNullAt(i)) {
                throw ArrayArguments.invalid(function, "words", i, "NULL", "a string");
            }
            list[i] = TaskMemory.bytesOf(words.getUTF8String(i));
            if (list[i].length == 0) {
                throw ArrayArguments.invalid(function, "words", i, "empty", "at least one character");
            }
            bytes += list[i].length;
        }
        return new WordList(list, numbers, bytes);
    }

    /**
     * Returns a trie of the words; reuses the last trie if the thread's last call had the same words and weights. In
     * both cases, the call reserves the memory for the trie. The parameters are those of {@link #of}.
     */
    static WordTrie trie(String function, ArrayData words, ArrayData weights) {
        SoftReference<Last> reference = LAST.get();
        Last last = reference == null ? null : reference.get();
        if (last != null && isSame(last.words(), words) && isSameWeights(last.weights(), weights)) {
            if (words instanceof ConstantArray && words != last.words()) {
                keep(words, weights, last.trie());
            }
            takeWords(function, words.numElements());
            takeTrie(function, last.trie().bytes());
            return last.trie();
        }
        // frees the memory of the last trie before the new one needs it
        last = null;
        LAST.remove();
        WordTrie trie = of(function, words, weights).trie(function);
        keep(words, weights, trie);
        return trie;
    }

    private static void keep(ArrayData words, ArrayData weights, WordTrie trie) {
        ArrayData ownWords = words instanceof ConstantArray ? words : copy(words);
        ArrayData ownWeights = weights == null || weights instanceof ConstantArray ? weights : weights.copy();
        LAST.set(new SoftReference<>(new Last(ownWords, ownWeights, trie)));
    }

    private WordTrie trie(String function) {
        takeTrie(function, bytes);
        Cancellation cancellation = new Cancellation();
        WordTrie trie = new WordTrie((int) bytes);
        for (int word = 0; word < words.length; word++) {
            cancellation.count(8L * words[word].length);
            trie.add(words[word], weight(word));
        }
        return trie;
    }

    private static void takeWords(String function, int count) {
        TaskMemory.take(function, (long) BYTES_OF_A_WORD * count, "", () -> "a list of %,d words".formatted(count));
    }

    private static void takeTrie(String function, long bytes) {
        // includes the trie and the copy of the words
        long all = (WordTrie.BYTES_OF_A_BYTE + 1) * bytes;
        TaskMemory.take(function, all, "", () -> "words of %,d bytes".formatted(bytes));
        checkBytes(function, bytes);
    }

    /** @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the words have too many bytes in total */
    static void checkBytes(String function, long bytes) {
        if (bytes >= WordTrie.MAX_BYTES) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: words has %,d bytes in total; it must have fewer than %,d"
                            .formatted(function, bytes, WordTrie.MAX_BYTES));
        }
    }

    private static ArrayData copy(ArrayData words) {
        if (words instanceof UnsafeArrayData) {
            return words.copy();
        }
        Object[] copies = new Object[words.numElements()];
        for (int i = 0; i < copies.length; i++) {
            copies[i] = words.getUTF8String(i).clone();
        }
        return new GenericArrayData(copies);
    }

    /** Whether two arrays contain the same words; the first array must not contain NULL. */
    private static boolean isSame(ArrayData known, ArrayData words) {
        if (known instanceof UnsafeArrayData && words instanceof UnsafeArrayData) {
            // this compares all bytes at once
            return known.equals(words);
        }
        boolean same = known.numElements() == words.numElements();
        for (int i = 0; same && known != words && i < known.numElements(); i++) {
            UTF8String word = known.getUTF8String(i);
            same = !words.isNullAt(i) && word.equals(words.getUTF8String(i));
        }
        return same;
    }

    private static boolean isSameWeights(ArrayData known, ArrayData weights) {
        if (known == null || weights == null) {
            return known == weights;
        }
        boolean same = known.numElements() == weights.numElements();
        for (int i = 0; same && known != weights && i < known.numElements(); i++) {
            same = !weights.isNullAt(i)
                    && Double.doubleToRawLongBits(known.getDouble(i))
                            == Double.doubleToRawLongBits(weights.getDouble(i));
        }
        return same;
    }

    int count() {
        return words.length;
    }

    byte[] word(int word) {
        return words[word];
    }

    /** Returns the number of bytes of all words. */
    long bytes() {
        return bytes;
    }

    /** Returns the weight of each word; null to find the fewest words. */
    double[] weights() {
        return weights;
    }

    double weight(int word) {
        return weights == null ? -1 : weights[word];
    }
}
