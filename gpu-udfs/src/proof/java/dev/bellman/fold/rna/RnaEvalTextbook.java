package dev.bellman.fold.rna;

import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.LoopEnergies;
import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines {@link RnaEval}: finds the pairs directly inside each pair by counting brackets. */
final class RnaEvalTextbook {
    private RnaEvalTextbook() {}

    static Object solve(InternalRow arguments) {
        byte[] bases = RnaTextbook.bases(arguments.getUTF8String(0));
        String structure = arguments.getUTF8String(1).toString();
        String options = arguments.getUTF8String(2).toString();
        return solve(bases, structure, FoldOptions.of("rna_eval", options).energies());
    }

    static InternalRow solve(byte[] bases, String structure, LoopEnergies energies) {
        if (structure.length() != bases.length || !structure.matches("[.()]*")) {
            throw Values.invalid();
        }
        List<Object> rows = new ArrayList<>();
        int sum = 0;
        for (int i = -1; i < bases.length; i++) {
            if (i >= 0 && structure.charAt(i) != '(') {
                continue;
            }
            int j = i < 0 ? bases.length : partner(structure, i);
            List<int[]> branches = branches(structure, i + 1, j);
            int unpaired = j - i - 1;
            for (int[] branch : branches) {
                unpaired -= branch[1] - branch[0] + 1;
                if (Bases.pair(bases[branch[0]], bases[branch[1]]) == 0) {
                    throw Values.invalid();
                }
            }
            if (i >= 0 && branches.isEmpty() && unpaired < 3) {
                throw Values.invalid();
            }
            int energy = energy(energies, bases, i, j, branches, unpaired);
            boolean inner = i >= 0 && branches.size() == 1;
            rows.add(Values.row(
                    UTF8String.fromString(kind(i, j, branches, unpaired)),
                    i < 0 ? null : (Object) (i + 1),
                    i < 0 ? null : (Object) (j + 1),
                    inner ? (Object) (branches.get(0)[0] + 1) : null,
                    inner ? (Object) (branches.get(0)[1] + 1) : null,
                    energy / 100.0));
            sum += energy;
        }
        if (structure.chars().filter(letter -> letter == ')').count() != rows.size() - 1) {
            throw Values.invalid();
        }
        return Values.row(sum / 100.0, Values.arrayOf(rows.toArray()));
    }

    static int partner(String structure, int i) {
        int depth = 0;
        for (int j = i; j < structure.length(); j++) {
            depth += structure.charAt(j) == '(' ? 1 : structure.charAt(j) == ')' ? -1 : 0;
            if (depth == 0) {
                return j;
            }
        }
        throw Values.invalid();
    }

    static List<int[]> branches(String structure, int from, int to) {
        List<int[]> branches = new ArrayList<>();
        for (int p = from; p < to; p++) {
            if (structure.charAt(p) == ')') {
                throw Values.invalid();
            }
            if (structure.charAt(p) == '(') {
                int q = partner(structure, p);
                branches.add(new int[] {p, q});
                p = q;
            }
        }
        return branches;
    }

    private static int energy(LoopEnergies energies, byte[] bases, int i, int j, List<int[]> branches, int unpaired) {
        if (energies.areDanglesExclusive() && (i < 0 || branches.size() > 1)) {
            return DanglesTextbook.loop(energies, bases, i, j, branches) + (i < 0 ? 0 : unpaired * energies.unpaired);
        }
        if (i < 0) {
            return branches.stream()
                    .mapToInt(branch -> energies.exterior(bases, branch[0], branch[1]))
                    .sum();
        }
        return switch (branches.size()) {
            case 0 -> energies.hairpin(bases, i, j);
            case 1 -> energies.internal(bases, i, j, branches.get(0)[0], branches.get(0)[1]);
            default ->
                energies.closing(bases, i, j)
                        + unpaired * energies.unpaired
                        + branches.stream()
                                .mapToInt(branch -> energies.branch(bases, branch[0], branch[1]))
                                .sum();
        };
    }

    private static String kind(int i, int j, List<int[]> branches, int unpaired) {
        if (i < 0 || branches.isEmpty()) {
            return i < 0 ? "exterior" : "hairpin";
        }
        if (branches.size() > 1) {
            return "multiloop";
        }
        boolean bulge = branches.get(0)[0] == i + 1 || branches.get(0)[1] == j - 1;
        return unpaired == 0 ? "stack" : bulge ? "bulge" : "internal";
    }
}
