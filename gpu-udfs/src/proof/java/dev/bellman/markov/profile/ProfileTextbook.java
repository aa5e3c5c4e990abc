package dev.bellman.markov.profile;

import static dev.bellman.proof.Values.invalid;
import static dev.bellman.proof.Values.require;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Defines {@code profile_score}: computes complete rows with all states, node by node. Reads only profiles in the form
 * that the generator writes.
 */
final class ProfileTextbook {
    private static final String AMINO = "ACDEFGHIKLMNPQRSTVWY";
    private static final double[] OF_AMINO = {
        .0787945, .0151600, .0535222, .0668298, .0397062, .0695071, .0229198, .0590092, .0594422, .0963728, .0237718,
        .0414386, .0482904, .0395639, .0540978, .0683364, .0540687, .0673417, .0114135, .0304133
    };

    private final String residues;
    private final double[] frequencies;
    private final int nodes;
    /**
     * The negative natural logarithms of the match emissions, as {@code matches[k][x]}. The other arrays contain the
     * probabilities of the transitions from the states of node {@code k}.
     */
    private final double[][] matches;

    private final double[] mm;
    private final double[] mi;
    private final double[] md;
    private final double[] im;
    private final double[] ii;
    private final double[] dm;
    private final double[] dd;

    private ProfileTextbook(String text) {
        List<String[]> lines = text.lines()
                .filter(line -> !line.isBlank())
                .map(line -> line.strip().split("\\s+"))
                .toList();
        require(!lines.isEmpty() && lines.get(0)[0].matches("HMMER3/[a-f]"));
        int hmm = 0;
        while (!lines.get(hmm)[0].equals("HMM")) {
            hmm++;
            require(hmm < lines.size());
        }
        require(lines.size() >= hmm + 2);
        String alphabet = field(lines.subList(0, hmm), "ALPH").toLowerCase(Locale.ROOT);
        require(List.of("amino", "dna", "rna").contains(alphabet));
        residues = alphabet.equals("amino") ? AMINO : alphabet.equals("dna") ? "ACGT" : "ACGU";
        frequencies = alphabet.equals("amino") ? OF_AMINO : new double[] {.25, .25, .25, .25};
        nodes = Integer.parseInt(field(lines.subList(0, hmm), "LENG"));
        List<String[]> body = lines.subList(hmm + 2, lines.size()).stream()
                .filter(line -> !line[0].equals("COMPO"))
                .toList();
        require(body.size() >= 3 * nodes + 2);
        matches = new double[nodes + 1][];
        double[][] moves = new double[nodes + 1][];
        for (int k = 0; k <= nodes; k++) {
            if (k > 0) {
                String[] line = body.get(3 * k - 1);
                require(line[0].equals(Integer.toString(k)));
                matches[k] = numbers(Arrays.copyOfRange(line, 1, line.length), residues.length());
            }
            numbers(body.get(3 * k), residues.length());
            moves[k] = numbers(body.get(3 * k + 1), 7);
        }
        List<String[]> rest = body.subList(3 * nodes + 2, body.size());
        require(rest.isEmpty() || rest.size() == 1 && rest.get(0)[0].equals("//"));
        mm = column(moves, 0);
        mi = column(moves, 1);
        md = column(moves, 2);
        im = column(moves, 3);
        ii = column(moves, 4);
        dm = column(moves, 5);
        dd = column(moves, 6);
    }

    private static String field(List<String[]> header, String key) {
        String[] line =
                header.stream().filter(each -> each[0].equals(key)).findFirst().orElseThrow(() -> invalid());
        require(line.length > 1);
        return line[1];
    }

    private static double[] numbers(String[] words, int count) {
        require(words.length >= count);
        return Stream.of(words)
                .limit(count)
                .mapToDouble(word -> {
                    require(word.matches("\\*|\\d+\\.\\d+"));
                    return word.equals("*") ? Double.POSITIVE_INFINITY : Double.parseDouble(word);
                })
                .toArray();
    }

    private static double[] column(double[][] rows, int column) {
        return Arrays.stream(rows)
                .mapToDouble(row -> StrictMath.exp(-row[column]))
                .toArray();
    }

    static Object score(InternalRow row) {
        String sequence = row.getUTF8String(0).toString().toUpperCase(Locale.ROOT);
        String algorithm = row.getUTF8String(2).toString();
        require(List.of("forward", "viterbi").contains(algorithm));
        ProfileTextbook profile = new ProfileTextbook(row.getUTF8String(1).toString());
        require(!sequence.isEmpty());
        return profile.score(sequence, algorithm.equals("forward"));
    }

    /** Returns the probability that an alignment begins at each node. */
    private double[] begins() {
        double[] occupancy = new double[nodes + 1];
        double sum = 0;
        for (int k = 1; k <= nodes; k++) {
            occupancy[k] = k == 1
                    ? mm[0] + mi[0]
                    : Math.max(0, occupancy[k - 1] * (mm[k - 1] + mi[k - 1]) + (1 - occupancy[k - 1]) * dm[k - 1]);
            sum += occupancy[k] * (nodes - k + 1);
        }
        require(sum > 0);
        for (int k = 1; k <= nodes; k++) {
            occupancy[k] /= sum;
        }
        return occupancy;
    }

    /** Returns the residues that a letter represents, or an empty string for a letter that no state emits. */
    private String meaning(char letter) {
        if (residues.indexOf(letter) >= 0) {
            return "" + letter;
        }
        String t = residues.substring(3);
        String meaning = residues.equals(AMINO)
                ? switch (letter) {
                    case 'B' -> "DN";
                    case 'J' -> "IL";
                    case 'Z' -> "EQ";
                    case 'O' -> "K";
                    case 'U' -> "C";
                    case 'X' -> residues;
                    case '*' -> "";
                    default -> throw invalid();
                }
                : switch (letter) {
                    case 'T', 'U' -> t;
                    case 'R' -> "AG";
                    case 'Y' -> "C" + t;
                    case 'M' -> "AC";
                    case 'K' -> "G" + t;
                    case 'S' -> "CG";
                    case 'W' -> "A" + t;
                    case 'H' -> "AC" + t;
                    case 'B' -> "CG" + t;
                    case 'V' -> "ACG";
                    case 'D' -> "AG" + t;
                    case 'N', 'X' -> residues;
                    case 'I' -> "A";
                    case '*' -> "";
                    default -> throw invalid();
                };
        return meaning;
    }

    /** Returns the odds of a letter at a node relative to the null model. */
    private double odds(int node, char letter) {
        String meaning = meaning(letter);
        double sum = 0;
        double weight = 0;
        for (char residue : meaning.toCharArray()) {
            int x = residues.indexOf(residue);
            double score = -matches[node][x] - StrictMath.log(frequencies[x]);
            if (meaning.length() == 1) {
                return StrictMath.exp(score);
            }
            sum += frequencies[x] * score;
            weight += frequencies[x];
        }
        return meaning.isEmpty() ? 0 : StrictMath.exp(sum / weight);
    }

    private double score(String sequence, boolean isForward) {
        double length = sequence.length();
        double loop = length / (length + 3);
        double move = 3 / (length + 3);
        double[] begins = begins();
        Deletes deletes = new Deletes(isForward);
        double[] ends = ends();
        double[] m = new double[nodes + 1];
        double[] i = new double[nodes + 1];
        double n = 1;
        double j = 0;
        double c = 0;
        double b = move;
        int powers = 0;
        for (char letter : sequence.toCharArray()) {
            double[] nextM = new double[nodes + 1];
            double[] nextI = new double[nodes + 1];
            for (int k = 1; k <= nodes; k++) {
                double sum = 0;
                // local alignments do not use the transitions from node 0
                if (k > 1) {
                    sum = plus(isForward, i[k - 1], im[k - 1] * mi[k - 1], m[k - 1] * mm[k - 1]);
                    sum = plus(isForward, deletes.within[k - 1], dm[k - 1], sum);
                    sum = plus(isForward, deletes.first[k - 1], deletes.products[k - 1] * dm[k - 1], sum);
                }
                nextM[k] = plus(isForward, b, begins[k], sum) * odds(k, letter);
                nextI[k] = k < nodes ? plus(isForward, i[k], ii[k], m[k]) : 0;
            }
            deletes.update(nextM);
            double e = end(isForward, ends, nextM);
            double factor = e >= 0x1p512 ? 0x1p-512 : 1;
            powers += factor < 1 ? 512 : 0;
            m = times(nextM, factor);
            i = times(nextI, factor);
            deletes.scale(factor);
            e *= factor;
            n = n * factor * loop;
            j = isForward ? j * factor * loop + e * 0.5 : Math.max(j * factor * loop, e * 0.5);
            c = isForward ? c * factor * loop + e * 0.5 : Math.max(c * factor * loop, e * 0.5);
            b = (isForward ? n + j : Math.max(n, j)) * move;
        }
        double ofProfile = StrictMath.log(c * move) + powers / 512 * (512 * StrictMath.log(2));
        double ofNull = -length * StrictMath.log1p(1 / length) - StrictMath.log(length + 1);
        return (ofProfile - ofNull) / StrictMath.log(2);
    }

    /** Returns {@code sum + x * y}, or the maximum of {@code sum} and {@code x * y}. */
    private static double plus(boolean isForward, double x, double y, double sum) {
        return isForward ? Math.fma(x, y, sum) : Math.max(x * y, sum);
    }

    private static double[] times(double[] row, double factor) {
        return Arrays.stream(row).map(x -> x * factor).toArray();
    }

    /**
     * The delete states. The profile's nodes are divided into eighths. A node's value is the sum over the paths within
     * its eighth, plus the delete state at the first node of the eighth times a product of transitions.
     */
    private final class Deletes {
        private final boolean isForward;
        private final double[] products = new double[nodes + 1];
        private double[] within = new double[nodes + 1];
        /** For each node, the delete state at the first node of its eighth. */
        private double[] first = new double[nodes + 1];

        Deletes(boolean isForward) {
            this.isForward = isForward;
            for (int k = 1; k <= nodes; k++) {
                products[k] = isFirst(k) ? 1 : products[k - 1] * dd[k - 1];
            }
        }

        private boolean isFirst(int k) {
            return (k - 1) % ((nodes + 7) / 8) == 0;
        }

        private void update(double... m) {
            for (int k = 2; k <= nodes; k++) {
                double sum = plus(isForward, within[k - 1], dd[k - 1], m[k - 1] * md[k - 1]);
                within[k] = isFirst(k) ? 0 : sum;
                first[k] = isFirst(k) ? plus(isForward, first[k - 1], products[k - 1] * dd[k - 1], sum) : first[k - 1];
            }
        }

        private void scale(double factor) {
            within = times(within, factor);
            first = times(first, factor);
        }
    }

    /** Returns 1 plus the expected number of deletions directly after each match. */
    private double[] ends() {
        double[] ends = new double[nodes + 1];
        double deletes = 1;
        for (int k = nodes; k > 0; k--) {
            ends[k] = 1 + (k < nodes ? md[k] * deletes : 0);
            deletes = 1 + (k < nodes ? dd[k] * deletes : 0);
        }
        return ends;
    }

    private double end(boolean isForward, double[] ends, double... m) {
        int part = (nodes + 7) / 8;
        double[] e = new double[8];
        for (int k = 1; k <= nodes; k++) {
            e[(k - 1) / part] = plus(isForward, m[k], isForward ? ends[k] : 1, e[(k - 1) / part]);
        }
        return both(
                isForward,
                both(isForward, both(isForward, e[0], e[4]), both(isForward, e[2], e[6])),
                both(isForward, both(isForward, e[1], e[5]), both(isForward, e[3], e[7])));
    }

    private static double both(boolean isForward, double x, double y) {
        return isForward ? x + y : Math.max(x, y);
    }
}
