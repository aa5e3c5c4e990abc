package dev.bellman.fold.rna;

import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.LoopWeights;
import dev.bellman.proof.Leeway;
import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Defines {@link RnaEnsemble}, {@link PairProbabilities} and {@link CofoldEnsemble} by enumerating all structures. As
 * in {@link RnaTextbook}, two strands are one sequence with a nick between two bases.
 */
final class EnsembleTextbook {
    /**
     * The tolerance for sums that are added in a different order: relative to the larger sum, or absolute if both are
     * below 1.
     */
    private static final double CLOSE = 1e-9;

    /** A number that is larger than the number of bases in any sequence. */
    private static final int MAX = 1 << 15;

    private final byte[] bases;
    /** The index of the second strand's first base; the length if there is only one strand. */
    private final int nick;

    /** The weight of the circle without pairs; NaN if the RNA is linear. */
    private final double circle;

    private final LoopWeights weights;
    private final RnaTextbook constraint;
    private final Map<String, Double> structures = new TreeMap<>();
    private double sum;

    private EnsembleTextbook(byte[] bases, int nick, String options) {
        this.bases = bases;
        this.nick = nick;
        FoldOptions parsed = FoldOptions.ensemble("rna_ensemble", options);
        weights = parsed.weights();
        circle = parsed.isCircular() ? weights.weight(parsed.energies().circle(bases.length)) : Double.NaN;
        constraint = new RnaTextbook(bases, nick, options);
        for (String structure : structures(0, bases.length - 1)) {
            if (parsed.isCircular() && !CircularTextbook.hasEnergy(structure)) {
                continue;
            }
            structures.put(structure, weight(structure));
            sum += weight(structure);
        }
    }

    private static EnsembleTextbook of(InternalRow arguments, int at) {
        String options = arguments.getUTF8String(at).toString();
        byte[] bases = RnaTextbook.bases(arguments.getUTF8String(0));
        // the ensemble includes structures with lonely pairs
        RnaTextbook.check(bases, options.replace("no_lp", ""));
        return new EnsembleTextbook(bases, bases.length, options);
    }

    static Object cofold(InternalRow arguments) {
        byte[] a = RnaTextbook.bases(arguments.getUTF8String(0));
        byte[] b = RnaTextbook.bases(arguments.getUTF8String(1));
        byte[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        String options = arguments.getUTF8String(2).toString();
        FoldOptions.ofStrands("rna_cofold", options);
        EnsembleTextbook all = new EnsembleTextbook(both, a.length, options);
        double apart = 0;
        double connected = 0;
        for (Map.Entry<String, Double> each : all.structures.entrySet()) {
            if (all.isConnected(each.getKey())) {
                connected += each.getValue();
            } else {
                apart += each.getValue();
            }
        }
        double dimer = connected * all.weights.weight(all.weights.strand) / all.rotations();
        return Values.row(
                all.energy(apart + dimer),
                connected == 0 ? null : (Object) all.energy(dimer),
                all.energy(new EnsembleTextbook(a, a.length, options).sum),
                all.energy(new EnsembleTextbook(b, b.length, options).sum),
                all.energy(apart + connected));
    }

    private double energy(double weight) {
        return weights.energy(Math.log(weight)) / 100;
    }

    private int rotations() {
        int count = 1;
        for (int shift = 1; shift < bases.length; shift++) {
            boolean isSame = true;
            for (int i = 0; i < bases.length; i++) {
                isSame &= bases[i] == bases[(i + shift) % bases.length];
            }
            count += isSame ? 1 : 0;
        }
        return count;
    }

    private boolean isConnected(String structure) {
        for (int i = 0; i < nick; i++) {
            if (structure.charAt(i) == '(' && RnaEvalTextbook.partner(structure, i) >= nick) {
                return true;
            }
        }
        return false;
    }

    static Object ensemble(InternalRow arguments) {
        EnsembleTextbook all = of(arguments, 1);
        double energy = all.weights.energy(Math.log(all.sum));
        double least = (double) RnaTextbook.energy(arguments) * 100;
        double diversity = 0;
        for (double p : all.probabilities().values()) {
            diversity += 2 * p * (1 - p);
        }
        return Values.row(energy / 100, all.weights.weight(least - energy), diversity);
    }

    static Object pairs(InternalRow arguments) {
        double least = arguments.getDouble(1);
        if (!(least >= 0 && least <= 1)) {
            throw Values.invalid();
        }
        List<Object> rows = new ArrayList<>();
        of(arguments, 2).probabilities().forEach((pair, p) -> {
            if (p >= least) {
                rows.add(Values.row(pair / MAX + 1, pair % MAX + 1, p));
            }
        });
        return Values.arrayOf(rows.toArray());
    }

    static Object mostAccurate(InternalRow arguments) {
        double gamma = arguments.getDouble(1);
        if (!(gamma >= 0 && gamma <= 1e6)) {
            throw Values.invalid();
        }
        EnsembleTextbook all = of(arguments, 2);
        Map<Integer, Double> probabilities = all.probabilities();
        String best = null;
        // the most accurate structure may have unpaired bases that the constraint requires to pair
        String options = arguments.getUTF8String(2).toString().replace("enforce", "");
        for (String structure : new EnsembleTextbook(all.bases, all.nick, options).structures.keySet()) {
            if (!all.isProbable(structure, probabilities)) {
                continue;
            }
            if (best == null
                    || all.accuracy(structure, probabilities, gamma) > all.accuracy(best, probabilities, gamma)) {
                best = structure;
            }
        }
        return UTF8String.fromString(best);
    }

    /** Returns the pair probabilities; a key is the first base times {@link #MAX} plus the second base. */
    private Map<Integer, Double> probabilities() {
        Map<Integer, Double> probabilities = new TreeMap<>();
        structures.forEach((structure, weight) -> {
            for (int i = 0; i < structure.length(); i++) {
                if (structure.charAt(i) == '(') {
                    probabilities.merge(i * MAX + RnaEvalTextbook.partner(structure, i), weight / sum, Double::sum);
                }
            }
        });
        return probabilities;
    }

    private boolean isProbable(String structure, Map<Integer, Double> probabilities) {
        for (int i = 0; i < structure.length(); i++) {
            if (structure.charAt(i) == '('
                    && !probabilities.containsKey(i * MAX + RnaEvalTextbook.partner(structure, i))) {
                return false;
            }
        }
        return true;
    }

    private double accuracy(String structure, Map<Integer, Double> probabilities, double gamma) {
        double[] unpaired = new double[structure.length()];
        Arrays.fill(unpaired, 1);
        probabilities.forEach((pair, p) -> {
            unpaired[pair / MAX] -= p;
            unpaired[pair % MAX] -= p;
        });
        double accuracy = 0;
        for (int i = 0; i < structure.length(); i++) {
            if (structure.charAt(i) == '.') {
                accuracy += unpaired[i];
            } else if (structure.charAt(i) == '(') {
                accuracy += 2 * gamma * probabilities.get(i * MAX + RnaEvalTextbook.partner(structure, i));
            }
        }
        return accuracy;
    }

    private List<String> structures(int i, int j) {
        if (i > j) {
            return List.of("");
        }
        List<String> all = new ArrayList<>();
        if (constraint.areFree(i, i + 1)) {
            structures(i + 1, j).forEach(rest -> all.add("." + rest));
        }
        for (int k = i + 1; k <= j; k++) {
            if (canPair(i, k)) {
                for (String inside : structures(i + 1, k - 1)) {
                    for (String behind : structures(k + 1, j)) {
                        all.add("(" + inside + ")" + behind);
                    }
                }
            }
        }
        return all;
    }

    private boolean canPair(int i, int j) {
        return Bases.pair(bases[i], bases[j]) > 0 && (j - i > 3 || i < nick && nick <= j) && constraint.isAllowed(i, j);
    }

    private double weight(String structure) {
        List<int[]> outer = RnaEvalTextbook.branches(structure, 0, structure.length());
        double weight = 1;
        if (Double.isNaN(circle)) {
            for (int[] branch : outer) {
                weight *= exterior(branch[0], branch[1]);
            }
        } else {
            weight = outer.isEmpty() ? circle : CircularTextbook.weight(weights, outer, bases);
        }
        for (int i = 0; i < structure.length(); i++) {
            if (structure.charAt(i) == '(') {
                int j = RnaEvalTextbook.partner(structure, i);
                weight *= weight(i, j, RnaEvalTextbook.branches(structure, i + 1, j));
            }
        }
        return weight;
    }

    /** Returns the weight of a branch of the exterior loop; a base of the other strand is not a neighbour. */
    private double exterior(int i, int j) {
        int begin = i < nick ? 0 : nick;
        return weights.exterior(Arrays.copyOfRange(bases, begin, j < nick ? nick : bases.length), i - begin, j - begin);
    }

    /** Returns the weight of a loop that contains the nick, and is closed by a pair. */
    private double open(int i, int j, List<int[]> branches) {
        byte[] turned = Arrays.copyOfRange(bases, nick, nick + bases.length);
        System.arraycopy(bases, 0, turned, bases.length - nick, nick);
        double weight = weights.exterior(turned, j - nick, bases.length - nick + i);
        for (int[] branch : branches) {
            weight *= exterior(branch[0], branch[1]);
        }
        return weight;
    }

    private double weight(int i, int j, List<int[]> branches) {
        if (i < nick && nick <= j && branches.stream().noneMatch(each -> each[0] < nick && nick <= each[1])) {
            return open(i, j, branches);
        }
        return weight(weights, bases, i, j, branches);
    }

    /** Returns the weight of a loop that is closed by a pair. */
    static double weight(LoopWeights weights, byte[] bases, int i, int j, List<int[]> branches) {
        if (branches.isEmpty()) {
            return weights.hairpin(bases, i, j);
        }
        if (branches.size() == 1) {
            return internal(weights, bases, i, j, branches.get(0)[0], branches.get(0)[1]);
        }
        double weight = weights.closing(bases, i, j);
        int unpaired = j - i - 1;
        for (int[] branch : branches) {
            weight *= weights.branch(bases, branch[0], branch[1]);
            unpaired -= branch[1] - branch[0] + 1;
        }
        return weight * Math.pow(weights.unpaired, unpaired);
    }

    /** Returns the weight of an internal loop, a bulge or a stack. */
    static double internal(LoopWeights weights, byte[] bases, int i, int j, int p, int q) {
        int l = p - i - 1;
        int r = j - q - 1;
        int less = Math.min(l, r);
        int more = Math.max(l, r);
        if (more <= 1 || less > 0 && more == 2) {
            return weights.small(bases, i, j, p, q);
        }
        int outer = Bases.pair(bases[i], bases[j]);
        int inner = Bases.pair(bases[q], bases[p]);
        if (less == 0) {
            return weights.sized(l, r) * weights.terminal(outer) * weights.terminal(inner);
        }
        double[] mismatches = less == 1
                ? weights.mismatchInternal1n
                : less == 2 && more == 3 ? weights.mismatchInternal23 : weights.mismatchInternal;
        return weights.sized(l, r)
                * mismatches[(outer * Bases.COUNT + bases[i + 1]) * Bases.COUNT + bases[j - 1]]
                * mismatches[(inner * Bases.COUNT + bases[q + 1]) * Bases.COUNT + bases[p - 1]];
    }

    /**
     * Whether two sums differ only because of rounding; strategies may add in a different order than the definition.
     */
    private static boolean close(double x, double y) {
        return Math.abs(x - y) <= CLOSE * Math.max(1, Math.max(Math.abs(x), Math.abs(y)));
    }

    static final Leeway OF_ENSEMBLE = new Leeway() {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean isRight(InternalRow arguments, Object expected, Object answer) {
            InternalRow one = (InternalRow) expected;
            InternalRow other = (InternalRow) answer;
            return close(one.getDouble(0), other.getDouble(0))
                    && close(one.getDouble(1), other.getDouble(1))
                    && close(one.getDouble(2), other.getDouble(2));
        }
    };

    static final Leeway OF_COFOLD = new Leeway() {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean isRight(InternalRow arguments, Object expected, Object answer) {
            InternalRow one = (InternalRow) expected;
            InternalRow other = (InternalRow) answer;
            for (int field = 0; field < one.numFields(); field++) {
                if (one.isNullAt(field) != other.isNullAt(field)
                        || !one.isNullAt(field) && !close(one.getDouble(field), other.getDouble(field))) {
                    return false;
                }
            }
            return true;
        }
    };

    static final Leeway OF_PAIRS = new Leeway() {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean isRight(InternalRow arguments, Object expected, Object answer) {
            Map<Integer, Double> one = byPair((ArrayData) expected);
            Map<Integer, Double> other = byPair((ArrayData) answer);
            double least = arguments.getDouble(1);
            // a probability may be just below the minimum in one order of summation but not in another
            return one.entrySet().stream()
                            .allMatch(pair -> close(pair.getValue(), other.getOrDefault(pair.getKey(), least)))
                    && other.entrySet().stream()
                            .allMatch(pair -> close(pair.getValue(), one.getOrDefault(pair.getKey(), least)));
        }

        private static Map<Integer, Double> byPair(ArrayData pairs) {
            Map<Integer, Double> byPair = new TreeMap<>();
            for (int at = 0; at < pairs.numElements(); at++) {
                InternalRow pair = pairs.getStruct(at, 3);
                byPair.put(pair.getInt(0) * MAX + pair.getInt(1), pair.getDouble(2));
            }
            return byPair;
        }
    };

    static final Leeway OF_ACCURATE = new Leeway() {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean isRight(InternalRow arguments, Object expected, Object answer) {
            if (expected.equals(answer)) {
                return true;
            }
            EnsembleTextbook all = of(arguments, 2);
            Map<Integer, Double> probabilities = all.probabilities();
            double gamma = arguments.getDouble(1);
            return close(
                    all.accuracy(expected.toString(), probabilities, gamma),
                    all.accuracy(answer.toString(), probabilities, gamma));
        }
    };
}
