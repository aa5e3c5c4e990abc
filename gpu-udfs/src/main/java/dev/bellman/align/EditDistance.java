package dev.bellman.align;

/** Levenshtein's edit distance by the textbook table of Wagner and Fischer (1974), one row at a time. */
public final class EditDistance {
    public enum Strategy {
        AUTO,
        SERIAL
    }

    private EditDistance() {}

    public static int distance(String a, String b, Strategy strategy) {
        int[] x = a.codePoints().toArray();
        int[] y = b.codePoints().toArray();
        int[] row = new int[y.length + 1];
        for (int j = 0; j <= y.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= x.length; i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= y.length; j++) {
                int substituted = diagonal + (x[i - 1] == y[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[y.length];
    }

    public static int distance(String a, String b, int max, Strategy strategy) {
        int distance = distance(a, b, strategy);
        return distance > max ? -1 : distance;
    }
}
