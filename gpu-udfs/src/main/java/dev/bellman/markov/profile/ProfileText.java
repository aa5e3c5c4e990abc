package dev.bellman.markov.profile;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Cancellation;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * A profile in HMMER3's file format (versions 3/a to 3/f). Files contain the negative natural logarithms of
 * probabilities, or {@code *} for probability 0.
 *
 * @param nodes the number of nodes
 * @param matches for each node, starting at node 1, a number for each residue
 * @param moves for each node, starting at node 0, seven numbers in the order of {@link Move}
 */
record ProfileText(Residues residues, int nodes, double[] matches, double[] moves) {
    /** The transitions from a node, in the order of the file. */
    enum Move {
        MATCH_TO_MATCH,
        MATCH_TO_INSERT,
        MATCH_TO_DELETE,
        INSERT_TO_MATCH,
        INSERT_TO_INSERT,
        DELETE_TO_MATCH,
        DELETE_TO_DELETE;

        static final int COUNT = values().length;
    }

    /** The largest number that a file may contain. HMMER's floats cannot represent a smaller probability. */
    private static final double GREATEST = 104;

    /** The tolerance for sums of probabilities; the numbers in files have only five decimals. */
    private static final double TOLERANCE = 0.01;

    /** The maximum number of characters of a line that a message shows. */
    private static final int MAX_SHOWN = 60;

    /**
     * The maximum number of digits for which DOUBLE represents both the digits and the power of ten exactly, so that
     * their quotient is rounded only once.
     */
    private static final int EXACT_DIGITS = 15;

    private static final String MAGIC = "HMMER3/";

    private static final String VERSIONS = "abcdef";

    private static final Set<String> YES_OR_NO = Set.of("yes", "no");

    private static final double[] POWERS = new double[EXACT_DIGITS + 1];

    static {
        Arrays.setAll(POWERS, i -> Double.parseDouble("1e" + i));
    }

    double move(int node, Move move) {
        return moves[node * Move.COUNT + move.ordinal()];
    }

    private static final class Reader {
        private final String function;
        private final byte[] text;
        private final Cancellation cancellation = new Cancellation();
        /** The beginning of the current line. */
        private int begin;

        private int end;
        private int line;
        private int next;
        /** The beginning of the current word. */
        private int from;

        private int to;
        /** The letter of the format's version. */
        private char version;
        /** The number of words after the residues of each node: MAP, CONS, RF, MM and CS. */
        private int notesOfNodes;

        Reader(String function, byte[] text) {
            this.function = function;
            this.text = text;
        }

        ProfileText read() {
            String first = nextLine() && nextWord() ? word() : "";
            if (first.length() != MAGIC.length() + 1
                    || !first.startsWith(MAGIC)
                    || VERSIONS.indexOf(first.charAt(MAGIC.length())) < 0) {
                throw wrong("a HMMER3 profile, which begins with HMMER3/a to HMMER3/f");
            }
            version = first.charAt(MAGIC.length());
            Residues residues = null;
            int nodes = 0;
            while (true) {
                expectLine("the line HMM");
                nextWord();
                String key = word();
                if (key.equals("HMM")) {
                    break;
                }
                switch (key) {
                    case "LENG" -> nodes = positive("LENG with the number of nodes, at least 1");
                    case "MAXL" -> positive("MAXL with a length, at least 1");
                    case "ALPH" -> {
                        Optional<Residues> named = nextWord() ? Residues.named(word()) : Optional.empty();
                        residues = named.orElseThrow(() -> wrong("ALPH amino, ALPH DNA or ALPH RNA"));
                    }
                    case "NAME" -> require(nextWord(), "NAME with a name");
                    case "RF", "MM", "CONS", "CS", "MAP" ->
                        require(nextWord() && YES_OR_NO.contains(word()), key + " yes or " + key + " no");
                    default -> {}
                }
            }
            if (residues == null || nodes == 0) {
                throw wrong("LENG and ALPH lines before this line");
            }
            return body(residues, nodes);
        }

        private int positive(String expected) {
            try {
                int number = nextWord() ? Integer.parseInt(word()) : 0;
                if (number >= 1) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // the error is reported below
            }
            throw wrong(expected);
        }

        private void require(boolean holds, String expected) {
            if (!holds) {
                throw wrong(expected);
            }
        }

        private ProfileText body(Residues residues, int nodes) {
            int count = residues.count();
            // a number takes at least one character and a space, so the string's length limits the size of the table
            if (nodes > text.length / (4L * count)) {
                throw wrong("a profile with %,d nodes, as stated in the LENG line".formatted(nodes));
            }
            double[] matches = new double[nodes * count];
            double[] moves = new double[(nodes + 1) * Move.COUNT];
            expectLine("the line m->m m->i ...");
            if (!nextWord() || !word().equals("m->m")) {
                throw wrong("the line m->m m->i ...");
            }
            expectLine("a line for node 0");
            double[] inserts = new double[count];
            if (nextWord() && word().equals("COMPO")) {
                numbers(inserts, 0, count, "COMPO with the mean frequencies");
                expectLine("a line for node 0");
            }
            from = begin;
            to = begin;
            numbers(inserts, 0, count, "the insert emissions for node 0");
            for (int k = 0; k <= nodes; k++) {
                if (k > 0) {
                    match(k, matches, count);
                    expectLine("the insert emissions for node %,d".formatted(k));
                    numbers(inserts, 0, count, "the insert emissions for node %,d".formatted(k));
                }
                expectLine("the transitions for node %,d".formatted(k));
                int first = k * Move.COUNT;
                numbers(moves, first, Move.COUNT, "the transitions for node %,d".formatted(k));
                // node 0 has no delete state, and scores do not depend on the transitions from the last node
                if (k < nodes) {
                    checkSum(moves, first, 3, "m->m, m->i and m->d");
                }
                if (k > 0 && k < nodes) {
                    checkSum(moves, first + 3, 2, "i->m and i->i");
                    checkSum(moves, first + 5, 2, "d->m and d->d");
                }
            }
            end();
            return new ProfileText(residues, nodes, matches, moves);
        }

        private void match(int k, double[] matches, int count) {
            String expected = "node %,d with its match emissions".formatted(k);
            expectLine(expected);
            if (!nextWord() || !word().equals(Integer.toString(k))) {
                throw wrong(expected);
            }
            numbers(matches, (k - 1) * count, count, expected);
            checkSum(matches, (k - 1) * count, count, "residues");
            int notes = 0;
            while (nextWord()) {
                notes++;
            }
            // a profile may lack annotations, but if only some are missing, the line is truncated
            int expectedNotes = k == 1 ? notes : notesOfNodes;
            if (notes != expectedNotes || notes != 0 && (version == 'f' ? notes != 5 : notes < 3)) {
                throw wrong(("%s, with %s annotations; either all nodes have the same number of annotations, or none "
                                + "has any")
                        .formatted(expected, version == 'f' ? "5" : "at least 3"));
            }
            notesOfNodes = notes;
        }

        private void end() {
            if (nextLine() && (!nextWord() || !word().equals("//"))) {
                throw wrong("// after the last node");
            }
            if (nextLine()) {
                throw wrong("the end of the text after //; only one profile is allowed");
            }
        }

        /** Reads {@code count} numbers from the rest of the line. */
        private void numbers(double[] numbers, int first, int count, String expected) {
            cancellation.count((long) end - begin);
            for (int i = 0; i < count; i++) {
                if (!nextWord()) {
                    throw wrong("%s, %d numbers".formatted(expected, count));
                }
                double number = number(expected);
                numbers[first + i] = number;
            }
        }

        /** Reads a word as a number: digits, optionally with a decimal point, or {@code *} for infinity. */
        private double number(String expected) {
            if (to - from == 1 && text[from] == '*') {
                return Double.POSITIVE_INFINITY;
            }
            boolean isNegative = text[from] == '-';
            long digits = 0;
            int count = 0;
            int point = -1;
            for (int i = isNegative ? from + 1 : from; i < to; i++) {
                byte letter = text[i];
                if (letter == '.' && point < 0) {
                    point = count;
                } else if (letter >= '0' && letter <= '9' && count < EXACT_DIGITS) {
                    digits = 10 * digits + letter - '0';
                    count++;
                } else {
                    throw wrongNumber(expected);
                }
            }
            double number = digits / POWERS[point < 0 ? 0 : count - point];
            if (count == 0 || isNegative && digits != 0 || number > GREATEST) {
                throw wrongNumber(expected);
            }
            return number;
        }

        private BellmanException wrongNumber(String expected) {
            return wrong("%s, numbers from 0 to 104 such as 2.30259, or *; '%s' is neither"
                    .formatted(expected, shown(from, to)));
        }

        private void checkSum(double[] numbers, int first, int count, String parts) {
            double sum = 0;
            for (int i = first; i < first + count; i++) {
                sum += StrictMath.exp(-numbers[i]);
            }
            if (!(Math.abs(sum - 1) <= TOLERANCE)) {
                throw wrong("negative logarithms of probabilities that sum to 1; the probabilities of %s sum to %.3f"
                        .formatted(parts, sum));
            }
        }

        private void expectLine(String expected) {
            if (!nextLine()) {
                throw wrong(expected);
            }
        }

        /**
         * Advances to the next line that is not blank. Returns false at the end of the string, which then becomes the
         * current line.
         */
        private boolean nextLine() {
            do {
                begin = next;
                end = begin;
                if (begin >= text.length) {
                    line++;
                    return false;
                }
                while (end < text.length && text[end] != '\n') {
                    end++;
                }
                next = end + 1;
                line++;
                from = begin;
                to = begin;
            } while (!hasWord());
            return true;
        }

        private boolean hasWord() {
            for (int i = begin; i < end; i++) {
                if (text[i] > ' ' || text[i] < 0) {
                    return true;
                }
            }
            return false;
        }

        private boolean nextWord() {
            from = to;
            while (from < end && text[from] >= 0 && text[from] <= ' ') {
                from++;
            }
            to = from;
            while (to < end && (text[to] < 0 || text[to] > ' ')) {
                to++;
            }
            return from < to;
        }

        private String word() {
            return new String(text, from, to - from, StandardCharsets.UTF_8);
        }

        private String shown(int first, int last) {
            String shown = new String(text, first, Math.min(last - first, 4 * MAX_SHOWN), StandardCharsets.UTF_8);
            return shown.strip().substring(0, Math.min(shown.strip().length(), MAX_SHOWN));
        }

        private BellmanException wrong(String expected) {
            return new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    "%s: profile: %s; expected %s"
                            .formatted(
                                    function,
                                    begin >= text.length
                                            ? "the profile ends at line %,d".formatted(line)
                                            : "line %,d is '%s'".formatted(line, shown(begin, end)),
                                    expected));
        }
    }

    /** @throws BellmanException if the string is not a profile */
    static ProfileText of(String function, byte... text) {
        return new Reader(function, text).read();
    }
}
