package dev.bellman.align;

import dev.bellman.Thorough;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Pairs for tests: random pairs from a seed, and pairs that are difficult for words of 64 rows. */
public final class TestPairs {
    public record Pair(String a, String b) {}

    public static final String DNA = "ACGT";
    public static final String LETTERS = "abcdefghijklmnopqrstuvwxyz";
    public static final String MIXED = "abÀéß\u00ffĀж中文字\uffff\ud83d\ude00\ud83d\ude01\ud835\udd38\udbff\udfff";

    private static final int[] EDGES = {
        0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 320
    };

    private TestPairs() {}

    public static String random(Random random, String alphabet, int length) {
        int[] symbols = alphabet.codePoints().toArray();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(symbols[random.nextInt(symbols.length)]);
        }
        return text.toString();
    }

    /**
     * Returns a copy in which each symbol is substituted, deleted or followed by a new one with the given probability.
     */
    public static String mutate(Random random, String alphabet, String text, double rate) {
        int[] symbols = alphabet.codePoints().toArray();
        StringBuilder copy = new StringBuilder();
        text.codePoints().forEach(symbol -> {
            int other = symbols[random.nextInt(symbols.length)];
            if (random.nextDouble() >= rate) {
                copy.appendCodePoint(symbol);
            } else {
                switch (random.nextInt(3)) {
                    case 0 -> copy.appendCodePoint(other);
                    case 1 -> copy.appendCodePoint(symbol).appendCodePoint(other);
                    default -> {}
                }
            }
        });
        return copy.toString();
    }

    /** Returns several thousand pairs of up to a few hundred symbols. */
    public static List<Pair> many(long seed) {
        Random random = new Random(seed);
        List<Pair> pairs = new ArrayList<>();
        for (int n : EDGES) {
            for (int m : EDGES) {
                for (String alphabet : List.of("ab", DNA, MIXED)) {
                    pairs.add(new Pair(random(random, alphabet, n), random(random, alphabet, m)));
                }
                pairs.add(new Pair("a".repeat(n), "a".repeat(m)));
                pairs.add(new Pair("a".repeat(n), "b".repeat(m)));
                pairs.add(new Pair("ab".repeat(n / 2), "ba".repeat(m / 2)));
            }
        }
        for (int round = 0; round < 3_000; round++) {
            String alphabet = List.of("ab", DNA, LETTERS, MIXED).get(round % 4);
            int length = random.nextInt(round % 10 == 0 ? 300 : 24);
            String a = random(random, alphabet, length);
            pairs.add(new Pair(a, random(random, alphabet, random.nextInt(length + 20))));
            pairs.add(new Pair(a, mutate(random, alphabet, a, random.nextDouble() * 0.4)));
        }
        // characters that share bytes, with and without a common prefix and a common suffix around them
        for (String text : List.of("\ud83d\ude00", "\ud83d\ude00\ud83d\ude01", "x\ud83d\ude00", "é", "\u00a9")) {
            for (String other : List.of("\ud83d\ude01", "\ud83e\ude00", "\ud83d\ude00", "ã", "é", "x", "")) {
                pairs.add(new Pair(text, other));
                pairs.add(new Pair("y" + text + "z", "y" + other + "z"));
            }
        }
        return pairs;
    }

    /**
     * Returns a part of the pairs, about one in {@code of}, including some of each kind. In thorough tests, returns all
     * pairs.
     */
    public static List<Pair> part(List<Pair> all, int of) {
        int step = Thorough.rounds(of, 1);
        return IntStream.range(0, all.size())
                .filter(i -> (i + i / 6) % step == 0)
                .mapToObj(all::get)
                .toList();
    }

    /**
     * Returns similar and dissimilar pairs of up to a few thousand symbols: 18 pairs or, in thorough tests, 52 pairs.
     */
    public static List<Pair> longer(long seed) {
        Random random = new Random(seed);
        List<Pair> pairs = new ArrayList<>();
        for (String alphabet : List.of("ab", DNA, LETTERS, MIXED)) {
            for (double rate : new double[] {0, 0.001, 0.02, 0.1, 0.5}) {
                int length = 1_000 + random.nextInt(1_500);
                String a = random(random, alphabet, length);
                pairs.add(new Pair(a, mutate(random, alphabet, a, rate)));
                // the same text, shifted by 200 symbols
                pairs.add(new Pair(a + random(random, alphabet, 300), random(random, alphabet, 200) + a));
            }
            pairs.add(new Pair(random(random, alphabet, 40), random(random, alphabet, 3_000)));
            pairs.add(new Pair(random(random, alphabet, 3_000), random(random, alphabet, 70)));
            pairs.add(new Pair(random(random, alphabet, 2_048), random(random, alphabet, 2_176)));
        }
        int step = Thorough.rounds(3, 1);
        return IntStream.range(0, pairs.size())
                .filter(i -> i % step == 0)
                .mapToObj(pairs::get)
                .toList();
    }

    /**
     * Returns at most {@code most} bytes: Latin-1 text, bytes drawn one by one from text in UTF-8, bytes that are not
     * ASCII, or arbitrary bytes.
     */
    public static byte[] malformed(Random random, int most) {
        byte[] bytes = new byte[random.nextInt(most + 1)];
        int kind = random.nextInt(4);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte)
                    switch (kind) {
                        case 0 -> "ab\u00e4\u00f6\u00fc\u00f1\u00f3\u00e9".charAt(random.nextInt(8));
                        case 1 -> MIXED.getBytes(StandardCharsets.UTF_8)[random.nextInt(30)];
                        case 2 -> 0x80 + random.nextInt(0x80);
                        default -> random.nextInt(256);
                    };
        }
        return bytes;
    }
}
