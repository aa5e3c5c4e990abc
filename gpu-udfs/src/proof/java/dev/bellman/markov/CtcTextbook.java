package dev.bellman.markov;

import static dev.bellman.proof.Values.require;

import dev.bellman.markov.MarkovTextbook.Rounded;
import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * Defines the functions on frames by complete tables over the tokens, with a blank before, between and after the
 * tokens.
 */
final class CtcTextbook {
    private CtcTextbook() {}

    /**
     * @param extended the tokens, with a blank before the first token, after the last token, and between any two tokens
     */
    private record Instance(double[][] logs, int[] extended, int blank) {
        static Instance of(InternalRow row) {
            ArrayData frames = row.getArray(0);
            ArrayData tokens = row.getArray(1);
            int blank = row.getInt(2);
            require(frames.numElements() > 0 && !Values.hasNull(frames) && !Values.hasNull(tokens));
            int width = frames.getArray(0).numElements();
            require(blank >= 0 && blank < width);
            int[] extended = new int[2 * tokens.numElements() + 1];
            Arrays.fill(extended, blank);
            for (int i = 0; i < tokens.numElements(); i++) {
                int token = tokens.getInt(i);
                require(token >= 0 && token < width && token != blank);
                extended[2 * i + 1] = token;
            }
            double[][] logs = new double[frames.numElements()][extended.length];
            for (int t = 0; t < logs.length; t++) {
                ArrayData frame = frames.getArray(t);
                require(frame.numElements() == width);
                for (int s = 0; s < extended.length; s++) {
                    require(!frame.isNullAt(extended[s]));
                    double log = frame.getDouble(extended[s]);
                    require(log == Double.NEGATIVE_INFINITY || Math.abs(log) <= 1e9);
                    logs[t][s] = log;
                }
            }
            return new Instance(logs, extended, blank);
        }

        /** Returns the possible predecessors of a position, in descending order. */
        List<Integer> before(int s) {
            List<Integer> before = new ArrayList<>(List.of(s));
            if (s >= 1) {
                before.add(s - 1);
            }
            if (s >= 2 && extended[s] != blank && extended[s] != extended[s - 2]) {
                before.add(s - 2);
            }
            return before;
        }
    }

    static Object align(InternalRow row) {
        Instance given = Instance.of(row);
        int frames = given.logs.length;
        int positions = given.extended.length;
        double[][] a = new double[frames][positions];
        for (int t = 0; t < frames; t++) {
            for (int s = 0; s < positions; s++) {
                double best = t == 0 && s < 2 ? 0 : Double.NEGATIVE_INFINITY;
                if (t > 0) {
                    double[] last = a[t - 1];
                    best = given.before(s).stream()
                            .mapToDouble(from -> last[from])
                            .max()
                            .orElseThrow();
                }
                a[t][s] = best + given.logs[t][s];
            }
        }
        int s = positions - 1;
        if (positions > 1 && a[frames - 1][positions - 2] >= a[frames - 1][positions - 1]) {
            s = positions - 2;
        }
        double score = a[frames - 1][s];
        if (score == Double.NEGATIVE_INFINITY) {
            throw Values.invalid();
        }
        int[] path = new int[frames];
        int[] begins = new int[positions];
        int[] ends = new int[positions];
        for (int t = frames - 1; t >= 0; t--) {
            path[t] = given.extended[s];
            ends[s] = Math.max(ends[s], t + 1);
            begins[s] = t;
            if (t > 0) {
                int best = s;
                for (int from : given.before(s)) {
                    best = a[t - 1][from] > a[t - 1][best] ? from : best;
                }
                s = best;
            }
        }
        Object[] spans = new Object[positions / 2];
        Arrays.setAll(spans, i -> Values.row(given.extended[2 * i + 1], begins[2 * i + 1], ends[2 * i + 1]));
        return Values.row(score, Values.array(path), Values.arrayOf(spans));
    }

    static Object score(InternalRow row) {
        Instance given = Instance.of(row);
        int positions = given.extended.length;
        Rounded[] a = new Rounded[positions];
        for (int t = 0; t < given.logs.length; t++) {
            Rounded[] next = new Rounded[positions];
            for (int s = 0; s < positions; s++) {
                Rounded sum = t == 0 && s < 2 ? Rounded.of(1) : Rounded.ZERO;
                if (t > 0) {
                    for (int from : given.before(s)) {
                        sum = sum.plus(a[from]);
                    }
                }
                next[s] = sum.times(Rounded.exp(given.logs[t][s]));
            }
            a = next;
        }
        return (positions > 1 ? a[positions - 1].plus(a[positions - 2]) : a[positions - 1]).log();
    }
}
