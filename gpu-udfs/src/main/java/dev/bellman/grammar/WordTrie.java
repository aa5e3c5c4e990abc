package dev.bellman.grammar;

import java.util.Arrays;

/**
 * A trie of words, keyed by bytes, with a node for each prefix of a word. One hash table contains the children of all
 * nodes.
 */
final class WordTrie {
    private static final long MIXER = 0x9E3779B97F4A7C15L;

    /** The memory, in bytes, per byte of a word: for a node and up to four slots of the table. */
    static final int BYTES_OF_A_BYTE = 64;

    static final int MAX_BYTES = 1 << 28;

    /** The keys of the hash table: each key combines a node and a byte, plus 1; a free slot contains 0. */
    private final long[] keys;

    private final int[] children;
    /** The largest weight of the word that ends at each node; NaN if no word ends there. */
    private final double[] weights;

    private final int bytes;
    private final int shift;
    private int nodes = 1;

    /** @param bytes the number of bytes of all words */
    WordTrie(int bytes) {
        this.bytes = bytes;
        int bits = 34 - Integer.numberOfLeadingZeros(bytes);
        shift = 64 - bits;
        keys = new long[1 << bits];
        children = new int[1 << bits];
        weights = new double[bytes + 1];
        Arrays.fill(weights, Double.NaN);
    }

    void add(byte[] word, double weight) {
        int node = 0;
        for (byte letter : word) {
            int place = place(node, letter);
            if (keys[place] == 0) {
                keys[place] = key(node, letter);
                children[place] = nodes++;
            }
            node = children[place];
        }
        if (!(weights[node] >= weight)) {
            weights[node] = weight;
        }
    }

    int bytes() {
        return bytes;
    }

    /** Returns the child node that follows a node for this byte, or -1 if no word continues with this byte. */
    int child(int node, byte letter) {
        int place = place(node, letter);
        return keys[place] == 0 ? -1 : children[place];
    }

    /** Returns the largest weight of the word that ends at a node, or NaN if no word ends there. */
    double weight(int node) {
        return weights[node];
    }

    private static long key(int node, byte letter) {
        return ((long) node << 8 | letter & 0xff) + 1;
    }

    private int place(int node, byte letter) {
        long key = key(node, letter);
        int place = (int) (key * MIXER >>> shift);
        while (keys[place] != 0 && keys[place] != key) {
            place = place + 1 & keys.length - 1;
        }
        return place;
    }
}
