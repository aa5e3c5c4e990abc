package dev.bellman.fold.rna.energy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.NamedFiles;
import dev.bellman.columns.TaskMemory;
import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.EnergyTables.Special;
import dev.bellman.fold.rna.energy.EnergyTables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/**
 * Reads energies from a file in the format of ViennaRNA 2, {@code ## RNAfold parameter file v2.0}. Tables that are
 * missing from the file are taken from {@link Turner2004}. An entry of a table is an integer, {@code INF} or {@code
 * DEF}, which is -50; anything else is an error, so that a corrupted number is never misread.
 */
public final class ViennaFile {
    /** The maximum file size in bytes; ViennaRNA's files take a quarter of a megabyte. */
    public static final int MAX_BYTES = 8 << 20;

    /** The maximum magnitude of a number in a file; the numbers in ViennaRNA's files are below 4,000. */
    public static final int MAX_NUMBER = 9_999;

    private static final String HEADER = "## RNAfold parameter file v2";
    private static final int DEFAULT = -50;

    /** The maximum number of characters of a file to show in a message. */
    private static final int MAX_SHOWN = 20;

    /** The number of pairs, including the entry for two bases that do not pair. */
    private static final int PAIRS = EnergyTables.PAIRS;

    /** The maximum number of words in a section; the tables of 2 x 2 loops have 9,216 words. */
    private static final int MAX_WORDS = 1 << 16;

    /**
     * The number of bytes per character of a file, including its copies in the text, in the text without comments and
     * in words.
     */
    private static final int BYTES_OF_A_LETTER = 8;

    private static final String SPACES = " \t\n\u000b\f\r";

    private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,7}");
    private static final Pattern REAL = Pattern.compile("[+-]?\\d{1,7}(\\.\\d{1,9})?");

    private final String function;
    private final String path;
    private final EnergyTables tables = new EnergyTables(Turner2004.tables());

    private ViennaFile(String function, String path) {
        this.function = function;
        this.path = path;
    }

    /**
     * Reads the content of a file.
     *
     * @param path the path on any file system that Hadoop supports
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if the file cannot be read or is too large
     */
    public static byte[] read(String function, String path) {
        TaskMemory.take(function, MAX_BYTES, "", () -> "a parameter file of at most %,d bytes".formatted(MAX_BYTES));
        byte[] text;
        try {
            Path file = new Path(path);
            // read one byte more than the limit, because some file systems do not report the file's length
            try (FSDataInputStream in = NamedFiles.open(file.getFileSystem(new Configuration()), file)) {
                text = in.readNBytes(MAX_BYTES + 1);
            }
        } catch (IOException | RuntimeException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    "%s: cannot read the parameters '%s' (%s); use a file that every executor can read"
                            .formatted(function, path, e.getMessage()),
                    e);
        }
        TaskMemory.release(MAX_BYTES);
        if (text.length > MAX_BYTES) {
            throw new ViennaFile(function, path).wrong("has more than %,d bytes".formatted(MAX_BYTES));
        }
        return text;
    }

    /** Parses the text of a file. */
    public static EnergyTables parse(String function, String path, String text) {
        ViennaFile file = new ViennaFile(function, path);
        int firstLine = text.indexOf('\n');
        String header = (firstLine < 0 ? text : text.substring(0, firstLine)).stripTrailing();
        if (!header.equals(HEADER) && !header.startsWith(HEADER + ".")) {
            throw file.wrong("does not begin with '" + HEADER + ".0'");
        }
        long bytes = (long) BYTES_OF_A_LETTER * text.length();
        TaskMemory.take(function, bytes, "", () -> "a parameter file of %,d letters".formatted(text.length()));
        file.sections(file.withoutComments(text.substring(header.length())));
        TaskMemory.release(bytes);
        return file.tables;
    }

    private String withoutComments(String text) {
        StringBuilder plain = new StringBuilder();
        int at = 0;
        for (int begin = text.indexOf("/*"); begin >= 0; begin = text.indexOf("/*", at)) {
            int end = text.indexOf("*/", begin + 2);
            if (end < 0) {
                throw wrong("has an unterminated comment, '%s'".formatted(shown(text, begin)));
            }
            plain.append(text, at, begin).append(' ');
            at = end + 2;
        }
        return plain.append(text, at, text.length()).toString();
    }

    /** Reads the sections, each of which begins with a line such as {@code # stack}. */
    private void sections(String text) {
        String name = null;
        List<String> words = new ArrayList<>();
        int at = 0;
        while (at < text.length() && !"END".equals(name)) {
            int newline = text.indexOf('\n', at);
            int end = newline < 0 ? text.length() : newline;
            if (at < end && text.charAt(at) == '#') {
                section(name, words);
                name = text.substring(at + 1, end).strip();
                words.clear();
            } else {
                addWords(name, text, at, end, words);
            }
            at = end + 1;
        }
        if (name == null) {
            throw wrong("has no section");
        }
        section(name, words);
    }

    private void addWords(String section, String text, int begin, int end, List<String> words) {
        for (int at = skip(text, begin, end, true); at < end; ) {
            int behind = skip(text, at, end, false);
            if (section == null || words.size() == MAX_WORDS) {
                throw wrong(
                        section == null
                                ? "has '%s' before the first section".formatted(shown(text, at))
                                : "has more than %,d words in %s; the first word beyond this maximum is '%s'"
                                        .formatted(MAX_WORDS, section, shown(text, at)));
            }
            words.add(text.substring(at, behind));
            at = skip(text, behind, end, true);
        }
    }

    private static int skip(String text, int from, int end, boolean spaces) {
        int at = from;
        while (at < end && SPACES.indexOf(text.charAt(at)) >= 0 == spaces) {
            at++;
        }
        return at;
    }

    private static String shown(String text, int from) {
        return text.substring(from, Math.min(text.length(), from + MAX_SHOWN));
    }

    private void section(String name, List<String> words) {
        if (name != null && !name.equals("END")) {
            section(name, words.toArray(new String[0]));
        }
    }

    private void section(String name, String... words) {
        switch (name) {
            case "ML_params" -> multiloop(name, words);
            case "NINIO" -> {
                count(name, words, 3, 3);
                tables.of(Table.ASYMMETRY, false)[0] = number(name, words, 0);
                tables.of(Table.ASYMMETRY, true)[0] = number(name, words, 1);
                tables.mostAsymmetry = number(name, words, 2);
            }
            case "Misc" -> misc(name, words);
            case "Triloops" -> specials(name, 5, words);
            case "Tetraloops" -> specials(name, 6, words);
            case "Hexaloops" -> specials(name, 8, words);
            default -> table(name, words);
        }
    }

    private void multiloop(String name, String... words) {
        count(name, words, 6, 6);
        for (int enthalpy = 0; enthalpy < 2; enthalpy++) {
            int[] entries = tables.of(Table.MULTILOOP, enthalpy == 1);
            entries[2] = number(name, words, enthalpy);
            entries[0] = number(name, words, 2 + enthalpy);
            entries[1] = number(name, words, 4 + enthalpy);
        }
    }

    private void misc(String name, String... words) {
        count(name, words, 4, 6);
        for (int enthalpy = 0; enthalpy < 2; enthalpy++) {
            tables.of(Table.DUPLEX, enthalpy == 1)[0] = number(name, words, enthalpy);
            tables.of(Table.TERMINAL, enthalpy == 1)[0] = number(name, words, 2 + enthalpy);
        }
        if (words.length > 4) {
            if (!REAL.matcher(words[4]).matches()) {
                throw malformed(name, words[4], 5, "a number");
            }
            tables.logarithm = Double.parseDouble(words[4]);
        }
    }

    private void specials(String name, int length, String... words) {
        if (words.length % 3 != 0) {
            throw wrong("has %d words in %s; each line must have a loop, its energy and its enthalpy"
                    .formatted(words.length, name));
        }
        tables.specials.keySet().removeIf(loop -> loop.length() == length);
        for (int at = 0; at < words.length; at += 3) {
            String loop = words[at].toUpperCase(Locale.ROOT).replace('T', 'U');
            if (loop.length() != length || !loop.matches("[ACGU]*")) {
                throw malformed(name, words[at], at + 1, "a loop of %d bases".formatted(length));
            }
            // if several lines describe the same loop, ViennaRNA uses the first
            tables.specials.putIfAbsent(loop, new Special(number(name, words, at + 1), number(name, words, at + 2)));
        }
    }

    private void table(String name, String... words) {
        boolean enthalpy = name.endsWith("_enthalpies");
        Table table = table(enthalpy ? name.substring(0, name.length() - "_enthalpies".length()) : name);
        if (table == null) {
            throw wrong("has an unknown section, '%s'".formatted(name));
        }
        int[] entries = tables.of(table, enthalpy);
        switch (table) {
            case HAIRPIN, BULGE, INTERNAL -> {
                count(name, words, entries.length, entries.length);
                for (int at = 0; at < entries.length; at++) {
                    entries[at] = entry(name, words, at, EnergyTables.NONE);
                }
            }
            case INT22 -> {
                // the file's table has no entries for bases that do not pair, nor for unknown bases
                copy(name, words, table, entries, PAIRS - 1, Bases.COUNT - 1);
                tables.deriveUnknown(table, enthalpy);
            }
            default -> copy(name, words, table, entries, PAIRS, Bases.COUNT);
        }
    }

    private static Table table(String name) {
        return switch (name) {
            case "stack" -> Table.STACK;
            case "mismatch_hairpin" -> Table.MISMATCH_HAIRPIN;
            case "mismatch_interior", "mismatch_internal" -> Table.MISMATCH_INTERNAL;
            case "mismatch_interior_1n", "mismatch_internal_1n" -> Table.MISMATCH_INTERNAL_1N;
            case "mismatch_interior_23", "mismatch_internal_23" -> Table.MISMATCH_INTERNAL_23;
            case "mismatch_multi" -> Table.MISMATCH_MULTI;
            case "mismatch_exterior" -> Table.MISMATCH_EXTERIOR;
            case "dangle5" -> Table.DANGLE5;
            case "dangle3" -> Table.DANGLE3;
            case "int11" -> Table.INT11;
            case "int21" -> Table.INT21;
            case "int22" -> Table.INT22;
            case "hairpin" -> Table.HAIRPIN;
            case "bulge" -> Table.BULGE;
            case "interior", "internal" -> Table.INTERNAL;
            default -> null;
        };
    }

    /** Copies a table whose indices cover the given number of pairs, starting at 1, and the bases up to U. */
    private void copy(String name, String[] words, Table table, int[] entries, int pairs, int bases) {
        int size = 1;
        for (int i = 0; i < table.pairs; i++) {
            size *= pairs;
        }
        for (int i = 0; i < table.bases; i++) {
            size *= bases;
        }
        count(name, words, size, size);
        for (int from = 0; from < size; from++) {
            int rest = from;
            int to = 0;
            int stride = 1;
            for (int i = 0; i < table.bases; i++) {
                to += (rest % bases + Bases.COUNT - bases) * stride;
                rest /= bases;
                stride *= Bases.COUNT;
            }
            boolean known = true;
            for (int i = 0; i < table.pairs; i++) {
                int pair = rest % pairs + 1;
                known &= pair < PAIRS;
                to += pair % PAIRS * stride;
                rest /= pairs;
                stride *= PAIRS;
            }
            int number = entry(name, words, from, EnergyTables.FORBIDDEN);
            if (known) {
                entries[to] = number;
            }
        }
    }

    private void count(String name, String[] words, int least, int most) {
        if (words.length < least || words.length > most) {
            String expected = least == most ? "" + least : least + " to " + most;
            throw wrong("has %d numbers in %s; expected %s".formatted(words.length, name, expected));
        }
    }

    /** Returns an entry of a table, in which {@code INF} stands for the given number. */
    private int entry(String name, String[] words, int at, int infinity) {
        return words[at].equals("INF") ? infinity : number(name, words, at, ", INF or DEF");
    }

    private int number(String name, String[] words, int at) {
        return number(name, words, at, " or DEF");
    }

    /** @param others the other words that are allowed, for the message */
    private int number(String name, String[] words, int at, String others) {
        String word = words[at];
        if (word.equals("DEF")) {
            return DEFAULT;
        }
        if (!INTEGER.matcher(word).matches() || Math.abs(Integer.parseInt(word)) > MAX_NUMBER) {
            throw malformed(
                    name, word, at + 1, "an integer from %d to %d%s".formatted(-MAX_NUMBER, MAX_NUMBER, others));
        }
        return Integer.parseInt(word);
    }

    private BellmanException malformed(String name, String word, int place, String expected) {
        return wrong("has '%s' as word %d of %s; it must be %s".formatted(word, place, name, expected));
    }

    private BellmanException wrong(String found) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE,
                "%s: the parameters '%s' are not in ViennaRNA's format v2.0: the file %s"
                        .formatted(function, path, found));
    }
}
