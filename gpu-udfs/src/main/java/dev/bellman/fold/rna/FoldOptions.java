package dev.bellman.fold.rna;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How an RNA is folded, given as text: any of
 *
 * <pre>
 * dangles 0                     2 by default: mismatches beside the branches of multiloops and of the exterior loop
 * no_lp                         without lonely pairs, which stack on none
 * temperature 25                in degrees Celsius, 37 by default
 * parameters /data/rna.par      own energies, a file in ViennaRNA's format; last: the rest of the text is the path
 * </pre>
 *
 * @param tables the energies of loops at 37 degrees
 * @param energies those at the temperature
 */
record FoldOptions(EnergyTables tables, LoopEnergies energies, boolean noLonelyPairs) {
    /** Energies at temperatures below and above would be far from where they were measured. */
    static final double MIN_TEMPERATURE = 0;

    static final double MAX_TEMPERATURE = 100;

    private static final double TEMPERATURE = 37;

    private static final String PARAMETERS = "parameters";

    /** By their texts: energies take longer to scale than a short RNA to fold. */
    private static final Map<String, FoldOptions> PARSED = new ConcurrentHashMap<>();

    private static final int MAX_PARSED = 64;

    /**
     * Parses options.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if the text is not a list of options, or the file
     *     of energies is not one
     */
    static FoldOptions of(String function, String text) {
        FoldOptions known = PARSED.get(text);
        if (known != null) {
            return known;
        }
        FoldOptions parsed = parse(function, text);
        if (PARSED.size() >= MAX_PARSED) {
            PARSED.clear();
        }
        PARSED.put(text, parsed);
        return parsed;
    }

    /** Whether a text has the option that names a file. */
    static boolean readFile(String text) {
        return words(text).contains(PARAMETERS);
    }

    private static Deque<String> words(String text) {
        return new ArrayDeque<>(Arrays.asList(text.strip().split("\\s+")));
    }

    private static FoldOptions parse(String function, String text) {
        Deque<String> words = words(text);
        int dangles = 2;
        double temperature = TEMPERATURE;
        boolean noLonelyPairs = false;
        EnergyTables tables = Turner2004.tables();
        while (!words.isEmpty()) {
            String word = words.remove();
            switch (word) {
                case "" -> {}
                case "no_lp" -> noLonelyPairs = true;
                case "dangles" -> dangles = dangles(function, words.poll());
                case "temperature" -> temperature = temperature(function, words.poll());
                case PARAMETERS -> {
                    tables = ViennaFile.read(function, String.join(" ", words));
                    words.clear();
                }
                default -> throw wrong(function, "'%s' in '%s' is none".formatted(word, text.strip()));
            }
        }
        return new FoldOptions(tables, new LoopEnergies(tables, temperature, dangles), noLonelyPairs);
    }

    private static int dangles(String function, String word) {
        if (!"0".equals(word) && !"2".equals(word)) {
            throw wrong(function, "dangles are 0 or 2, not " + word);
        }
        return Integer.parseInt(word);
    }

    private static double temperature(String function, String word) {
        if (word != null && word.matches("\\d{1,3}(\\.\\d{1,6})?")) {
            double temperature = Double.parseDouble(word);
            if (temperature >= MIN_TEMPERATURE && temperature <= MAX_TEMPERATURE) {
                return temperature;
            }
        }
        throw wrong(function, "a temperature is from 0 to 100 degrees Celsius, such as 37 or 25.5, not " + word);
    }

    private static BellmanException wrong(String function, String found) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE,
                "%s: options are any of 'dangles 0', 'no_lp', 'temperature 25' and, last, 'parameters FILE'; %s"
                        .formatted(function, found));
    }
}
