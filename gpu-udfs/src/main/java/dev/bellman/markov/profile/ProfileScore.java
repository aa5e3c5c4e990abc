package dev.bellman.markov.profile;

import dev.bellman.BellmanException;
import dev.bellman.Strategies;
import dev.bellman.Suggestion;
import dev.bellman.columns.Cancellation;
import java.util.List;

/**
 * Computes the score of a sequence under a HMMER3 profile, for local alignments with multiple hits, after Eddy, "A
 * probabilistic model of local sequence alignment that simplifies statistical significance estimation" (2008).
 *
 * <pre>{@code
 * M(i, k) = odds(k, x(i)) * (B(i - 1) * begin(k) + M(i - 1, k - 1) * mm + I(i - 1, k - 1) * im + D(i - 1, k - 1) * dm)
 * I(i, k) = M(i - 1, k) * mi + I(i - 1, k) * ii
 * D(i, k) = M(i, k - 1) * md + D(i, k - 1) * dd
 * E(i)    = sum over k of M(i, k) + D(i, k)
 * J(i)    = J(i - 1) * loop + E(i) / 2
 * N(i)    = N(i - 1) * loop
 * B(i)    = (N(i) + J(i)) * move
 * }</pre>
 *
 * <p>Here, {@code M}, {@code I} and {@code D} are the match, insert and delete states of node k, and {@code mm} to
 * {@code dd} are the probabilities of transitions between these states. {@code N}, {@code B}, {@code E} and {@code J}
 * are the states before the first domain, at the beginning and at the end of a domain, and between domains. {@code C},
 * after the last domain, equals {@code J}: both begin with half of {@code E}. For the Viterbi score, sums are replaced
 * with maxima. All numbers are odds relative to the null model. {@code J} keeps the numbers close to each other,
 * because beginnings depend on the best ends so far. Therefore, the numbers of a row share a power of two, and numbers
 * that underflow with this scaling do not matter.
 */
final class ProfileScore {
    /** Both strategies return the same score. */
    public enum Strategy {
        /** Computes several nodes at once if vector instructions are available. */
        AUTO,
        /** Computes node by node. */
        SERIAL
    }

    /** Determines whether the score covers all alignments or only the best alignment. */
    enum Algorithm {
        FORWARD,
        VITERBI;

        private static final List<String> NAMES = Strategies.names(Algorithm.class);

        /** @throws BellmanException if the name is unknown */
        static Algorithm of(String function, String name) {
            if (!NAMES.contains(name)) {
                throw BellmanException.inSetting(
                        function,
                        "algorithm is '%s'; it must be %s%s"
                                .formatted(name, String.join(" or ", NAMES), Suggestion.hint(name, NAMES)));
            }
            return values()[NAMES.indexOf(name)];
        }
    }

    /**
     * The number at which rows are rescaled: if {@code E} is at least this large, the row is divided by this number.
     * Within a row, numbers grow by far less than the other half of DOUBLE's range.
     */
    private static final double GREAT = 0x1p512;

    private static final double LOG_GREAT = 512 * StrictMath.log(2);

    private static final ProfileSteps PLAIN = new PlainSteps();

    private ProfileScore() {}

    /**
     * Returns the score in bits.
     *
     * @param letters the letter numbers of a nonempty sequence
     */
    static double bits(ProfileModel model, byte[] letters, Algorithm algorithm, Strategy strategy) {
        ProfileSteps rows = strategy == Strategy.AUTO ? ProfileSteps.VECTORS.orElse(PLAIN) : PLAIN;
        Cancellation cancellation = new Cancellation();
        ProfileRow row = new ProfileRow(model);
        boolean isForward = algorithm == Algorithm.FORWARD;
        double length = letters.length;
        double move = 3 / (length + 3);
        double loop = length / (length + 3);
        double before = 1;
        double behind = 0;
        double begin = move;
        int great = 0;
        for (byte letter : letters) {
            cancellation.count((long) model.width * rows.steps());
            int odds = letter * model.width;
            double end = isForward ? rows.forward(row, odds, begin) : rows.viterbi(row, odds, begin);
            if (end >= GREAT) {
                row.scale(1 / GREAT);
                end /= GREAT;
                before /= GREAT;
                behind /= GREAT;
                great++;
            }
            before *= loop;
            behind = isForward ? behind * loop + end / 2 : Math.max(behind * loop, end / 2);
            begin = move * (isForward ? before + behind : Math.max(before, behind));
        }
        return bits(behind * move, great, length);
    }

    /**
     * Returns the binary logarithm of the odds minus the binary logarithm of the null model's probability of the length
     * L, {@code 1 / (L + 1) * (L / (L + 1))^L}.
     */
    static double bits(double odds, int great, double length) {
        double log = StrictMath.log(odds) + great * LOG_GREAT;
        double ofLength = -length * StrictMath.log1p(1 / length) - StrictMath.log(length + 1);
        return (log - ofLength) / StrictMath.log(2);
    }
}
