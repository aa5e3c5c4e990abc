package dev.bellman.markov;

import dev.bellman.proof.Values;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Generates reads of a haplotype with sequencing errors, and with ordinary, high, low or constant qualities. Some reads
 * have a very small likelihood or a likelihood of 0.
 */
final class PairHmmInstances {
    private static final int REJECTED = 300;

    private static final String USUAL = "ACGT";
    private static final String UNUSUAL = "ACGTNacgtnRX";
    private static final int MAX_QUALITY = 93;

    private PairHmmInstances() {}

    static InternalRow reads(SplittableRandom random, int size) {
        String letters = random.nextInt(3) == 0 ? UNUSUAL : random.nextInt(8) == 0 ? "A" : USUAL;
        int length = Math.max(1, Values.size(random, size));
        StringBuilder haplotype = new StringBuilder();
        for (int j = 0; j < Math.max(1, Values.size(random, size)); j++) {
            haplotype.append(letters.charAt(random.nextInt(letters.length())));
        }
        StringBuilder read = new StringBuilder();
        int at = random.nextInt(haplotype.length());
        int errors = random.nextInt(4) == 0 ? 2 : 20;
        while (read.length() < length) {
            boolean isError = random.nextInt(errors) == 0 || at >= haplotype.length();
            read.append(isError ? letters.charAt(random.nextInt(letters.length())) : haplotype.charAt(at));
            at += isError ? random.nextInt(3) : 1;
        }
        String qualities = qualities(random, length, false);
        return Values.row(
                text(random, wrong(random, read.toString(), "", "A-C", "AÄC")),
                text(random, wrong(random, qualities, "", qualities + "I", qualities.substring(1) + " ")),
                text(random, wrong(random, haplotype.toString(), "", "A C", "A\0")),
                text(random, wrong(random, gaps(random, length, 45), "", "\n")),
                text(random, wrong(random, gaps(random, length, 45), "", "IIé")),
                text(random, wrong(random, gaps(random, length, 10), "", "\177")));
    }

    private static String gaps(SplittableRandom random, int length, int usual) {
        return switch (random.nextInt(4)) {
            case 0 -> qualities(random, length, false);
            case 1 -> qualities(random, length, true);
            default -> Character.toString('!' + usual);
        };
    }

    private static String qualities(SplittableRandom random, int length, boolean isShort) {
        IntUnaryOperator quality =
                switch (random.nextInt(6)) {
                    case 0 -> i -> random.nextInt(MAX_QUALITY + 1);
                    case 1 -> i -> random.nextInt(5);
                    case 2 -> i -> MAX_QUALITY;
                    default -> i -> 10 + random.nextInt(35);
                };
        StringBuilder qualities = new StringBuilder();
        for (int i = 0; i < (isShort ? 1 : length); i++) {
            qualities.append((char) ('!' + quality.applyAsInt(i)));
        }
        return qualities.toString();
    }

    private static String wrong(SplittableRandom random, String right, String... wrong) {
        return random.nextInt(REJECTED) == 0 ? Values.oneOf(random, wrong) : right;
    }

    private static UTF8String text(SplittableRandom random, String text) {
        return Values.sometimesNull(random, UTF8String.fromString(text));
    }
}
