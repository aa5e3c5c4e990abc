package dev.bellman.fold.rna;

import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.LoopEnergies;
import dev.bellman.proof.Values;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Defines {@link RnaFold}: tries every structure of a subsequence, which is composed of structures of smaller
 * subsequences. Tries alternatives in order of preference, and returns the first one that has the minimum energy.
 */
final class RnaTextbook {
    private static final Pattern CONSTRAINT = Pattern.compile("constraint (\\S*)");

    /** The energy and structure of a subsequence; null if it has no structure. */
    private record Part(int energy, String structure) {
        Part around(String before, String behind, int more) {
            return new Part(energy + more, before + structure + behind);
        }
    }

    /** The best alternative so far. */
    private static final class Best {
        private Part part;

        void or(Part other) {
            if (other != null && (part == null || other.energy < part.energy)) {
                part = other;
            }
        }
    }

    private final byte[] bases;
    private final LoopEnergies energies;
    private final boolean noLonelyPairs;
    /** The constraint, with one character per base; all dots if there is no constraint. */
    private final String constraint;

    private final boolean isEnforced;
    private final Map<String, Part> known = new HashMap<>();

    private RnaTextbook(byte[] bases, String text) {
        this.bases = bases;
        FoldOptions options = FoldOptions.constrained("rna_fold", text);
        energies = options.energies();
        noLonelyPairs = options.noLonelyPairs();
        Matcher given = CONSTRAINT.matcher(text);
        constraint = given.find() ? given.group(1) : ".".repeat(bases.length);
        isEnforced = text.contains("enforce");
        if (constraint.length() != bases.length) {
            throw Values.invalid();
        }
        for (int i = 0; i < bases.length; i++) {
            if (constraint.charAt(i) == '(') {
                int j = partner(i);
                if (j - i < 4 || Bases.pair(bases[i], bases[j]) == 0) {
                    throw Values.invalid();
                }
            }
        }
    }

    /** Returns the partner of an opening bracket in the constraint. */
    private int partner(int open) {
        int depth = 0;
        for (int j = open; j < constraint.length(); j++) {
            depth += constraint.charAt(j) == '(' ? 1 : constraint.charAt(j) == ')' ? -1 : 0;
            if (depth == 0) {
                return j;
            }
        }
        throw Values.invalid();
    }

    private boolean isAllowed(int i, int j) {
        for (int open = 0; open < constraint.length(); open++) {
            if (constraint.charAt(open) == '(') {
                int close = partner(open);
                boolean isSame = i == open && j == close;
                boolean hasOne = i == open || j == open || i == close || j == close;
                boolean crosses = (open < i && i < close) != (open < j && j < close);
                if (!isSame && (hasOne || crosses)) {
                    return false;
                }
            }
        }
        return ".|<(".indexOf(constraint.charAt(i)) >= 0 && ".|>)".indexOf(constraint.charAt(j)) >= 0;
    }

    private boolean areFree(int from, int to) {
        return !isEnforced || constraint.substring(from, to).matches("[.x<>]*");
    }

    static Object fold(InternalRow arguments) {
        Part best = best(arguments);
        return Values.row(best.energy / 100.0, UTF8String.fromString(best.structure));
    }

    static Object energy(InternalRow arguments) {
        return best(arguments).energy / 100.0;
    }

    static Object windows(InternalRow arguments) {
        byte[] bases = bases(arguments.getUTF8String(0));
        int window = arguments.getInt(1);
        int step = arguments.getInt(2);
        String options = arguments.getUTF8String(3).toString();
        FoldOptions.of("rna_fold_windows", options);
        if (window < 1 || step < 1) {
            throw Values.invalid();
        }
        List<Object> rows = new ArrayList<>();
        for (long begin = 0; begin < bases.length; begin += step) {
            int end = (int) Math.min(bases.length, begin + window);
            Part best = best(Arrays.copyOfRange(bases, (int) begin, end), options);
            rows.add(Values.row((int) begin, end, best.energy / 100.0, UTF8String.fromString(best.structure)));
            if (end == bases.length) {
                break;
            }
        }
        return Values.arrayOf(rows.toArray());
    }

    private static Part best(InternalRow arguments) {
        String options = arguments.getUTF8String(1).toString();
        return best(bases(arguments.getUTF8String(0)), options);
    }

    private static Part best(byte[] bases, String options) {
        Part best = new RnaTextbook(bases, options).exterior(bases.length);
        if (best == null) {
            throw Values.invalid();
        }
        return best;
    }

    /** Returns the bases of a valid sequence. */
    static byte[] bases(UTF8String seq) {
        String letters = seq.toString().toUpperCase(Locale.ROOT);
        if (!letters.matches("[ACGUTN]*")) {
            throw Values.invalid();
        }
        return Bases.of("rna_fold", "sequence", letters.getBytes(StandardCharsets.US_ASCII));
    }

    private Part once(String part, Supplier<Part> solve) {
        if (!known.containsKey(part)) {
            known.put(part, solve.get());
        }
        return known.get(part);
    }

    private Part exterior(int end) {
        return end == 0
                ? new Part(0, "")
                : once("exterior " + end, () -> {
                    Best best = new Best();
                    Part shorter = areFree(end - 1, end) ? exterior(end - 1) : null;
                    best.or(shorter == null ? null : shorter.around("", ".", 0));
                    for (int i = end - 2; i >= 0; i--) {
                        Part pair = pair(i, end - 1);
                        Part before = pair == null ? null : exterior(i);
                        if (before != null) {
                            best.or(pair.around(
                                    before.structure, "", before.energy + energies.exterior(bases, i, end - 1)));
                        }
                    }
                    return best.part;
                });
    }

    /** Returns the structure from i to j, where i and j pair with each other. */
    private Part pair(int i, int j) {
        if (j - i < 4 || Bases.pair(bases[i], bases[j]) == 0 || !isAllowed(i, j)) {
            return null;
        }
        return noLonelyPairs ? once("pair " + i + " " + j, () -> stacked(i, j)) : insidePair(i, j);
    }

    private Part stacked(int i, int j) {
        if (j - i < 6 || Bases.pair(bases[i + 1], bases[j - 1]) == 0 || !isAllowed(i + 1, j - 1)) {
            return null;
        }
        Part inner = insidePair(i + 1, j - 1);
        return inner == null ? null : inner.around("(", ")", energies.internal(bases, i, j, i + 1, j - 1));
    }

    /** Returns the structure from i to j, where i and j pair with each other, regardless of i - 1 and j + 1. */
    private Part insidePair(int i, int j) {
        return once("inside " + i + " " + j, () -> {
            Best best = new Best();
            if (noLonelyPairs) {
                best.or(pair(i, j));
            }
            if (areFree(i + 1, j)) {
                best.or(new Part(energies.hairpin(bases, i, j), "(" + ".".repeat(j - i - 1) + ")"));
            }
            for (int p = i + 1; p < j; p++) {
                for (int q = j - 1; q > p; q--) {
                    int left = p - i - 1;
                    int right = j - q - 1;
                    Part inner = left + right <= 30 && areFree(i + 1, p) && areFree(q + 1, j) ? pair(p, q) : null;
                    if (inner != null) {
                        best.or(inner.around(
                                "(" + ".".repeat(left), ".".repeat(right) + ")", energies.internal(bases, i, j, p, q)));
                    }
                }
            }
            Part several = several(i + 1, j - 1);
            if (several != null) {
                best.or(several.around("(", ")", energies.closing(bases, i, j)));
            }
            return best.part;
        });
    }

    /** Returns the structure of a multiloop from i to j with at least one branch. */
    private Part multi(int i, int j) {
        return i > j
                ? null
                : once("multi " + i + " " + j, () -> {
                    Best best = new Best();
                    Part shorter = areFree(j, j + 1) ? multi(i, j - 1) : null;
                    best.or(shorter == null ? null : shorter.around("", ".", energies.unpaired));
                    Part later = areFree(i, i + 1) ? multi(i + 1, j) : null;
                    best.or(later == null ? null : later.around(".", "", energies.unpaired));
                    Part pair = pair(i, j);
                    best.or(pair == null ? null : pair.around("", "", energies.branch(bases, i, j)));
                    best.or(several(i, j));
                    return best.part;
                });
    }

    /** Returns the structure of a multiloop from i to j with at least two branches. */
    private Part several(int i, int j) {
        return once("several " + i + " " + j, () -> {
            Best best = new Best();
            for (int k = i; k < j; k++) {
                Part first = multi(i, k);
                Part rest = multi(k + 1, j);
                if (first != null && rest != null) {
                    best.or(first.around("", rest.structure, rest.energy));
                }
            }
            return best.part;
        });
    }
}
