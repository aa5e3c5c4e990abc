package dev.bellman.markov.profile;

/** The values of a profile's states after a residue; {@link ProfileSteps} advances them by one residue. */
final class ProfileRow {
    private static final int PARTS = ProfileModel.PARTS;

    final ProfileModel model;
    final double[] matches;
    final double[] inserts;
    /**
     * The delete states. While a row is computed, they first include only the paths that stay within a part; then the
     * paths from earlier parts are added.
     */
    final double[] deletes;

    /** For each part, the states of the previous row at the last node of the previous part. */
    final double[] matchesBefore = new double[PARTS];

    final double[] insertsBefore = new double[PARTS];
    final double[] deletesBefore = new double[PARTS];
    /** For each part, the delete state of its first node. */
    final double[] firstDeletes = new double[PARTS];
    /** For each part, the sum over all paths to the end. */
    final double[] ends = new double[PARTS];

    ProfileRow(ProfileModel model) {
        this.model = model;
        matches = new double[model.width];
        inserts = new double[model.width];
        deletes = new double[model.width];
    }

    /** Stores the states at the last node of each part except the last. */
    void keepLast() {
        int last = model.width - PARTS;
        System.arraycopy(matches, last, matchesBefore, 1, PARTS - 1);
        System.arraycopy(inserts, last, insertsBefore, 1, PARTS - 1);
        System.arraycopy(deletes, last, deletesBefore, 1, PARTS - 1);
    }

    void scale(double factor) {
        for (int at = 0; at < model.width; at++) {
            matches[at] *= factor;
            inserts[at] *= factor;
            deletes[at] *= factor;
        }
    }
}
