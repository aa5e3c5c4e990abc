package dev.bellman.fold.rna;

import dev.bellman.fold.rna.RnaTextbook.Best;
import dev.bellman.fold.rna.RnaTextbook.Part;
import dev.bellman.fold.rna.energy.LoopEnergies;
import dev.bellman.fold.rna.energy.LoopWeights;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Defines {@link CircularFold}: tries every loop that contains the last and the first base, in order of preference. As
 * in {@link CircularFold}, the last base is added in front of the sequence, and the first base at the end.
 */
final class CircularTextbook {
    private static final Pattern CONSTRAINT = Pattern.compile("constraint (\\S*)");

    private final int n;
    /** Two concatenated copies of the sequence. */
    private final byte[] twice;

    private final LoopEnergies energies;
    /** The textbook that finds the structures inside pairs. */
    private final RnaTextbook parts;

    private final Best best = new Best();

    private CircularTextbook(byte[] bases, String options) {
        n = bases.length;
        twice = Arrays.copyOf(bases, 2 * n);
        System.arraycopy(bases, 0, twice, n, n);
        energies = FoldOptions.folding("rna_fold", options).energies();
        byte[] padded = new byte[n + 2];
        for (int i = 0; i < padded.length && n > 0; i++) {
            padded[i] = bases[(i + n - 1) % n];
        }
        Matcher given = CONSTRAINT.matcher(options);
        String constraint = given.find() ? given.group(1) : ".".repeat(n);
        parts = new RnaTextbook(padded, n + 2, given.replaceAll("") + " constraint x" + constraint + "x");
    }

    /** Returns the structure of a circular RNA; null if there is none. */
    static Part fold(byte[] bases, String options) {
        // rejects a constraint of a different length
        new RnaTextbook(bases, bases.length, options);
        return new CircularTextbook(bases, options).fold();
    }

    private Part fold() {
        for (int i = 1; i <= n; i++) {
            for (int j = i + 4; j <= n; j++) {
                orHairpin(i, j);
            }
        }
        for (int i = 1; i <= n; i++) {
            for (int j = i + 4; j <= n; j++) {
                for (int p = j + 1; p <= n; p++) {
                    for (int q = n; q > p + 3; q--) {
                        orInternal(i, j, p, q);
                    }
                }
            }
        }
        for (int k = 1; k < n; k++) {
            for (int l = k + 1; l < n; l++) {
                orMulti(parts.multi(1, k), parts.multi(k + 1, l), parts.multi(l + 1, n));
            }
        }
        best.or(parts.areFree(1, n + 1) ? new Part(energies.circle(n), ".".repeat(n)) : null);
        return best.part();
    }

    private void orHairpin(int i, int j) {
        boolean isLoop = n - j + i - 1 >= 3 && parts.areFree(j + 1, n + 1) && parts.areFree(1, i);
        Part pair = isLoop ? parts.pair(i, j) : null;
        if (pair != null) {
            int loop = energies.hairpin(twice, j - 1, n + i - 1);
            best.or(pair.around(".".repeat(i - 1), ".".repeat(n - j), loop));
        }
    }

    private void orInternal(int i, int j, int p, int q) {
        boolean isLoop = p - j - 1 + i - 1 + n - q <= 30
                && parts.areFree(1, i)
                && parts.areFree(j + 1, p)
                && parts.areFree(q + 1, n + 1);
        Part first = isLoop ? parts.pair(i, j) : null;
        Part second = first == null ? null : parts.pair(p, q);
        if (second != null) {
            int loop = energies.internal(twice, j - 1, n + i - 1, p - 1, q - 1);
            String behind = ".".repeat(p - j - 1) + second.structure() + ".".repeat(n - q);
            best.or(first.around(".".repeat(i - 1), behind, second.energy() + loop));
        }
    }

    private void orMulti(Part first, Part second, Part third) {
        if (first != null && second != null && third != null) {
            String behind = second.structure() + third.structure();
            best.or(first.around("", behind, second.energy() + third.energy() + energies.closing));
        }
    }

    /** Whether the loop that contains the last and the first base may be part of a structure. */
    static boolean hasEnergy(String structure) {
        List<int[]> branches = RnaEvalTextbook.branches(structure, 0, structure.length());
        return branches.size() != 1 || structure.length() - 1 - branches.get(0)[1] + branches.get(0)[0] >= 3;
    }

    /**
     * Returns the weight of the loop that contains the last and the first base, for {@link EnsembleTextbook}. If the
     * sequence started with the last base of the first branch, this branch would close the loop.
     */
    static double weight(LoopWeights weights, List<int[]> branches, byte... bases) {
        int n = bases.length;
        int start = branches.get(0)[1];
        byte[] turned = Arrays.copyOfRange(bases, start, start + n);
        System.arraycopy(bases, 0, turned, n - start, start);
        List<int[]> others = branches.subList(1, branches.size()).stream()
                .map(branch -> new int[] {branch[0] - start, branch[1] - start})
                .toList();
        return EnsembleTextbook.weight(weights, turned, 0, n - start + branches.get(0)[0], others);
    }
}
