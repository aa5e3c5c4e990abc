package dev.bellman.markov;

import static dev.bellman.proof.Values.invalid;
import static dev.bellman.proof.Values.require;

import dev.bellman.proof.Values;
import java.math.BigInteger;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * Defines the functions on hidden Markov models by complete tables of logarithms, or of numbers that are rounded to 53
 * binary digits.
 */
final class MarkovTextbook {
    private static final int DIGITS = 53;

    /** If the exponents of two numbers differ by more than this, their sum rounds to the larger number. */
    private static final int FAR = 2 * DIGITS + 2;

    /** The number {@code digits * 2^exponent}. */
    record Rounded(BigInteger digits, long exponent) {
        static final Rounded ZERO = new Rounded(BigInteger.ZERO, 0);

        static Rounded of(BigInteger digits, long exponent) {
            int more = digits.bitLength() - DIGITS;
            if (more <= 0) {
                return new Rounded(digits, exponent);
            }
            BigInteger kept = digits.shiftRight(more);
            int half = digits.subtract(kept.shiftLeft(more)).compareTo(BigInteger.ONE.shiftLeft(more - 1));
            boolean up = half > 0 || half == 0 && kept.testBit(0);
            return of(up ? kept.add(BigInteger.ONE) : kept, exponent + more);
        }

        static Rounded of(double value) {
            int exponent = Math.max(Math.getExponent(value), Double.MIN_EXPONENT) - (DIGITS - 1);
            // scales in two steps, because a single factor may exceed the range
            double digits = Math.scalb(Math.scalb(value, -exponent / 2), -exponent - -exponent / 2);
            return new Rounded(BigInteger.valueOf((long) digits), exponent);
        }

        /** Returns {@code e^x}. */
        static Rounded exp(double x) {
            if (x == Double.NEGATIVE_INFINITY) {
                return ZERO;
            }
            double twos = Math.rint(x / StrictMath.log(2));
            Rounded mantissa = of(StrictMath.exp(x - twos * StrictMath.log(2)));
            return new Rounded(mantissa.digits, mantissa.exponent + (long) twos);
        }

        Rounded times(Rounded other) {
            return of(digits.multiply(other.digits), exponent + other.exponent);
        }

        Rounded plus(Rounded other) {
            if (digits.signum() == 0 || other.digits.signum() == 0) {
                return digits.signum() == 0 ? other : this;
            }
            if (exponent < other.exponent) {
                return other.plus(this);
            }
            long least = other.exponent;
            if (exponent - least > FAR) {
                return this;
            }
            return of(digits.shiftLeft((int) (exponent - least)).add(other.digits), least);
        }

        /** Returns {@code this * factor + summand}, rounded once. */
        Rounded fma(Rounded factor, Rounded summand) {
            BigInteger product = digits.multiply(factor.digits);
            long place = exponent + factor.exponent;
            if (product.signum() == 0 || summand.digits.signum() == 0) {
                return product.signum() == 0 ? summand : of(product, place);
            }
            long least = Math.min(place, summand.exponent);
            return of(
                    product.shiftLeft((int) (place - least))
                            .add(summand.digits.shiftLeft((int) (summand.exponent - least))),
                    least);
        }

        double dividedBy(Rounded other) {
            BigInteger[] parts = digits.shiftLeft(4 * DIGITS).divideAndRemainder(other.digits);
            BigInteger odd = parts[0].shiftLeft(1).or(BigInteger.valueOf(parts[1].signum()));
            Rounded quotient = of(odd, exponent - other.exponent - 4 * DIGITS - 1);
            double value = Math.scalb(quotient.digits.doubleValue(), (int) Math.max(quotient.exponent, -2_000));
            return value < Forward.MIN_PROBABILITY ? 0 : value;
        }

        double log() {
            if (digits.signum() == 0) {
                return Double.NEGATIVE_INFINITY;
            }
            int length = digits.bitLength();
            double mantissa = digits.doubleValue() / Math.pow(2, length - 1);
            return StrictMath.log(mantissa) + (exponent + length - 1) * StrictMath.log(2);
        }
    }

    /** A model that has one row of emissions for each step. */
    private record Model(double[] start, double[][] transitions, double[][] emissions, boolean logs) {
        static Model of(InternalRow row) {
            boolean logs = row.getBoolean(row.numFields() - 1);
            double[] start = numbers(row.getArray(0), logs);
            double[][] transitions = matrix(row.getArray(1), logs);
            double[][] emissions = matrix(row.getArray(2), logs);
            require(start.length > 0 && transitions.length == start.length);
            require(Arrays.stream(transitions).allMatch(each -> each.length == start.length));
            if (row.numFields() > 4) {
                emissions = ofSymbols(emissions, row.getArray(3), start.length);
            }
            require(emissions.length > 0);
            require(Arrays.stream(emissions).allMatch(each -> each.length == start.length));
            return new Model(start, transitions, emissions, logs);
        }

        private static double[][] ofSymbols(double[][] table, ArrayData symbols, int states) {
            require(table.length == states && !Values.hasNull(symbols));
            require(Arrays.stream(table).allMatch(each -> each.length == table[0].length));
            double[][] emissions = new double[symbols.numElements()][states];
            for (int t = 0; t < emissions.length; t++) {
                int symbol = symbols.getInt(t);
                require(symbol >= 0 && symbol < table[0].length);
                for (int j = 0; j < states; j++) {
                    emissions[t][j] = table[j][symbol];
                }
            }
            return emissions;
        }

        private static double[][] matrix(ArrayData rows, boolean logs) {
            require(!Values.hasNull(rows));
            double[][] matrix = new double[rows.numElements()][];
            Arrays.setAll(matrix, i -> numbers(rows.getArray(i), logs));
            return matrix;
        }

        private static double[] numbers(ArrayData array, boolean logs) {
            require(!Values.hasNull(array));
            double[] numbers = array.toDoubleArray();
            require(Arrays.stream(numbers)
                    .allMatch(x -> logs
                            ? x == Double.NEGATIVE_INFINITY || Math.abs(x) <= 1e9
                            : x >= 0 && x < Double.POSITIVE_INFINITY));
            return numbers;
        }

        /** Returns the logarithm of a number of the model. */
        double log(double number) {
            return logs ? number + 0.0 : StrictMath.log(number);
        }

        /** Returns the weight that a number of the model represents. */
        Rounded weight(double number) {
            return logs ? Rounded.exp(number) : Rounded.of(number);
        }
    }

    private MarkovTextbook() {}

    static Object viterbi(InternalRow row) {
        return viterbi(Model.of(row));
    }

    /** Decodes a sequence, given the logarithms of the start, the transitions, and the emissions of each step. */
    static InternalRow viterbi(double[] start, double[][] transitions, double[]... emissions) {
        return viterbi(new Model(start, transitions, emissions, true));
    }

    private static InternalRow viterbi(Model model) {
        int steps = model.emissions.length;
        int states = model.start.length;
        double[][] v = new double[steps][states];
        int[][] from = new int[steps][states];
        for (int t = 0; t < steps; t++) {
            for (int j = 0; j < states; j++) {
                v[t][j] = t == 0 ? model.log(model.start[j]) : Double.NEGATIVE_INFINITY;
                for (int i = 0; t > 0 && i < states; i++) {
                    double candidate = v[t - 1][i] + model.log(model.transitions[i][j]);
                    if (candidate > v[t][j]) {
                        v[t][j] = candidate;
                        from[t][j] = i;
                    }
                }
                v[t][j] += model.log(model.emissions[t][j]);
            }
        }
        int best = 0;
        for (int j = 1; j < states; j++) {
            best = v[steps - 1][j] > v[steps - 1][best] ? j : best;
        }
        if (v[steps - 1][best] == Double.NEGATIVE_INFINITY) {
            throw invalid();
        }
        int[] path = new int[steps];
        path[steps - 1] = best;
        for (int t = steps - 1; t > 0; t--) {
            path[t - 1] = from[t][path[t]];
        }
        return Values.row(v[steps - 1][best], Values.array(path));
    }

    private static Rounded[][] table(Model model) {
        Rounded[][] f = new Rounded[model.emissions.length][model.start.length];
        for (int t = 0; t < f.length; t++) {
            for (int j = 0; j < f[t].length; j++) {
                f[t][j] = t == 0 ? model.weight(model.start[j]) : Rounded.ZERO;
                for (int i = 0; t > 0 && i < f[t].length; i++) {
                    f[t][j] = f[t][j].plus(f[t - 1][i].times(model.weight(model.transitions[i][j])));
                }
                f[t][j] = f[t][j].times(model.weight(model.emissions[t][j]));
            }
        }
        return f;
    }

    static Object forward(InternalRow row) {
        Rounded[][] f = table(Model.of(row));
        return Arrays.stream(f[f.length - 1])
                .reduce(Rounded.ZERO, Rounded::plus)
                .log();
    }

    static Object posterior(InternalRow row) {
        Model model = Model.of(row);
        Rounded[][] f = table(model);
        Rounded[][] b = new Rounded[f.length][model.start.length];
        Object[] probabilities = new Object[f.length];
        for (int t = f.length - 1; t >= 0; t--) {
            Rounded sum = Rounded.ZERO;
            for (int i = 0; i < b[t].length; i++) {
                b[t][i] = t == f.length - 1 ? Rounded.of(1) : Rounded.ZERO;
                for (int j = 0; t < f.length - 1 && j < b[t].length; j++) {
                    Rounded behind = model.weight(model.emissions[t + 1][j]).times(b[t + 1][j]);
                    b[t][i] = b[t][i].plus(behind.times(model.weight(model.transitions[i][j])));
                }
                sum = sum.plus(f[t][i].times(b[t][i]));
            }
            if (sum.digits.signum() == 0) {
                throw invalid();
            }
            double[] ofStep = new double[b[t].length];
            for (int i = 0; i < ofStep.length; i++) {
                ofStep[i] = f[t][i].times(b[t][i]).dividedBy(sum);
            }
            probabilities[t] = Values.array(ofStep);
        }
        return Values.arrayOf(probabilities);
    }
}
