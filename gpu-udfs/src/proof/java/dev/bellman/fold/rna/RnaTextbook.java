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
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Defines {@link RnaFold} and {@link RnaCofold}: composes the structures of each subsequence from structures of smaller
 * subsequences. Tries alternatives in order of preference, and returns the first one that has the minimum energy.
 *
 * <p>Two strands are one sequence with a nick between two bases. The loop that contains the nick counts as an exterior
 * loop.
 */
final class RnaTextbook {
    private static final Pattern CONSTRAINT = Pattern.compile("constraint (\\S*)");

    /** The energy and structure of a subsequence; null if it has no structure. */
    record Part(int energy, String structure) {
        Part around(String before, String behind, int more) {
            return new Part(energy + more, before + structure + behind);
        }
    }

    /** The best alternative so far. */
    static final class Best {
        private Part part;

        Part part() {
            return part;
        }

        void or(Part other) {
            if (other != null && (part == null || other.energy < part.energy)) {
                part = other;
            }
        }
    }

    private final byte[] bases;
    /** The index of the second strand's first base; the length if there is only one strand. */
    private final int nick;

    private final LoopEnergies energies;
    private final DanglingPartsTextbook dangles;
    private final boolean noLonelyPairs;
    /** The constraint, with one character per base; all dots if there is no constraint. */
    private final String constraint;

    private final boolean isEnforced;
    private final Map<String, Part> known = new HashMap<>();

    RnaTextbook(byte[] bases, int nick, String text) {
        this.bases = bases;
        this.nick = nick;
        FoldOptions options = FoldOptions.folding("rna_fold", text);
        energies = options.energies();
        dangles = new DanglingPartsTextbook(this, energies, bases);
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

    boolean isAllowed(int i, int j) {
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

    boolean areFree(int from, int to) {
        return !isEnforced || constraint.substring(from, to).matches("[.x<>]*");
    }

    static Object fold(InternalRow arguments) {
        Part best = best(arguments);
        return Values.row(best.energy / 100.0, UTF8String.fromString(best.structure));
    }

    static Object energy(InternalRow arguments) {
        return best(arguments).energy / 100.0;
    }

    static Object cofold(InternalRow arguments) {
        byte[] a = bases(arguments.getUTF8String(0));
        byte[] b = bases(arguments.getUTF8String(1));
        byte[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        String options = arguments.getUTF8String(2).toString();
        FoldOptions.ofStrands("rna_cofold", options);
        Part best = new RnaTextbook(both, a.length, options).strands();
        String structure =
                new StringBuilder(best.structure).insert(a.length, '&').toString();
        return Values.row(best.energy / 100.0, UTF8String.fromString(structure));
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

    /** Rejects a constraint that is malformed or that no structure satisfies. */
    static void check(byte[] bases, String options) {
        best(bases, options);
    }

    private static Part best(byte[] bases, String options) {
        Part best = options.contains("circular")
                ? CircularTextbook.fold(bases, options)
                : new RnaTextbook(bases, bases.length, options).exterior(0, bases.length);
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

    /** Returns the structure of both strands. Ties: a structure that connects the strands is preferred. */
    private Part strands() {
        Best best = new Best();
        best.or(connected(bases.length));
        Part second = exterior(nick, bases.length);
        best.or(exterior(0, nick).around("", second.structure, second.energy));
        return best.part;
    }

    /** Returns the structure of the bases before {@code end} in the exterior loop, if a pair connects the strands. */
    private Part connected(int end) {
        return end == nick
                ? null
                : once("connected " + end, () -> {
                    Best best = new Best();
                    Part shorter = connected(end - 1);
                    best.or(shorter == null ? null : shorter.around("", ".", 0));
                    for (int i = end - 2; i >= 0; i--) {
                        orPair(best, i < nick ? exterior(0, i) : connected(i), i, end - 1);
                    }
                    return best.part;
                });
    }

    /** Returns the structure of the bases of a strand from {@code begin} to {@code end} in the exterior loop. */
    private Part exterior(int begin, int end) {
        return end == begin
                ? new Part(0, "")
                : once("exterior " + begin + " " + end, () -> {
                    Best best = new Best();
                    Part shorter = areFree(end - 1, end) ? exterior(begin, end - 1) : null;
                    best.or(shorter == null ? null : shorter.around("", ".", 0));
                    for (int i = end - 2; i >= begin; i--) {
                        if (energies.areDanglesExclusive()) {
                            Part branch = dangles.exterior(i, end - 1);
                            Part before = branch == null ? null : exterior(begin, i);
                            best.or(before == null ? null : branch.around(before.structure, "", before.energy));
                        } else {
                            orPair(best, pair(i, end - 1) == null ? null : exterior(begin, i), i, end - 1);
                        }
                    }
                    return best.part;
                });
    }

    private void orPair(Best best, Part before, int i, int j) {
        Part pair = pair(i, j);
        best.or(
                pair == null || before == null
                        ? null
                        : pair.around(before.structure, "", before.energy + branch(i, j)));
    }

    /** Whether two bases are on the same strand. */
    private boolean isJoined(int i, int j) {
        return i < nick == j < nick;
    }

    /** Returns the energy of a branch of the exterior loop; a base of the other strand is not a neighbour. */
    private int branch(int i, int j) {
        return energies.exterior(bases, i < nick ? 0 : nick, j < nick ? nick : bases.length, i, j);
    }

    /**
     * Returns the structure of a pair that connects the strands and of everything inside it, if its loop contains the
     * nick.
     */
    private Part open(int i, int j) {
        byte[] loop = Arrays.copyOfRange(bases, nick, nick + bases.length);
        System.arraycopy(bases, 0, loop, bases.length - nick, nick);
        int pair = energies.exterior(loop, j - nick, bases.length - nick + i);
        Part first = after(i + 1);
        Part rest = before(j);
        return new Part(
                energies.strand + pair + first.energy + rest.energy, "(" + first.structure + rest.structure + ")");
    }

    /** Returns the structure of the first strand from i on, in the exterior loop. */
    private Part after(int i) {
        return i == nick
                ? new Part(0, "")
                : once("after " + i, () -> {
                    Best best = new Best();
                    best.or(after(i + 1).around(".", "", 0));
                    IntStream.concat(IntStream.of(nick - 1), IntStream.range(i + 1, nick - 1))
                            .filter(j -> pair(i, j) != null)
                            .forEach(j -> best.or(
                                    pair(i, j).around("", after(j + 1).structure, after(j + 1).energy + branch(i, j))));
                    return best.part;
                });
    }

    /** Returns the structure of the second strand before {@code end}, in the exterior loop. */
    private Part before(int end) {
        return end == nick
                ? new Part(0, "")
                : once("before " + end, () -> {
                    Best best = new Best();
                    best.or(before(end - 1).around("", ".", 0));
                    IntStream.range(nick, end)
                            .filter(i -> pair(i, end - 1) != null)
                            .forEach(i -> best.or(pair(i, end - 1)
                                    .around(before(i).structure, "", before(i).energy + branch(i, end - 1))));
                    return best.part;
                });
    }

    /**
     * Returns the structure from i to j, where i and j pair with each other. If lonely pairs are not allowed, so do i +
     * 1 and j - 1.
     */
    Part pair(int i, int j) {
        if (isJoined(i, j) && j - i < 4 || Bases.pair(bases[i], bases[j]) == 0 || !isAllowed(i, j)) {
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

    /**
     * Returns the structure from i to j, where i and j pair with each other. If lonely pairs are not allowed, i - 1 and
     * j + 1 must pair, too, so that i and j are not a lonely pair.
     */
    private Part insidePair(int i, int j) {
        return once("inside " + i + " " + j, () -> {
            Best best = new Best();
            if (noLonelyPairs) {
                best.or(pair(i, j));
            }
            if (isJoined(i, j) && areFree(i + 1, j)) {
                best.or(new Part(energies.hairpin(bases, i, j), "(" + ".".repeat(j - i - 1) + ")"));
            }
            for (int p = i + 1; p < j; p++) {
                for (int q = j - 1; q > p; q--) {
                    int left = p - i - 1;
                    int right = j - q - 1;
                    boolean isLoop = left + right <= 30 && isJoined(i, p) && isJoined(q, j);
                    Part inner = isLoop && areFree(i + 1, p) && areFree(q + 1, j) ? pair(p, q) : null;
                    if (inner != null) {
                        best.or(inner.around(
                                "(" + ".".repeat(left), ".".repeat(right) + ")", energies.internal(bases, i, j, p, q)));
                    }
                }
            }
            if (!isJoined(i, j)) {
                best.or(open(i, j));
            }
            Part several = isJoined(i, i + 1) && isJoined(j - 1, j) ? several(i + 1, j - 1) : null;
            if (energies.areDanglesExclusive()) {
                best.or(dangles.multiloop(i, j));
            } else if (several != null) {
                best.or(several.around("(", ")", energies.closing(bases, i, j)));
            }
            return best.part;
        });
    }

    /** Returns the structure of a multiloop from i to j with at least one branch. */
    Part multi(int i, int j) {
        return i > j
                ? null
                : once("multi " + i + " " + j, () -> {
                    Best best = new Best();
                    Part shorter = areFree(j, j + 1) && isJoined(j - 1, j) ? multi(i, j - 1) : null;
                    best.or(shorter == null ? null : shorter.around("", ".", energies.unpaired));
                    Part later = areFree(i, i + 1) && isJoined(i, i + 1) ? multi(i + 1, j) : null;
                    best.or(later == null ? null : later.around(".", "", energies.unpaired));
                    if (energies.areDanglesExclusive()) {
                        best.or(dangles.branch(i, j));
                    } else {
                        Part pair = pair(i, j);
                        best.or(pair == null ? null : pair.around("", "", energies.branch(bases, i, j)));
                    }
                    best.or(several(i, j));
                    return best.part;
                });
    }

    /** Returns the structure of a multiloop from i to j with at least two branches. */
    Part several(int i, int j) {
        return once("several " + i + " " + j, () -> {
            Best best = new Best();
            for (int k = i; k < j; k++) {
                Part first = isJoined(k, k + 1) ? multi(i, k) : null;
                Part rest = multi(k + 1, j);
                if (first != null && rest != null) {
                    best.or(first.around("", rest.structure, rest.energy));
                }
            }
            return best.part;
        });
    }
}
