package dev.bellman.markov.profile;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The alphabets of profiles, with the frequencies of residues in HMMER's null model and the letters that represent
 * several residues.
 */
enum Residues {
    AMINO(
            "amino",
            "ACDEFGHIKLMNPQRSTVWY",
            new double[] {
                0.0787945, 0.0151600, 0.0535222, 0.0668298, 0.0397062, 0.0695071, 0.0229198, 0.0590092, 0.0594422,
                0.0963728, 0.0237718, 0.0414386, 0.0482904, 0.0395639, 0.0540978, 0.0683364, 0.0540687, 0.0673417,
                0.0114135, 0.0304133
            },
            "B=DN J=IL Z=EQ O=K U=C X=ACDEFGHIKLMNPQRSTVWY"),
    DNA("DNA", "ACGT", Nucleotides.FREQUENCIES, Nucleotides.AMBIGUOUS + " U=T"),
    RNA("RNA", "ACGU", Nucleotides.FREQUENCIES, Nucleotides.AMBIGUOUS.replace('T', 'U') + " T=U");

    private static final class Nucleotides {
        static final double[] FREQUENCIES = {0.25, 0.25, 0.25, 0.25};
        /**
         * The nucleotide letters that represent several residues. As in HMMER, X is treated as N, and inosine as
         * adenosine, from which it arises.
         */
        static final String AMBIGUOUS = "R=AG Y=CT M=AC K=GT S=CG W=AT H=ACT B=CGT V=ACG D=AGT N=ACGT X=ACGT I=A";
    }

    /** The code of characters that are not letters of the alphabet. */
    static final int NONE = -1;

    /** A letter that never matches but may be inserted, as in HMMER's vector code. */
    private static final byte STOP = '*';

    private static final int LETTERS = 128;

    private final String label;
    private final String letters;
    private final double[] frequencies;
    /** The residues that each letter represents; the last letter is {@code *}. */
    private final int[][] meanings;

    private final byte[] codes = new byte[LETTERS];

    Residues(String label, String letters, double[] frequencies, String ambiguous) {
        this.label = label;
        this.letters = letters;
        this.frequencies = frequencies;
        String[] others = ambiguous.split(" ");
        meanings = new int[letters.length() + others.length + 1][];
        Arrays.fill(codes, (byte) NONE);
        for (int i = 0; i < meanings.length - 1; i++) {
            String meaning =
                    i < letters.length() ? letters.substring(i, i + 1) : others[i - letters.length()].substring(2);
            char letter = i < letters.length() ? letters.charAt(i) : others[i - letters.length()].charAt(0);
            meanings[i] = meaning.chars().map(letters::indexOf).toArray();
            codes[letter] = (byte) i;
            codes[Character.toLowerCase(letter)] = (byte) i;
        }
        meanings[meanings.length - 1] = new int[0];
        codes[STOP] = (byte) (meanings.length - 1);
    }

    /** Returns the alphabet with the given name in profiles, ignoring case. */
    static Optional<Residues> named(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label.equalsIgnoreCase(label))
                .findFirst();
    }

    int count() {
        return letters.length();
    }

    /** Returns the number of letters, including those that represent several residues, and {@code *}. */
    int letterCount() {
        return meanings.length;
    }

    /** Returns the number of a letter, or {@link #NONE}. */
    int code(byte letter) {
        return letter < 0 ? NONE : codes[letter];
    }

    double frequency(int residue) {
        return frequencies[residue];
    }

    /** Returns the score of a letter: the expected score over the residues that the letter represents. */
    double expected(int letter, double... scores) {
        int[] residues = meanings[letter];
        if (residues.length == 1) {
            return scores[residues[0]];
        }
        double sum = 0;
        double weight = 0;
        for (int residue : residues) {
            sum += frequencies[residue] * scores[residue];
            weight += frequencies[residue];
        }
        return residues.length == 0 ? Double.NEGATIVE_INFINITY : sum / weight;
    }

    /** Returns all letters that a sequence may contain, for messages. */
    String allowed() {
        StringBuilder allowed = new StringBuilder();
        IntStream.range(0, LETTERS)
                .filter(letter -> codes[letter] != NONE && !Character.isLowerCase(letter) && letter != STOP)
                .forEach(letter -> allowed.append((char) letter));
        return "one of %s or *".formatted(allowed);
    }

    @Override
    public String toString() {
        return label;
    }
}
