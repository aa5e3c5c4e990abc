package dev.bellman.markov.profile;

/** The values of a profile's states after a residue; {@link ProfileSteps} advances them by one residue. */
final class ProfileRow {
    private static final int PARTS = ProfileModel.PARTS;

    final ProfileModel model;
    /**
     * For each node, the sum over paths from the previous node's states to the match state at the next residue, without
     * the paths that come from an earlier part through deletions only.
     */
    final double[] entering;
    /** The insert states, divided by the probability of the transition from match to insert. */
    final double[] inserts;

    /** The delete state of each part's first node. */
    final double[] first = new double[PARTS];
    /** The delete state of the first node of the part before each part. */
    final double[] beforeFirst = new double[PARTS];

    /** The value of {@link #entering} for the first node after each part. */
    final double[] next = new double[PARTS];
    /** The first delete state after each part, without paths from before the part. */
    final double[] deleted = new double[PARTS];
    /** The sum over all paths from each part to the end. */
    final double[] ends = new double[PARTS];

    ProfileRow(ProfileModel model) {
        this.model = model;
        entering = new double[model.width];
        inserts = new double[model.width];
    }

    /** Adds a product to a sum, or to a maximum. */
    static double plus(boolean isForward, double x, double y, double other) {
        return isForward ? Math.fma(x, y, other) : Math.max(x * y, other);
    }

    /** Passes the values of each part on to the next part, and returns the value of the end state. */
    double finish(boolean isForward) {
        for (int part = 1; part < PARTS; part++) {
            entering[part] = next[part - 1];
            beforeFirst[part] = first[part - 1];
            first[part] = plus(isForward, first[part - 1], model.skips[part - 1], deleted[part - 1]);
        }
        // in pairs, so that few additions depend on each other
        for (int half = PARTS / 2; half > 0; half /= 2) {
            for (int part = 0; part < half; part++) {
                ends[part] = isForward ? ends[part] + ends[part + half] : Math.max(ends[part], ends[part + half]);
            }
        }
        return ends[0];
    }

    void scale(double factor) {
        for (int at = 0; at < model.width; at++) {
            entering[at] *= factor;
            inserts[at] *= factor;
        }
        for (int part = 0; part < PARTS; part++) {
            first[part] *= factor;
            beforeFirst[part] *= factor;
        }
    }
}
