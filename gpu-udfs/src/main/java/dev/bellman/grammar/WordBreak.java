package dev.bellman.grammar;

import dev.bellman.BellmanException;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Splits a string without spaces into words so that the sum of the words' weights is as large as possible.
 *
 * <pre>{@code
 * best(t) = max over the words w that end at t of best(t - length(w)) + weight(w)
 * }</pre>
 *
 * <p>Words are compared byte by byte in UTF-8, in which no character begins within another character.
 */
public final class WordBreak {
    /** Both strategies find the same words. */
    public enum Strategy {
        /** Follows the words that begin at each position in a {@link WordTrie}. */
        AUTO,
        /** Compares every word with the string at every position. */
        SERIAL
    }

    /** The memory, in bytes, per byte of the string: for a sum, a start index, and a share of the result. */
    private static final int BYTES_OF_A_LETTER = 100;

    private final byte[] text;
    private final double[] best;
    private final int[] starts;
    private final Cancellation cancellation = new Cancellation();

    private WordBreak(String function, byte... text) {
        TaskMemory.take(function, (long) BYTES_OF_A_LETTER * text.length, "", () -> "a string of %,d bytes"
                .formatted(text.length));
        this.text = text;
        best = new double[text.length + 1];
        Arrays.fill(best, Double.NEGATIVE_INFINITY);
        best[0] = 0;
        starts = new int[text.length + 1];
    }

    /**
     * Returns the words. Ties: the sequence with the longest last word wins, then the longest word before it, and so
     * on.
     *
     * @param weights the weight of each word; null to find the fewest words
     */
    static UTF8String[] words(
            String function, UTF8String string, ArrayData words, ArrayData weights, Strategy strategy) {
        WordBreak found = new WordBreak(function, TaskMemory.bytesOf(string));
        if (strategy == Strategy.SERIAL) {
            found.tryAll(WordList.of(function, words, weights));
        } else {
            found.walk(WordList.trie(function, words, weights));
        }
        return found.trace(function);
    }

    private void tryAll(WordList words) {
        for (int start = 0; start < text.length; start++) {
            for (int i = 0; i < words.count() && best[start] > Double.NEGATIVE_INFINITY; i++) {
                byte[] word = words.word(i);
                int end = start + word.length;
                cancellation.count(1 + word.length);
                if (end <= text.length && Arrays.equals(text, start, end, word, 0, word.length)) {
                    end(start, end, words.weight(i));
                }
            }
        }
    }

    private void walk(WordTrie trie) {
        for (int start = 0; start < text.length; start++) {
            if (best[start] == Double.NEGATIVE_INFINITY) {
                continue;
            }
            int node = 0;
            for (int at = start; at < text.length; at++) {
                node = trie.child(node, text[at]);
                if (node < 0) {
                    break;
                }
                cancellation.count(8);
                if (!Double.isNaN(trie.weight(node))) {
                    end(start, at + 1, trie.weight(node));
                }
            }
        }
    }

    /**
     * Updates the best sum at {@code end}. Starts must be passed in ascending order, so that the longest last word wins
     * ties.
     */
    private void end(int start, int end, double weight) {
        double sum = best[start] + weight;
        if (sum > best[end]) {
            best[end] = sum;
            starts[end] = start;
        }
    }

    private int characters(int bytes) {
        return UTF8String.fromBytes(text, 0, bytes).numChars();
    }

    private UTF8String[] trace(String function) {
        if (best[text.length] == Double.NEGATIVE_INFINITY) {
            int last = text.length - 1;
            while (best[last] == Double.NEGATIVE_INFINITY) {
                last--;
            }
            throw BellmanException.inRow(
                    function,
                    "the string is not a sequence of words: no word matches after %,d of its %,d characters"
                            .formatted(characters(last), characters(text.length)));
        }
        int count = 0;
        for (int end = text.length; end > 0; end = starts[end]) {
            count++;
        }
        UTF8String[] words = new UTF8String[count];
        for (int end = text.length; end > 0; end = starts[end]) {
            words[--count] = UTF8String.fromBytes(text, starts[end], end - starts[end]);
        }
        return words;
    }
}
