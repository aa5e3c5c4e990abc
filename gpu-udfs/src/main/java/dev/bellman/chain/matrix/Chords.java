package dev.bellman.chain.matrix;

import java.util.Arrays;

/**
 * An order of multiplication, represented as a triangulated polygon: chord {@code (a, b)} represents the product of the
 * matrices {@code a + 1} to {@code b}. A chain of {@code n} matrices has {@code n - 1} chords, including {@code (0,
 * n)}.
 */
final class Chords {
    private static final int NONE = -1;

    private final int matrices;
    private final int[] from;
    private final int[] to;
    private int count;

    Chords(int matrices) {
        this.matrices = matrices;
        from = new int[matrices - 1];
        to = new int[matrices - 1];
    }

    void add(int a, int b) {
        from[count] = a;
        to[count] = b;
        count++;
    }

    /** Returns the splits in preorder: by ascending {@code a}, then by descending {@code b}, sorted in linear time. */
    int[] splits() {
        int[] linkByTo = new int[count];
        int[] headByTo = heads();
        for (int chord = 0; chord < count; chord++) {
            linkByTo[chord] = headByTo[to[chord]];
            headByTo[to[chord]] = chord;
        }
        int[] link = new int[count];
        int[] head = heads();
        for (int b = 0; b <= matrices; b++) {
            for (int chord = headByTo[b]; chord != NONE; chord = linkByTo[chord]) {
                link[chord] = head[from[chord]];
                head[from[chord]] = chord;
            }
        }
        int[] splits = new int[count];
        int i = 0;
        for (int a = 0; a <= matrices; a++) {
            for (int chord = head[a]; chord != NONE; chord = link[chord]) {
                // the left part is the next shorter product that starts at a, or one matrix
                splits[i++] = link[chord] == NONE ? a + 1 : to[link[chord]];
            }
        }
        return splits;
    }

    private int[] heads() {
        int[] heads = new int[matrices + 1];
        Arrays.fill(heads, NONE);
        return heads;
    }
}
