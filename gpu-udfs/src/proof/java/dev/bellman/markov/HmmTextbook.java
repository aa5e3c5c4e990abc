package dev.bellman.markov;

import static dev.bellman.proof.Values.require;

import dev.bellman.markov.MarkovTextbook.Rounded;
import dev.bellman.proof.Values;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Fits models by complete tables, with the rounding that {@link BaumWelch} defines. */
final class HmmTextbook {
    private final double[] start;
    private final double[][] transitions;
    private final double[][] emissions;
    private final BigDecimal[] starts;
    private final BigDecimal[][] moves;
    private final BigDecimal[][] emitted;

    private HmmTextbook(double[] start, double[][] transitions, double[][] emissions) {
        this.start = start;
        this.transitions = transitions;
        this.emissions = emissions;
        starts = new BigDecimal[start.length];
        moves = new BigDecimal[start.length][start.length];
        emitted = new BigDecimal[start.length][emissions[0].length];
    }

    static Object fromSeed(InternalRow row) {
        int[][] sequences = sequences(row.getArray(0));
        int states = row.getInt(1);
        require(states > 0);
        int letters =
                1 + Arrays.stream(sequences).flatMapToInt(Arrays::stream).max().orElseThrow();
        SplittableRandom random = new SplittableRandom(row.getLong(3));
        double[] start = random(random, states);
        double[][] transitions = new double[states][];
        Arrays.setAll(transitions, i -> random(random, states));
        double[][] emissions = new double[states][];
        Arrays.setAll(emissions, i -> random(random, letters));
        return new HmmTextbook(start, transitions, emissions).fit(sequences, row.getInt(2));
    }

    static double[] random(SplittableRandom random, int count) {
        double[] row = new double[count];
        Arrays.setAll(row, i -> -StrictMath.log(1 - random.nextDouble()));
        double sum = sum(row);
        return Arrays.stream(row).map(x -> x / sum).toArray();
    }

    static Object fromModel(InternalRow row) {
        int[][] sequences = sequences(row.getArray(0));
        if (row.getBoolean(5)) {
            LogTextbook chain = LogTextbook.of(row.getArray(1), row.getArray(2), true);
            return fitLogs(chain, row.getArray(3), sequences, row.getInt(4));
        }
        double[] start = probabilities(row.getArray(1));
        double[][] transitions = matrix(row.getArray(2));
        double[][] emissions = matrix(row.getArray(3));
        require(start.length > 0 && transitions.length == start.length && emissions.length == start.length);
        require(Arrays.stream(transitions).allMatch(each -> each.length == start.length));
        require(Arrays.stream(emissions).allMatch(each -> each.length == emissions[0].length));
        require(Arrays.stream(sequences).flatMapToInt(Arrays::stream).allMatch(x -> x < emissions[0].length));
        return new HmmTextbook(start, transitions, emissions).fit(sequences, row.getInt(4));
    }

    private static int[][] sequences(ArrayData arrays) {
        require(arrays.numElements() > 0 && !Values.hasNull(arrays));
        int[][] sequences = new int[arrays.numElements()][];
        for (int i = 0; i < sequences.length; i++) {
            require(arrays.getArray(i).numElements() > 0 && !Values.hasNull(arrays.getArray(i)));
            sequences[i] = arrays.getArray(i).toIntArray();
            require(Arrays.stream(sequences[i]).allMatch(symbol -> symbol >= 0));
        }
        return sequences;
    }

    private static double[][] matrix(ArrayData rows) {
        require(!Values.hasNull(rows));
        double[][] matrix = new double[rows.numElements()][];
        Arrays.setAll(matrix, i -> probabilities(rows.getArray(i)));
        return matrix;
    }

    private static double[] probabilities(ArrayData array) {
        require(!Values.hasNull(array));
        require(Arrays.stream(array.toDoubleArray()).allMatch(x -> x >= 0 && x <= 1));
        return array.toDoubleArray().clone();
    }

    private static double sum(double... row) {
        double sum = 0;
        for (double x : row) {
            sum += x;
        }
        return sum;
    }

    private static double possible(double sum) {
        require(sum >= 1e-290);
        return sum;
    }

    private Object fit(int[][] sequences, int iterations) {
        require(iterations > 0);
        double[] logs = new double[iterations];
        for (int round = 0; round < iterations; round++) {
            Arrays.fill(starts, BigDecimal.ZERO);
            for (int i = 0; i < start.length; i++) {
                Arrays.fill(moves[i], BigDecimal.ZERO);
                Arrays.fill(emitted[i], BigDecimal.ZERO);
            }
            BigDecimal log = BigDecimal.ZERO;
            for (int[] sequence : sequences) {
                log = log.add(new BigDecimal(count(sequence)));
            }
            logs[round] = log.doubleValue();
            for (int i = 0; i < start.length; i++) {
                double[] moved = rounded(moves[i]);
                for (int j = 0; j < start.length; j++) {
                    moved[j] *= transitions[i][j];
                }
                maximize(moved, transitions[i]);
                maximize(rounded(emitted[i]), emissions[i]);
            }
            maximize(rounded(starts), start);
        }
        return Values.row(Values.array(start), rows(transitions), rows(emissions), Values.array(logs));
    }

    /** Fits a model whose parameters are logarithms, with the tables of {@link LogTextbook}. */
    private static Object fitLogs(LogTextbook chain, ArrayData table, int[][] sequences, int iterations) {
        require(iterations > 0 && !Values.hasNull(table) && table.numElements() == chain.states());
        double[][] emissions = new double[chain.states()][];
        Arrays.setAll(emissions, i -> LogTextbook.probabilities(table.getArray(i), true));
        require(Arrays.stream(emissions).allMatch(each -> each.length == emissions[0].length));
        require(Arrays.stream(sequences).flatMapToInt(Arrays::stream).allMatch(x -> x < emissions[0].length));
        double[] logs = new double[iterations];
        for (int round = 0; round < iterations; round++) {
            LogFitTextbook counts = new LogFitTextbook(chain, emissions[0].length);
            for (int[] x : sequences) {
                double[][] densities = Arrays.stream(x)
                        .mapToObj(symbol -> Arrays.stream(emissions)
                                .mapToDouble(row -> row[symbol])
                                .toArray())
                        .toArray(double[][]::new);
                counts.add(densities, (sums, p, i, t) -> sums[x[t]] += p);
            }
            logs[round] = counts.log();
            counts.improve();
            for (int i = 0; i < emissions.length; i++) {
                counts.maximize(counts.emissions(i), emissions[i]);
            }
        }
        return Values.row(Values.array(chain.start), rows(chain.transitions), rows(emissions), Values.array(logs));
    }

    static ArrayData rows(double[][] matrix) {
        return Values.arrayOf(Arrays.stream(matrix).map(Values::array).toArray());
    }

    static void maximize(double[] counts, double[] probabilities) {
        double sum = sum(counts);
        for (int j = 0; j < counts.length && sum > 0; j++) {
            probabilities[j] = counts[j] / sum;
        }
    }

    static double[] rounded(BigDecimal... sums) {
        return Arrays.stream(sums).mapToDouble(BigDecimal::doubleValue).toArray();
    }

    private static void addTo(BigDecimal[] sums, double... counts) {
        Arrays.setAll(sums, i -> sums[i].add(new BigDecimal(counts[i])));
    }

    /** Adds the counts of a sequence to the exact sums, and returns the logarithm of its probability. */
    private double count(int... x) {
        double[] starts = new double[start.length];
        double[][] moves = new double[start.length][start.length];
        double[][] emitted = new double[start.length][emissions[0].length];
        int states = start.length;
        int last = x.length - 1;
        double[][] f = new double[x.length][states];
        Rounded product = Rounded.of(1);
        for (int t = 0; t <= last; t++) {
            for (int j = 0; j < states; j++) {
                double reached = t == 0 ? start[j] : 0;
                for (int i = 0; t > 0 && i < states; i++) {
                    reached += f[t - 1][i] * transitions[i][j];
                }
                f[t][j] = reached * emissions[j][x[t]];
            }
            double sum = possible(sum(f[t]));
            f[t] = Arrays.stream(f[t]).map(each -> each / sum).toArray();
            product = product.times(Rounded.of(sum));
        }
        double[][] c = new double[x.length][states];
        for (int t = last; t >= 0; t--) {
            double[] r = new double[states];
            double[] both = new double[states];
            for (int i = 0; i < states; i++) {
                r[i] = t == last ? 1 : 0;
                for (int j = 0; t < last && j < states; j++) {
                    r[i] += transitions[i][j] * c[t + 1][j];
                }
                both[i] = f[t][i] * r[i];
            }
            double total = possible(sum(both));
            double sum = possible(sum(r));
            for (int i = 0; i < states; i++) {
                double w = f[t][i] / total;
                emitted[i][x[t]] += w * r[i];
                starts[i] += t == 0 ? w * r[i] : 0;
                for (int j = 0; t < last && j < states; j++) {
                    moves[i][j] += w * c[t + 1][j];
                }
                c[t][i] = emissions[i][x[t]] * (r[i] / sum);
            }
        }
        addTo(this.starts, starts);
        for (int i = 0; i < states; i++) {
            addTo(this.moves[i], moves[i]);
            addTo(this.emitted[i], emitted[i]);
        }
        return product.log();
    }
}
