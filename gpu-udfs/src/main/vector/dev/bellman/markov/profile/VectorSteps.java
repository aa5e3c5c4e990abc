package dev.bellman.markov.profile;

import static jdk.incubator.vector.VectorOperators.GT;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/** Computes one node of several parts at once. */
final class VectorSteps implements ProfileSteps {
    private static final int PARTS = ProfileModel.PARTS;

    /** A species with at most as many lanes as there are parts. */
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED.length() > PARTS
            ? DoubleVector.SPECIES_512
            : DoubleVector.SPECIES_PREFERRED;

    private static final int LANES = SPECIES.length();

    @Override
    public int steps() {
        // each node counts as several steps, because vector code is slow until it is compiled
        return 16;
    }

    @Override
    public double forward(ProfileRow row, int odds, double begin) {
        ProfileModel model = row.model;
        row.keepLast();
        for (int part = 0; part < PARTS; part += LANES) {
            forward(row, odds, begin, part);
        }
        int last = model.width - PARTS;
        for (int part = 1; part < PARTS; part++) {
            double delete = Math.fma(
                    model.deletes[last + part - 1], row.firstDeletes[part - 1], row.deletes[last + part - 1]);
            row.firstDeletes[part] = Math.fma(
                    delete, model.deleteToDelete[part], row.matches[last + part - 1] * model.matchToDelete[part]);
        }
        for (int part = 0; part < PARTS; part += LANES) {
            forwardEnds(row, part);
        }
        double end = 0;
        for (double ofPart : row.ends) {
            end += ofPart;
        }
        return end;
    }

    private static void forward(ProfileRow row, int odds, double begin, int part) {
        ProfileModel model = row.model;
        DoubleVector begins = DoubleVector.broadcast(SPECIES, begin);
        DoubleVector match = at(row.matchesBefore, part);
        DoubleVector insert = at(row.insertsBefore, part);
        DoubleVector delete = at(row.deletesBefore, part);
        DoubleVector before = DoubleVector.zero(SPECIES);
        DoubleVector deleted = before;
        for (int at = part; at < model.width; at += PARTS) {
            DoubleVector sum = match.fma(at(model.matchToMatch, at), begins.mul(at(model.begin, at)));
            sum = insert.fma(at(model.insertToMatch, at), sum);
            sum = delete.fma(at(model.deleteToMatch, at), sum);
            deleted = deleted.fma(at(model.deleteToDelete, at), before.mul(at(model.matchToDelete, at)));
            before = sum.mul(at(model.odds, odds + at));
            match = at(row.matches, at);
            insert = at(row.inserts, at);
            delete = at(row.deletes, at);
            before.intoArray(row.matches, at);
            insert.fma(at(model.insertToInsert, at), match.mul(at(model.matchToInsert, at)))
                    .intoArray(row.inserts, at);
            deleted.intoArray(row.deletes, at);
        }
    }

    private static void forwardEnds(ProfileRow row, int part) {
        ProfileModel model = row.model;
        DoubleVector first = at(row.firstDeletes, part);
        DoubleVector sum = DoubleVector.zero(SPECIES);
        for (int at = part; at < model.width; at += PARTS) {
            DoubleVector delete = first.fma(at(model.deletes, at), at(row.deletes, at));
            delete.intoArray(row.deletes, at);
            sum = sum.add(at(row.matches, at).add(delete));
        }
        sum.intoArray(row.ends, part);
    }

    @Override
    public double viterbi(ProfileRow row, int odds, double begin) {
        ProfileModel model = row.model;
        row.keepLast();
        for (int part = 0; part < PARTS; part += LANES) {
            viterbi(row, odds, begin, part);
        }
        int last = model.width - PARTS;
        for (int part = 1; part < PARTS; part++) {
            double delete =
                    Math.max(model.deletes[last + part - 1] * row.firstDeletes[part - 1], row.deletes[last + part - 1]);
            row.firstDeletes[part] = Math.max(
                    delete * model.deleteToDelete[part], row.matches[last + part - 1] * model.matchToDelete[part]);
        }
        for (int part = 0; part < PARTS; part += LANES) {
            addDeletes(row, part);
        }
        double end = 0;
        for (double ofPart : row.ends) {
            end = Math.max(end, ofPart);
        }
        return end;
    }

    private static void viterbi(ProfileRow row, int odds, double begin, int part) {
        ProfileModel model = row.model;
        DoubleVector begins = DoubleVector.broadcast(SPECIES, begin);
        DoubleVector match = at(row.matchesBefore, part);
        DoubleVector insert = at(row.insertsBefore, part);
        DoubleVector delete = at(row.deletesBefore, part);
        DoubleVector before = DoubleVector.zero(SPECIES);
        DoubleVector deleted = before;
        DoubleVector end = before;
        for (int at = part; at < model.width; at += PARTS) {
            DoubleVector best = greater(match.mul(at(model.matchToMatch, at)), begins.mul(at(model.begin, at)));
            best = greater(insert.mul(at(model.insertToMatch, at)), best);
            best = greater(delete.mul(at(model.deleteToMatch, at)), best);
            deleted = greater(
                    deleted.mul(at(model.deleteToDelete, at)), before.mul(at(model.matchToDelete, at)));
            before = best.mul(at(model.odds, odds + at));
            // deletions can be skipped, because none scores higher than the match before it
            end = greater(end, before);
            match = at(row.matches, at);
            insert = at(row.inserts, at);
            delete = at(row.deletes, at);
            before.intoArray(row.matches, at);
            greater(insert.mul(at(model.insertToInsert, at)), match.mul(at(model.matchToInsert, at)))
                    .intoArray(row.inserts, at);
            deleted.intoArray(row.deletes, at);
        }
        end.intoArray(row.ends, part);
    }

    private static void addDeletes(ProfileRow row, int part) {
        ProfileModel model = row.model;
        DoubleVector first = at(row.firstDeletes, part);
        for (int at = part; at < model.width; at += PARTS) {
            greater(first.mul(at(model.deletes, at)), at(row.deletes, at)).intoArray(row.deletes, at);
        }
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
