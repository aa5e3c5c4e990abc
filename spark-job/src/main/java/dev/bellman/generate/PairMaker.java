package dev.bellman.generate;

import java.util.Arrays;

/** Generates pairs one after another, each as two arrays of letter numbers. Not thread-safe. */
final class PairMaker {
    private static final double TWO_TO_32 = 0x1.0p32;

    private final PairsSpec spec;
    private final RowRandom random;
    private byte[] a = new byte[0];
    private byte[] b = new byte[0];
    private int lengthOfA;
    private int lengthOfB;

    PairMaker(PairsSpec spec) {
        this.spec = spec;
        this.random = new RowRandom(spec.seed());
    }

    void make(long row) {
        random.startRow(row);
        lengthOfA = spec.length().draw(random);
        a = room(a, lengthOfA);
        spec.alphabet().draw(random, a, lengthOfA);
        if (spec.divergence().independent()) {
            lengthOfB = spec.length().draw(random);
            b = room(b, lengthOfB);
            spec.alphabet().draw(random, b, lengthOfB);
        } else {
            mutate();
        }
    }

    byte[] textOfA() {
        return spec.alphabet().encode(a, lengthOfA);
    }

    byte[] textOfB() {
        return spec.alphabet().encode(b, lengthOfB);
    }

    private void mutate() {
        // with an insertion before every letter, the length doubles
        b = room(b, 2 * lengthOfA);
        int letters = spec.alphabet().size();
        long threshold = (long) (spec.divergence().rate() * TWO_TO_32);
        int written = 0;
        for (int at = 0; at < lengthOfA; at += 2) {
            long draws = random.nextLong();
            written = copy(at, draws >>> 32, threshold, letters, written);
            if (at + 1 < lengthOfA) {
                written = copy(at + 1, draws & 0xffff_ffffL, threshold, letters, written);
            }
        }
        lengthOfB = written;
    }

    /** Copies a letter, or edits it. Returns how many letters have been written so far. */
    private int copy(int at, long draw, long threshold, int letters, int written) {
        if (draw >= threshold) {
            b[written] = a[at];
            return written + 1;
        }
        switch (random.below(3)) {
            case 0 -> {
                int other = letters == 1 ? 0 : 1 + random.below(letters - 1);
                b[written] = (byte) (((a[at] & 0xff) + other) % letters);
                return written + 1;
            }
            case 1 -> {
                b[written] = (byte) random.below(letters);
                b[written + 1] = a[at];
                return written + 2;
            }
            default -> {
                return written;
            }
        }
    }

    private static byte[] room(byte[] array, int length) {
        return array.length >= length ? array : Arrays.copyOf(array, Math.max(length, 256));
    }
}
