package dev.bellman.fold.rna;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.TaskMemory;
import dev.bellman.fold.rna.energy.LoopEnergies;
import dev.bellman.fold.rna.energy.LoopWeights;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The folding options, parsed from a string that contains any of
 *
 * <pre>
 * dangles 0                     2 by default: mismatches next to the branches of multiloops and of the exterior loop;
 *                               with 1, each base dangles on at most one branch; with 3, helices of multiloops may also
 *                               stack coaxially
 * circular                      the last base is bound to the first
 * no_lp                         without lonely pairs, which do not stack on a pair
 * temperature 25                in degrees Celsius, 37 by default
 * constraint ((..x..))          the pairs that each base may form
 * enforce                       bases with a bar or a bracket in the constraint must be paired
 * parameters /data/rna.par      a file of energies in ViennaRNA's format; always last
 * </pre>
 *
 * @param loops the loops' energies at the temperature, and their weights
 */
record FoldOptions(KnownLoops loops, boolean noLonelyPairs, boolean isCircular, Constraint constraint) {
    /**
     * The minimum temperature. Below it, or above {@link #MAX_TEMPERATURE}, energies would be extrapolated too far from
     * the measurements.
     */
    static final double MIN_TEMPERATURE = 0;

    static final double MAX_TEMPERATURE = 100;

    private static final double TEMPERATURE = 37;

    private static final String PARAMETERS = "parameters";

    /**
     * The number of bytes that each letter of the options takes, including its copies in the string, in a word and in a
     * constraint.
     */
    private static final int BYTES_OF_A_LETTER = 4;

    private static final String SPACES = " \t\n\u000b\f\r";

    private static final String OF_STRANDS = "'dangles 0', 'temperature 25'";
    private static final String OF_ONE_STRAND = "'no_lp', 'temperature 25'";
    private static final String WITHOUT_CONSTRAINT = "'dangles 0', 'dangles 1', 'dangles 3', " + OF_ONE_STRAND;
    private static final String OF_CONSTRAINT = ", 'constraint TEXT', 'enforce'";
    private static final String CONSTRAINED = "'dangles 0', " + OF_ONE_STRAND + OF_CONSTRAINT;
    private static final String CIRCULAR = ", 'circular'";
    private static final String ALL = WITHOUT_CONSTRAINT + OF_CONSTRAINT + CIRCULAR;

    /**
     * Describes a call, for messages.
     *
     * @param valid the valid options of the function, for messages, except {@code parameters}
     */
    private record Call(String function, String valid) {
        BellmanException wrong(String found) {
            return new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    "%s: %s; valid options are %s and 'parameters FILE', which must come last"
                            .formatted(function, found, valid));
        }
    }

    private static final class Words {
        private final String text;
        private int at;

        Words(String text) {
            this.text = text;
        }

        /** Returns the next word, or null at the end of the string. */
        String next() {
            int begin = skip(true);
            int end = skip(false);
            return begin == end ? null : text.substring(begin, end);
        }

        /** Returns the rest of the string, without leading or trailing spaces. */
        String rest() {
            String rest = text.substring(at).strip();
            at = text.length();
            return rest;
        }

        private int skip(boolean spaces) {
            while (at < text.length() && SPACES.indexOf(text.charAt(at)) >= 0 == spaces) {
                at++;
            }
            return at;
        }
    }

    LoopEnergies energies() {
        return loops.energies();
    }

    LoopWeights weights() {
        return loops.weights();
    }

    /**
     * Parses options that may include {@code dangles 1} or {@code dangles 3}, but not a constraint or {@code circular}.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if the string is not a list of options, or the
     *     file cannot be read or is not an energy file
     */
    static FoldOptions of(String function, String text) {
        return linear(new Call(function, WITHOUT_CONSTRAINT), text);
    }

    private static FoldOptions linear(Call call, String text) {
        FoldOptions options = parsed(call, text);
        if (options.isCircular) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    "%s: this function does not support circular RNAs; omit circular".formatted(call.function));
        }
        return options;
    }

    private static FoldOptions withoutExclusiveDangles(Call call, FoldOptions options) {
        if (options.energies().areDanglesExclusive()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    ("%s: only rna_fold, rna_fold_energy, rna_fold_windows and rna_eval support dangles %d; use "
                                    + "dangles 0 or 2")
                            .formatted(call.function, options.energies().dangles));
        }
        return options;
    }

    /** Whether the options include a file path. */
    static boolean readFile(String text) {
        Words words = new Words(text);
        String word = words.next();
        while (word != null && !word.equals(PARAMETERS)) {
            word = words.next();
        }
        return word != null;
    }

    /** Parses the options for two strands; options that apply only to a single strand are not allowed. */
    static FoldOptions ofStrands(String function, String text) {
        Call call = new Call(function, OF_STRANDS);
        FoldOptions options = withoutExclusiveDangles(call, linear(call, text));
        if (options.noLonelyPairs) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    "%s: no_lp applies only to functions that fold one strand; omit no_lp".formatted(function));
        }
        return options;
    }

    /**
     * Parses options that may include a constraint, but not {@code circular}, {@code dangles 1} or {@code dangles 3}.
     * The GPU uses this method: the CPU solves the rows whose options it rejects.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if the string is not a list of options, a
     *     constraint is malformed, or the file cannot be read or is not an energy file
     */
    static FoldOptions constrained(String function, String text) {
        Call call = new Call(function, CONSTRAINED);
        return withoutExclusiveDangles(call, linear(call, text));
    }

    /**
     * Parses options for the ensemble of one RNA, which may include a constraint and {@code circular}, but not {@code
     * dangles 1} or {@code dangles 3}.
     *
     * @throws BellmanException as {@link #constrained} does
     */
    static FoldOptions ensemble(String function, String text) {
        Call call = new Call(function, CONSTRAINED + CIRCULAR);
        return withoutExclusiveDangles(call, parsed(call, text));
    }

    /**
     * Parses options that may include a constraint, and either {@code circular} or one of {@code dangles 1} and {@code
     * dangles 3}.
     *
     * @throws BellmanException as {@link #constrained} does
     */
    static FoldOptions folding(String function, String text) {
        FoldOptions options = parsed(new Call(function, ALL), text);
        if (options.isCircular && options.energies().areDanglesExclusive()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    "%s: circular RNAs do not support dangles %d; use dangles 0 or 2, or omit circular"
                            .formatted(function, options.energies().dangles));
        }
        return options;
    }

    /** Returns these options with a different constraint. */
    FoldOptions with(Constraint other) {
        return new FoldOptions(loops, noLonelyPairs, isCircular, other);
    }

    /** Returns these options, but with lonely pairs. */
    FoldOptions withLonelyPairs() {
        return new FoldOptions(loops, false, isCircular, constraint);
    }

    private static FoldOptions parsed(Call call, String text) {
        String function = call.function;
        TaskMemory.take(function, (long) BYTES_OF_A_LETTER * text.length(), "", () -> "options of %,d letters"
                .formatted(text.length()));
        Words words = new Words(text);
        int dangles = 2;
        double temperature = TEMPERATURE;
        boolean noLonelyPairs = false;
        boolean isEnforced = false;
        boolean isCircular = false;
        String constraint = null;
        String path = null;
        for (String word = words.next(); word != null; word = words.next()) {
            switch (word) {
                case "no_lp" -> noLonelyPairs = true;
                case "enforce" -> isEnforced = true;
                case "circular" -> isCircular = true;
                case "dangles" -> dangles = dangles(call, words.next());
                case "temperature" -> temperature = temperature(call, words.next());
                case "constraint" -> constraint = Objects.requireNonNullElse(words.next(), "");
                case PARAMETERS -> path = words.rest();
                default -> throw call.wrong("'%s' in '%s' is not an option".formatted(word, text.strip()));
            }
        }
        if (isEnforced && constraint == null) {
            throw call.wrong("'enforce' needs a constraint");
        }
        if (constraint != null && !call.valid.contains(OF_CONSTRAINT)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    "%s: this function does not support a constraint; omit the constraint".formatted(function));
        }
        return new FoldOptions(
                KnownLoops.of(function, dangles, temperature, path),
                noLonelyPairs,
                isCircular,
                constraint == null
                        ? Constraint.NONE
                        : Constraint.of(function, constraint.getBytes(StandardCharsets.UTF_8), isEnforced));
    }

    private static int dangles(Call call, String word) {
        if (word == null || !word.matches("[0-3]")) {
            throw call.wrong("dangles %s; it must be 0, 1, 2 or 3".formatted(found(word)));
        }
        return Integer.parseInt(word);
    }

    private static double temperature(Call call, String word) {
        if (word != null && word.matches("\\d{1,3}(\\.\\d{1,6})?")) {
            double temperature = Double.parseDouble(word);
            if (temperature >= MIN_TEMPERATURE && temperature <= MAX_TEMPERATURE) {
                return temperature;
            }
        }
        throw call.wrong(
                "temperature %s; it must be from 0 to 100 degrees Celsius, such as 37 or 25.5".formatted(found(word)));
    }

    /** @param word the word after the option; null at the end of the options */
    private static String found(String word) {
        return word == null ? "has no value" : "is '%s'".formatted(word);
    }
}
