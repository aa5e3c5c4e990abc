package dev.bellman.markov.profile;

import dev.bellman.proof.Values;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Generates sharp and flat profiles for all alphabets, some with states that are impossible or that are never left. The
 * sequences are random, or copies of the profile's most likely residues with errors. Some rows contain values that must
 * be rejected.
 */
final class ProfileInstances {
    private static final int REJECTED = 300;

    private static final int UNIT = 100_000;
    private static final int DECIMALS = 5;

    private static final String[] LABELS = {"amino", "DNA", "RNA", "AMINO"};
    private static final String[] RESIDUES = {"ACDEFGHIKLMNPQRSTVWY", "ACGT", "ACGU", "ACDEFGHIKLMNPQRSTVWY"};
    private static final String[] OTHERS = {"BJZOUX*acdy", "RYMKSWHBVDNXIU*acgt", "RYMKSWHBVDNXIT*acgu", "XXXXXX"};

    /** The maximum numbers of nodes of shared profiles. Most are small, because each row contains its profile. */
    private static final int FEW = 8;

    private static final int SEVERAL = 64;
    /** Profiles with up to this number of nodes use every kernel. */
    private static final int MANY = 420;

    /** The maximum number of shared profiles that are kept for further instances. */
    private static final int MAX_KEPT = 200;

    /**
     * A profile.
     *
     * @param likely the most likely residue of each node
     */
    private record Drawn(UTF8String text, String likely, int alphabet) {}

    private static final Map<Long, Drawn> KEPT = Collections.synchronizedMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Drawn> eldest) {
            return size() > MAX_KEPT;
        }
    });

    private final SplittableRandom random;
    private final int alphabet;
    private final int nodes;
    private final StringBuilder likely = new StringBuilder();
    private final StringBuilder text = new StringBuilder();

    private ProfileInstances(SplittableRandom random, int most) {
        this.random = random;
        alphabet = random.nextInt(LABELS.length);
        nodes = Math.max(1, Values.size(random, most));
    }

    private static Drawn profile(SplittableRandom random, int most) {
        ProfileInstances instance = new ProfileInstances(random, most);
        String text = instance.profile();
        return new Drawn(UTF8String.fromString(text), instance.likely.toString(), instance.alphabet);
    }

    private static Drawn profile(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int kind = random.nextInt(32);
        return profile(random, kind == 0 ? MANY : kind < 3 ? SEVERAL : FEW);
    }

    /** Draws a sequence and a profile that only this row has. */
    static InternalRow draw(SplittableRandom random, int size) {
        return draw(random, size, profile(random, Math.max(1, size / 4)));
    }

    /** Draws a sequence for a profile that several rows have, because the GPU solves only the rows of few profiles. */
    static InternalRow drawShared(SplittableRandom random, int size, LongSupplier shared) {
        long seed = shared.getAsLong();
        Drawn profile = KEPT.get(seed);
        if (profile == null) {
            profile = profile(seed);
            KEPT.put(seed, profile);
        }
        return draw(random, size, profile);
    }

    private static InternalRow draw(SplittableRandom random, int size, Drawn profile) {
        UTF8String sequence = UTF8String.fromString(sequence(random, size, profile));
        String algorithm = random.nextInt(REJECTED) == 0 ? "best" : Values.oneOf(random, "forward", "viterbi");
        return Values.row(
                Values.sometimesNull(random, sequence),
                Values.sometimesNull(random, profile.text),
                Values.sometimesNull(random, UTF8String.fromString(algorithm)));
    }

    private String profile() {
        int wrong = random.nextInt(REJECTED);
        text.append("HMMER3/").append((char) ('a' + random.nextInt(wrong == 0 ? 26 : 6)));
        text.append(" [3.4]\nNAME  any\nLENG  ").append(wrong == 1 ? nodes + 1 : nodes);
        text.append("\nALPH  ").append(wrong == 2 ? "codon" : LABELS[alphabet]);
        text.append("\nHMM  A  C\n  m->m  m->i\n");
        int kind = random.nextInt(4);
        if (random.nextBoolean()) {
            text.append("  COMPO ");
            numbers(RESIDUES[alphabet].length(), 1);
            text.append('\n');
        }
        for (int k = 0; k <= nodes; k++) {
            if (k > 0) {
                text.append(k);
                likely.append(RESIDUES[alphabet].charAt(numbers(RESIDUES[alphabet].length(), kind)));
                text.append(" 1 a - - -\n");
            }
            numbers(RESIDUES[alphabet].length(), 1);
            text.append('\n');
            moves(k, kind);
            text.append('\n');
        }
        if (wrong == 3) {
            text.setLength(text.length() / 2);
        } else if (wrong == 4) {
            text.setCharAt(text.length() - 2, 'x');
        }
        text.append(Values.oneOf(random, "", "//", "//\n"));
        return text.toString();
    }

    private void moves(int k, int kind) {
        boolean isWhole = k > 0 && k < nodes;
        numbers(3, kind == 3 ? 4 : kind);
        numbers(2, kind);
        if (isWhole) {
            numbers(2, kind == 3 ? 2 : kind);
        } else {
            text.append(" 0.00000 *");
        }
    }

    /**
     * Writes the negative logarithms of probabilities that sum to 1, and returns the index of the largest probability.
     *
     * @param kind 0: some probabilities are 0; 1: any probabilities; 2: none is more than twice as large as another; 3:
     * one is nearly 1; 4: the first is nearly 1
     */
    private int numbers(int count, int kind) {
        double[] weights = new double[count];
        int great = kind == 4 ? 0 : random.nextInt(count);
        double sum = 0;
        for (int i = 0; i < count; i++) {
            weights[i] = kind == 2 ? 1 + random.nextDouble() : random.nextDouble() + 1e-9;
            weights[i] *= kind >= 3 ? (i == great ? 100 : 0.1) : 1;
            weights[i] = kind == 0 && i != great && random.nextInt(3) == 0 ? 0 : weights[i];
            sum += weights[i];
        }
        int greatest = 0;
        for (int i = 0; i < count; i++) {
            greatest = weights[i] > weights[greatest] ? i : greatest;
            text.append("  ");
            if (weights[i] == 0) {
                text.append('*');
            } else {
                String digits = Long.toString(Math.max(0, Math.round(-StrictMath.log(weights[i] / sum) * UNIT)));
                String padded = "0".repeat(Math.max(0, DECIMALS + 1 - digits.length())) + digits;
                text.append(padded, 0, padded.length() - DECIMALS)
                        .append('.')
                        .append(padded, padded.length() - DECIMALS, padded.length());
            }
        }
        return greatest;
    }

    private static String sequence(SplittableRandom random, int size, Drawn profile) {
        int length = Math.max(1, Values.size(random, size));
        StringBuilder sequence = new StringBuilder();
        boolean isAlike = random.nextInt(3) > 0;
        while (sequence.length() < length) {
            if (isAlike && random.nextInt(4) > 0) {
                int from = random.nextInt(profile.likely.length());
                sequence.append(profile.likely, from, from + random.nextInt(profile.likely.length() - from + 1));
            }
            sequence.append(letter(random, profile.alphabet));
        }
        sequence.setLength(length);
        switch (random.nextInt(REJECTED)) {
            case 0 -> sequence.setLength(0);
            case 1 -> sequence.setCharAt(random.nextInt(length), '-');
            case 2 -> sequence.setCharAt(random.nextInt(length), 'é');
            default -> {}
        }
        return sequence.toString();
    }

    private static char letter(SplittableRandom random, int alphabet) {
        String letters = random.nextInt(8) == 0 ? OTHERS[alphabet] : RESIDUES[alphabet];
        return letters.charAt(random.nextInt(letters.length()));
    }
}
