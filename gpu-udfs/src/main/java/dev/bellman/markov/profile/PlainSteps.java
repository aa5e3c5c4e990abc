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
        ProfileModel model = row.model;
        row.keepLast();
        for (int part = 0; part < PARTS; part++) {
            forward(row, odds, begin, part);
        }
        double end = 0;
        for (int part = 0; part < PARTS; part++) {
            double first = row.firstDeletes[part];
            double sum = 0;
            for (int at = part; at < model.width; at += PARTS) {
                double delete = Math.fma(model.deletes[at], first, row.deletes[at]);
                row.deletes[at] = delete;
                sum += row.matches[at] + delete;
            }
            if (part + 1 < PARTS) {
                int last = model.width - PARTS + part;
                row.firstDeletes[part + 1] = Math.fma(
                        row.deletes[last],
                        model.deleteToDelete[part + 1],
                        row.matches[last] * model.matchToDelete[part + 1]);
            }
            end += sum;
        }
        return end;
    }

    private static void forward(ProfileRow row, int odds, double begin, int part) {
        ProfileModel model = row.model;
        double match = row.matchesBefore[part];
        double insert = row.insertsBefore[part];
        double delete = row.deletesBefore[part];
        double before = 0;
        double deleted = 0;
        for (int at = part; at < model.width; at += PARTS) {
            double sum = Math.fma(match, model.matchToMatch[at], begin * model.begin[at]);
            sum = Math.fma(insert, model.insertToMatch[at], sum);
            sum = Math.fma(delete, model.deleteToMatch[at], sum);
            deleted = Math.fma(deleted, model.deleteToDelete[at], before * model.matchToDelete[at]);
            before = sum * model.odds[odds + at];
            match = row.matches[at];
            insert = row.inserts[at];
            delete = row.deletes[at];
            row.matches[at] = before;
            row.inserts[at] = Math.fma(insert, model.insertToInsert[at], match * model.matchToInsert[at]);
            row.deletes[at] = deleted;
        }
    }

    @Override
    public double viterbi(ProfileRow row, int odds, double begin) {
        ProfileModel model = row.model;
        row.keepLast();
        for (int part = 0; part < PARTS; part++) {
            viterbi(row, odds, begin, part);
        }
        double end = 0;
        for (int part = 0; part < PARTS; part++) {
            double first = row.firstDeletes[part];
            for (int at = part; at < model.width; at += PARTS) {
                row.deletes[at] = Math.max(model.deletes[at] * first, row.deletes[at]);
                // deletions can be skipped, because none scores higher than the match before it
                end = Math.max(end, row.matches[at]);
            }
            if (part + 1 < PARTS) {
                int last = model.width - PARTS + part;
                row.firstDeletes[part + 1] = Math.max(
                        row.deletes[last] * model.deleteToDelete[part + 1],
                        row.matches[last] * model.matchToDelete[part + 1]);
            }
        }
        return end;
    }

    private static void viterbi(ProfileRow row, int odds, double begin, int part) {
        ProfileModel model = row.model;
        double match = row.matchesBefore[part];
        double insert = row.insertsBefore[part];
        double delete = row.deletesBefore[part];
        double before = 0;
        double deleted = 0;
        for (int at = part; at < model.width; at += PARTS) {
            double best = Math.max(match * model.matchToMatch[at], begin * model.begin[at]);
            best = Math.max(insert * model.insertToMatch[at], best);
            best = Math.max(delete * model.deleteToMatch[at], best);
            deleted = Math.max(deleted * model.deleteToDelete[at], before * model.matchToDelete[at]);
            before = best * model.odds[odds + at];
            match = row.matches[at];
            insert = row.inserts[at];
            delete = row.deletes[at];
            row.matches[at] = before;
            row.inserts[at] = Math.max(insert * model.insertToInsert[at], match * model.matchToInsert[at]);
            row.deletes[at] = deleted;
        }
    }
}
