package dev.bellman.fold;

import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/** Defines {@link AccordionFold}: tries every end of each strand, and counts contacts one by one. */
final class AccordionFoldTextbook {
    /** The maximum number of contacts after a strand, and where the strands after it end. */
    private record Rest(int contacts, List<Integer> ends) {}

    private final boolean[] hydrophobic;
    private final int n;
    private final Rest[][] rests;

    private AccordionFoldTextbook(boolean... hydrophobic) {
        this.hydrophobic = hydrophobic;
        n = hydrophobic.length;
        rests = new Rest[n + 2][n + 2];
    }

    static Object solve(InternalRow arguments) {
        String text = arguments.getUTF8String(0).toString();
        if (!text.matches("[HP10]*")) {
            throw Values.invalid();
        }
        boolean[] hydrophobic = new boolean[text.length()];
        for (int i = 0; i < hydrophobic.length; i++) {
            hydrophobic[i] = "H1".indexOf(text.charAt(i)) >= 0;
        }
        Rest best = new AccordionFoldTextbook(hydrophobic).whole();
        return Values.row(
                best.contacts,
                Values.array(best.ends.stream().mapToInt(Integer::intValue).toArray()));
    }

    private Rest whole() {
        if (n < 2) {
            return new Rest(0, n == 0 ? List.of() : List.of(1));
        }
        Rest best = null;
        for (int end = 2; end <= n; end++) {
            best = better(best, 0, end, rest(1, end));
        }
        return best;
    }

    /**
     * Solves the part after a strand, given the strand's first and last residues, which are counted from 1. Returns
     * null if this part cannot be divided into strands.
     */
    private Rest rest(int from, int to) {
        if (to == n) {
            return new Rest(0, List.of());
        }
        if (rests[from][to] == null) {
            for (int end = to + 2; end <= n; end++) {
                rests[from][to] = better(rests[from][to], contacts(from, to, end), end, rest(to + 1, end));
            }
        }
        return rests[from][to];
    }

    private static Rest better(Rest best, int contacts, int end, Rest behind) {
        if (behind == null || best != null && best.contacts >= contacts + behind.contacts) {
            return best;
        }
        List<Integer> ends = new ArrayList<>(List.of(end));
        ends.addAll(behind.ends);
        return new Rest(contacts + behind.contacts, ends);
    }

    /**
     * Returns the number of contacts between the strand {@code from} to {@code to} and the next one, up to {@code end},
     * not counting the neighbours at the fold.
     */
    private int contacts(int from, int to, int end) {
        int contacts = 0;
        for (int distance = 1; to - distance >= from && to + 1 + distance <= end; distance++) {
            if (hydrophobic[to - distance - 1] && hydrophobic[to + distance]) {
                contacts++;
            }
        }
        return contacts;
    }
}
