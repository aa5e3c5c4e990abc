package dev.bellman.markov.profile;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Cancellation;
import dev.bellman.markov.profile.ProfileText.Move;
import java.util.Arrays;

/**
 * A profile for local scoring: probabilities, and the odds of residues relative to the null model. The nodes are
 * divided into {@value #PARTS} consecutive parts of {@link #steps} nodes. Arrays contain the first node of each part,
 * then the second node of each part, and so on, so that vector instructions can process several parts at once.
 * Additional nodes, which pad the last parts, are never reached. This layout follows Farrar, "Striped Smith-Waterman
 * speeds database searches six times over other SIMD implementations" (2007), and Eddy, "Accelerated profile HMM
 * searches" (2011).
 */
final class ProfileModel {
    static final int PARTS = 8;

    /** The number of arrays with one number per node, including those of a {@link ProfileRow} but not the odds. */
    private static final int ROWS = 11;

    final Residues residues;
    final int nodes;
    /** The number of nodes in each part. */
    final int steps;
    /** The length of an array with a number for each node: {@code PARTS * steps}. */
    final int width;

    /** The probability of beginning at each node. */
    final double[] begin;
    /** The probability of the next node's match state, from the node's match state. */
    final double[] matchToMatch;
    /** The probability of the next node's match state, from the node's match state through its insert state. */
    final double[] insertToMatch;

    final double[] deleteToMatch;
    /** The probabilities of the next node's delete state, from the states of the node. */
    final double[] matchToDelete;

    final double[] deleteToDelete;
    /** The probability of another insertion at the node. */
    final double[] insertToInsert;
    /**
     * The probability of each node's match state, from the delete state at the first node of the previous node's part,
     * through delete states.
     */
    final double[] skipToMatch;
    /** The expected number of delete states that follow each node's match state directly, plus 1. */
    final double[] ends;
    /** The probability of the next part's first delete state, from each part's first delete state. */
    final double[] skips;

    /** The odds of the match states, for each letter. */
    final double[] odds;

    ProfileModel(String function, ProfileText text) {
        residues = text.residues();
        nodes = text.nodes();
        steps = (nodes + PARTS - 1) / PARTS;
        width = PARTS * steps;
        if ((long) width * residues.letterCount() > Integer.MAX_VALUE - 8) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: profile has %,d nodes; the maximum is %,d"
                            .formatted(function, nodes, (Integer.MAX_VALUE - 8) / residues.letterCount() - PARTS));
        }
        begin = entries(function, text);
        matchToMatch = row(text, Move.MATCH_TO_MATCH);
        insertToMatch = row(text, Move.INSERT_TO_MATCH);
        double[] matchToInsert = row(text, Move.MATCH_TO_INSERT);
        Arrays.setAll(insertToMatch, at -> insertToMatch[at] * matchToInsert[at]);
        deleteToMatch = row(text, Move.DELETE_TO_MATCH);
        matchToDelete = row(text, Move.MATCH_TO_DELETE);
        deleteToDelete = row(text, Move.DELETE_TO_DELETE);
        insertToInsert = row(text, Move.INSERT_TO_INSERT);
        skipToMatch = new double[width];
        skips = new double[PARTS];
        skip();
        ends = ends();
        odds = odds(text);
    }

    /** Returns the size of a profile in bytes, including its string. */
    static long bytes(long letters) {
        // a number takes at least two characters; nucleotide profiles have only 4 residues, but arrays for 19 letters
        return letters * Double.BYTES * (ROWS + 19 + 4 + Move.COUNT) / 30 + 4 * letters;
    }

    /** Returns the index of a node in an array; nodes are counted from 1. */
    int at(int node) {
        return (node - 1) % steps * PARTS + (node - 1) / steps;
    }

    /**
     * Returns the probabilities of beginning at each node. Each probability is proportional to the frequency with which
     * a path through the whole profile visits the node's match state, and does not depend on the node at which the path
     * ends.
     */
    private double[] entries(String function, ProfileText text) {
        double[] entries = new double[width];
        double occupancy = 0;
        double sum = 0;
        for (int k = 1; k <= nodes; k++) {
            double stays =
                    probability(text, k - 1, Move.MATCH_TO_MATCH) + probability(text, k - 1, Move.MATCH_TO_INSERT);
            occupancy = k == 1
                    ? stays
                    : occupancy * stays + (1 - occupancy) * probability(text, k - 1, Move.DELETE_TO_MATCH);
            // rounded probabilities may sum to more than 1
            occupancy = Math.max(0, occupancy);
            entries[at(k)] = occupancy;
            sum += occupancy * (nodes - k + 1);
        }
        if (sum == 0) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    "%s: profile: no path through its %,d nodes has a match state; expected at least one"
                            .formatted(function, nodes));
        }
        for (int at = 0; at < width; at++) {
            entries[at] /= sum;
        }
        return entries;
    }

    private static double probability(ProfileText text, int node, Move move) {
        return StrictMath.exp(-text.move(node, move));
    }

    /** Returns the probabilities of a transition from each node; those from the last node are ignored. */
    private double[] row(ProfileText text, Move move) {
        double[] row = new double[width];
        for (int k = 1; k < nodes; k++) {
            row[at(k)] = probability(text, k, move);
        }
        return row;
    }

    /** Multiplies the transitions between the delete states of each part. */
    private void skip() {
        double product = 1;
        for (int k = 1; k < nodes; k++) {
            skipToMatch[at(k + 1)] = product * deleteToMatch[at(k)];
            product *= deleteToDelete[at(k)];
            if (k % steps == 0) {
                skips[k / steps - 1] = product;
                product = 1;
            }
        }
    }

    private double[] ends() {
        double[] ends = new double[width];
        double deletes = 1;
        for (int k = nodes; k > 0; k--) {
            ends[at(k)] = 1 + matchToDelete[at(k)] * deletes;
            deletes = 1 + deleteToDelete[at(k)] * deletes;
        }
        return ends;
    }

    private double[] odds(ProfileText text) {
        Cancellation cancellation = new Cancellation();
        int count = residues.count();
        double[] table = new double[width * residues.letterCount()];
        double[] scores = new double[count];
        double[] logs = new double[count];
        Arrays.setAll(logs, x -> StrictMath.log(residues.frequency(x)));
        for (int k = 1; k <= nodes; k++) {
            cancellation.count(64L * residues.letterCount());
            for (int x = 0; x < count; x++) {
                scores[x] = -text.matches()[(k - 1) * count + x] - logs[x];
            }
            for (int letter = 0; letter < residues.letterCount(); letter++) {
                table[letter * width + at(k)] = StrictMath.exp(residues.expected(letter, scores));
            }
        }
        return table;
    }
}
