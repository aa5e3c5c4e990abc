package dev.bellman.markov.profile;

import static jdk.incubator.vector.VectorOperators.GT;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/** Computes one node of several parts at once. */
final class VectorSteps implements ProfileSteps {
    private static final int PARTS = ProfileModel.PARTS;

    /** A species with at most as many lanes as there are parts. */
    private static final VectorSpecies<Double> SPECIES =
            DoubleVector.SPECIES_PREFERRED.length() > PARTS ? DoubleVector.SPECIES_512 : DoubleVector.SPECIES_PREFERRED;

    private static final int LANES = SPECIES.length();

    @Override
    public int steps() {
        // each node counts as several steps, because vector code is slow until it is compiled
        return 16;
    }

    @Override
    public double forward(ProfileRow row, int odds, double begin) {
        for (int part = 0; part < PARTS; part += LANES) {
            forward(row, odds, begin, part);
        }
        return row.finish(true);
    }

    private static void forward(ProfileRow row, int odds, double begin, int part) {
        ProfileModel model = row.model;
        DoubleVector begins = DoubleVector.broadcast(SPECIES, begin);
        DoubleVector skipped = at(row.beforeFirst, part);
        DoubleVector first = at(row.first, part);
        DoubleVector deleted = DoubleVector.zero(SPECIES);
        DoubleVector next = deleted;
        DoubleVector end = deleted;
        for (int at = part; at < model.width; at += PARTS) {
            DoubleVector sum = skipped.fma(at(model.skipToMatch, at), at(row.entering, at));
            sum = begins.fma(at(model.begin, at), sum);
            DoubleVector match = sum.mul(at(model.odds, odds + at));
            end = match.fma(at(model.ends, at), end);
            next.intoArray(row.entering, at);
            DoubleVector insert = at(row.inserts, at);
            next = insert.fma(at(model.insertToMatch, at), match.mul(at(model.matchToMatch, at)));
            next = deleted.fma(at(model.deleteToMatch, at), next);
            insert.fma(at(model.insertToInsert, at), match).intoArray(row.inserts, at);
            deleted = deleted.fma(at(model.deleteToDelete, at), match.mul(at(model.matchToDelete, at)));
            skipped = first;
        }
        next.intoArray(row.next, part);
        deleted.intoArray(row.deleted, part);
        end.intoArray(row.ends, part);
    }

    @Override
    public double viterbi(ProfileRow row, int odds, double begin) {
        for (int part = 0; part < PARTS; part += LANES) {
            viterbi(row, odds, begin, part);
        }
        return row.finish(false);
    }

    private static void viterbi(ProfileRow row, int odds, double begin, int part) {
        ProfileModel model = row.model;
        DoubleVector begins = DoubleVector.broadcast(SPECIES, begin);
        DoubleVector skipped = at(row.beforeFirst, part);
        DoubleVector first = at(row.first, part);
        DoubleVector deleted = DoubleVector.zero(SPECIES);
        DoubleVector next = deleted;
        DoubleVector end = deleted;
        for (int at = part; at < model.width; at += PARTS) {
            DoubleVector sum = greater(skipped.mul(at(model.skipToMatch, at)), at(row.entering, at));
            sum = greater(begins.mul(at(model.begin, at)), sum);
            DoubleVector match = sum.mul(at(model.odds, odds + at));
            // deletions can be skipped, because none scores higher than the match before it
            end = greater(end, match);
            next.intoArray(row.entering, at);
            DoubleVector insert = at(row.inserts, at);
            next = greater(insert.mul(at(model.insertToMatch, at)), match.mul(at(model.matchToMatch, at)));
            next = greater(deleted.mul(at(model.deleteToMatch, at)), next);
            greater(insert.mul(at(model.insertToInsert, at)), match).intoArray(row.inserts, at);
            deleted = greater(deleted.mul(at(model.deleteToDelete, at)), match.mul(at(model.matchToDelete, at)));
            skipped = first;
        }
        next.intoArray(row.next, part);
        deleted.intoArray(row.deleted, part);
        end.intoArray(row.ends, part);
    }

    private static DoubleVector at(double[] values, int i) {
        return DoubleVector.fromArray(SPECIES, values, i);
    }

    /**
     * Returns the lane-wise maximum. {@code DoubleVector.max} would take longer, because it also handles NaN and zeros
     * of different signs.
     */
    private static DoubleVector greater(DoubleVector x, DoubleVector y) {
        return y.blend(x, x.compare(GT, y));
    }
}
