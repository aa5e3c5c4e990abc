package dev.bellman.grammar;

import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import java.util.List;

/**
 * A trie of words in GPU memory, in the layout of {@code WordTrie} in {@code grammar/word_break.cu}.
 *
 * @param nodes the address of the hash table that contains the nodes
 * @param mask the number of the table's slots, which is a power of two, minus 1
 * @param shift the number of a hash's bits that are not part of a slot's index
 */
record DeviceTrie(long nodes, int mask, int shift) {
    static final DeviceTrie NONE = new DeviceTrie(0, 0, 0);

    private static final int BLOCK = 128;

    /** The words in GPU memory: the addresses of their offsets, bytes and weights. */
    record Words(long offsets, long bytes, long weights) {}

    /** Returns the size of the table for some words, in bytes. */
    static long bytes(HostWords words, CudaModule module) {
        return (long) module.constant("NODE_BYTES") << bits(words);
    }

    /** Returns the binary logarithm of the number of slots, so that at most half of the slots contain nodes. */
    private static int bits(HostWords words) {
        return Integer.SIZE + 1 - Integer.numberOfLeadingZeros(words.bytes().length);
    }

    static DeviceTrie of(HostWords words, CudaModule module, Scratch scratch) {
        int bits = bits(words);
        DeviceTrie trie = new DeviceTrie(
                scratch.filled(bytes(words, module), (byte) 0).getAddress(), (1 << bits) - 1, Long.SIZE - bits);
        Words onDevice = new Words(
                DeviceArrays.writeInts(scratch, words.offsets()).getAddress(),
                DeviceArrays.writeBytes(scratch, List.of(words.bytes())).getAddress(),
                words.weights() == null
                        ? 0
                        : DeviceArrays.writeDoubles(scratch, words.weights()).getAddress());
        module.kernel("word_break_insert").threads(words.count(), BLOCK).launch(words.count(), onDevice, trie);
        return trie;
    }
}
