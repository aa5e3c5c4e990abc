package dev.bellman.fold.rna;

import dev.bellman.fold.RnaInstances;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Creates sequences for the tests of the kernels. */
final class RnaSequences {
    private RnaSequences() {}

    static List<String> random(long seed, int count, int size) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> sequences = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sequences.add(RnaInstances.bases(random, size));
        }
        return sequences;
    }

    /** Returns sequences whose lengths are around the boundaries of classes and blocks. */
    static List<String> ofSizes() {
        SplittableRandom random = new SplittableRandom(4);
        List<String> sequences = new ArrayList<>();
        int[] sizes = {
            0, 1, 4, 5, 6, 31, 32, 33, 63, 64, 65, 120, 121, 127, 128, 129, 160, 161, 192, 193, 255, 256, 257, 384, 385,
            511, 512, 513
        };
        for (int n : sizes) {
            for (String letters : List.of("ACGU", "GC", "G", "N", "acgtn", "GGGCAU")) {
                sequences.add(uniform(random, n, letters));
            }
        }
        return sequences;
    }

    static String uniform(SplittableRandom random, int n, String letters) {
        StringBuilder seq = new StringBuilder();
        for (int i = 0; i < n; i++) {
            seq.append(letters.charAt(random.nextInt(letters.length())));
        }
        return seq.toString();
    }
}
