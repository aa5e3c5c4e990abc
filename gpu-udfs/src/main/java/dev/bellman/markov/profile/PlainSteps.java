package dev.bellman.markov.profile;

/** Computes the states node by node. */
final class PlainSteps implements ProfileSteps {
    private static final int PARTS = ProfileModel.PARTS;

    @Override
    public int steps() {
        return 1;
    }

    @Override
    public double forward(ProfileRow row, int odds, double begin) {
        return advance(row, odds, begin, true);
    }

    @Override
    public double viterbi(ProfileRow row, int odds, double begin) {
        return advance(row, odds, begin, false);
    }

    private static double advance(ProfileRow row, int odds, double begin, boolean isForward) {
        for (int part = 0; part < PARTS; part++) {
            advance(row, odds, begin, isForward, part);
        }
        return row.finish(isForward);
    }

    private static void advance(ProfileRow row, int odds, double begin, boolean isForward, int part) {
        ProfileModel model = row.model;
        double skipped = row.beforeFirst[part];
        double deleted = 0;
        double next = 0;
        double end = 0;
        for (int at = part; at < model.width; at += PARTS) {
            double sum = ProfileRow.plus(isForward, skipped, model.skipToMatch[at], row.entering[at]);
            sum = ProfileRow.plus(isForward, begin, model.begin[at], sum);
            double match = sum * model.odds[odds + at];
            // for viterbi, deletions can be skipped, because none scores higher than the match before it
            end = ProfileRow.plus(isForward, match, isForward ? model.ends[at] : 1, end);
            row.entering[at] = next;
            double insert = row.inserts[at];
            next = ProfileRow.plus(isForward, insert, model.insertToMatch[at], match * model.matchToMatch[at]);
            next = ProfileRow.plus(isForward, deleted, model.deleteToMatch[at], next);
            row.inserts[at] = ProfileRow.plus(isForward, insert, model.insertToInsert[at], match);
            deleted = ProfileRow.plus(isForward, deleted, model.deleteToDelete[at], match * model.matchToDelete[at]);
            skipped = row.first[part];
        }
        row.next[part] = next;
        row.deleted[part] = deleted;
        row.ends[part] = end;
    }
}
