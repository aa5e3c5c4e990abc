package dev.bellman.align.scoring;

/**
 * The cost of a gap, which is the smaller of the costs of two pieces. A piece costs {@code open} for the first letter
 * of the gap and {@code extend}, which must not exceed {@code open}, for each further letter. Costs with one piece have
 * two equal pieces; otherwise, the first piece is cheaper for one letter, and the second piece for many letters.
 *
 * @param open from 0 to {@link Scoring#MAX_COST}
 * @param extend from 0 to {@code open}
 * @param open2 {@code open} of the second piece
 * @param extend2 {@code extend} of the second piece
 */
public record GapCosts(int open, int extend, int open2, int extend2) {
    /** Creates costs with one piece. */
    public GapCosts(int open, int extend) {
        this(open, extend, open, extend);
    }

    /** Returns the costs with two pieces, given in any order, or with one of them if the other is never cheaper. */
    static GapCosts ofPieces(int open, int extend, int open2, int extend2) {
        if (open <= open2 && extend <= extend2) {
            return new GapCosts(open, extend);
        }
        if (open2 <= open && extend2 <= extend) {
            return new GapCosts(open2, extend2);
        }
        return open < open2 ? new GapCosts(open, extend, open2, extend2) : new GapCosts(open2, extend2, open, extend);
    }

    /** Whether gap costs have two different pieces. */
    public boolean hasTwoPieces() {
        return open != open2;
    }

    /** Returns the costs of the second piece. */
    public GapCosts second() {
        return new GapCosts(open2, extend2);
    }

    /** Returns the cost of a gap with the given number of letters. */
    public long of(long letters) {
        return letters == 0 ? 0 : Math.min(open + (letters - 1) * extend, open2 + (letters - 1) * extend2);
    }
}
