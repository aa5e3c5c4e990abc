import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Generates the inner loops of {@code EditDistanceBits}, {@code EditOperationBits} and {@code LcsBits} during the
 * build, one loop for each number of words in a strip. Separate loops are needed because bit vectors stay in registers
 * only if each word has its own variables. The build runs this class as a single source file:
 *
 * <pre>java GenerateBitLoops.java OUTPUT</pre>
 *
 * <p>This file defines one step of each recurrence for one word; {@code EditDistanceBits} and {@code LcsBits} explain
 * the recurrences. In a template, {@code #} is the index of the word and {@code @} the index of the word below.
 */
final class GenerateBitLoops {
    private static final String PACKAGE = "dev.bellman.align.bits";

    private static final String PARAMETERS = "long[] matches, int[] columns, int from, int to, "
            + "long[] vertical, int verticalAt, long[] horizontal, long[] history, int historyAt, int historyStride";

    /** These constants must have the same values as {@code BitRecurrence.MAX_WORDS} and {@code MAX_WORDS_ALONE}. */
    private static final int MAX_WORDS = 3;

    private static final int MAX_WORDS_ALONE = 4;

    /** The minimum number of words for which separate loops that omit corners pay off. */
    private static final int MIN_WORDS_WITH_CORNERS = 2;

    /**
     * A bit vector: its name, its value before the first column, and the variable whose value is stored in the history.
     */
    private record Vector(String name, String begin, String history) {}

    /**
     * A recurrence.
     *
     * @param top the first word's input, which comes from the row above the strip
     * @param step the code for one column of a word, up to the word's output
     * @param handOn the output that the word below reads
     * @param handOut the output that the strip below reads
     * @param rest the rest of the step
     * @param alone code for strips that are the whole table; empty if the history is always stored
     */
    private record Recurrence(
            String name,
            List<Vector> vectors,
            String top,
            String step,
            String handOn,
            String handOut,
            String rest,
            Optional<Alone> alone) {}

    /**
     * The code for loops over strips without neighbouring strips.
     *
     * @param top the input of a loop's first word
     * @param value the contribution of a word's rows to the last cell's value
     * @param base the initial value, to which every word's contribution is added
     * @param corners whether loops over at least {@link #MIN_WORDS_WITH_CORNERS} words omit two corners of the table
     */
    private record Alone(String top, String value, String base, boolean corners) {}

    /**
     * The columns of a loop.
     *
     * @param method the name of the loop's method
     * @param symbol the code that finds a column's words in the table of matches
     * @param match the expression for one of these words
     */
    private record Columns(String method, String parameters, String arguments, String symbol, String match) {}

    private static final String MATCH = "matches[symbol + #]";

    private static final Columns SYMBOLS =
            new Columns("alone", "int[] columns", "columns", "int symbol = columns[j];\n", MATCH);

    /**
     * ASCII characters, which are below the number of entries in the table of matches, so no index is checked. The
     * table has {@code SymbolPair.STRIDE} words per character.
     */
    private static final Columns ASCII = new Columns(
            "ascii",
            "byte[] columns, int begin",
            "columns, begin",
            "long symbol = Platform.LONG_ARRAY_OFFSET + 4L * Long.BYTES * columns[begin + j];\n",
            "Platform.getLong(matches, symbol + Long.BYTES * #)");

    /** Uses {@code still}, the complement of {@code hp}, because processors have an instruction for {@code x & ~y}. */
    private static final Recurrence EDIT_DISTANCE = new Recurrence(
            "EditDistanceLoops",
            List.of(new Vector("p", "-1", "d"), new Vector("n", "0", "p")),
            """
            long stillUp0 = ~pIn & 1;
            long nUp0 = nIn & 1;
            pIn >>>= 1;
            nIn >>>= 1;
            """,
            """
            long x# = matches[symbol + #] | nUp#;
            long d# = (((x# & p#) + p#) ^ p#) | (x# | n#);
            long still# = (d# | p#) & ~n#;
            long hn# = p# & d#;
            """,
            """
            long stillUp@ = still# >>> 63;
            long nUp@ = hn# >>> 63;
            """,
            """
            pOut = pOut >>> 1 | ~still# & Long.MIN_VALUE;
            nOut = nOut >>> 1 | hn# & Long.MIN_VALUE;
            """,
            """
            still# = still# << 1 | stillUp#;
            hn# = hn# << 1 | nUp#;
            p# = hn# | still# & ~d#;
            n# = d# & ~still#;
            """,
            Optional.of(new Alone("""
                    long stillUp# = 0;
                    long nUp# = 0;
                    """, "Long.bitCount(p# & ROWS) - Long.bitCount(n# & ROWS)", "m", true)));

    /**
     * The recurrence of {@link #EDIT_DISTANCE}, but the history stores each column's vertical increases and the
     * previous column's vertical decreases.
     */
    private static final Recurrence EDIT_OPERATIONS = new Recurrence(
            "EditOperationLoops",
            List.of(new Vector("p", "-1", "p"), new Vector("n", "0", "before")),
            EDIT_DISTANCE.top(),
            "long before# = n#;\n" + EDIT_DISTANCE.step(),
            EDIT_DISTANCE.handOn(),
            EDIT_DISTANCE.handOut(),
            EDIT_DISTANCE.rest(),
            Optional.empty());

    /**
     * The carry out of {@code sum = v + u + carry}, where {@code u} has only bits that {@code v} has, is the highest
     * bit of {@code u | v & ~sum}.
     */
    private static final Recurrence LCS = new Recurrence(
            "LcsLoops",
            List.of(new Vector("v", "-1", "v")),
            """
            long carry0 = vIn & 1;
            vIn >>>= 1;
            """,
            """
            long u# = v# & matches[symbol + #];
            long sum# = v# + u# + carry#;
            """,
            """
            long carry@ = (u# | v# & ~sum#) >>> 63;
            """,
            """
            vOut = vOut >>> 1 | (u# | v# & ~sum#) & Long.MIN_VALUE;
            """,
            """
            v# = sum# | v# ^ u#;
            """,
            Optional.of(new Alone("long carry# = 0;\n", "Long.bitCount(~v# & ROWS)", "0", false)));

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]).resolve(PACKAGE.replace('.', '/'));
        Files.createDirectories(folder);
        for (Recurrence recurrence : List.of(EDIT_DISTANCE, EDIT_OPERATIONS, LCS)) {
            Path file = folder.resolve(recurrence.name() + ".java");
            String source = indented(source(recurrence));
            // an unchanged file must keep its modification time; otherwise it is compiled again
            if (!Files.exists(file) || !Files.readString(file).equals(source)) {
                Files.writeString(file, source);
            }
        }
    }

    private static String indented(String source) {
        StringBuilder text = new StringBuilder();
        int depth = 0;
        for (String line : source.lines().map(String::strip).toList()) {
            depth -= line.startsWith("}") ? 1 : 0;
            text.append(line.isEmpty() ? "" : "    ".repeat(depth)).append(line).append('\n');
            depth += line.endsWith("{") ? 1 : 0;
        }
        return text.toString();
    }

    private static String source(Recurrence recurrence) {
        return """
                package %1$s;

                %7$s/** Written by GenerateBitLoops. */
                final class %2$s {
                    private %2$s() {}

                    /** See BitRecurrence. */
                    static void advance(int words, %3$s) {
                        switch (words) {
                %4$sdefault -> throw new IllegalArgumentException(words + " words");
                        }
                    }

                %5$s%6$s}
                """.formatted(
                        PACKAGE,
                        recurrence.name(),
                        PARAMETERS,
                        each(MAX_WORDS, w -> ("case %d -> advance%1$d(matches, columns, from, to, vertical, "
                                        + "verticalAt, horizontal, history, historyAt, historyStride);\n")
                                .formatted(w + 1)),
                        recurrence.alone().map(its -> alone(recurrence, its)).orElse(""),
                        each(MAX_WORDS, w -> advance(recurrence, w + 1)),
                        recurrence.alone().filter(Alone::corners).isPresent()
                                ? "import org.apache.spark.unsafe.Platform;\n\n"
                                : "");
    }

    private static String advance(Recurrence recurrence, int words) {
        int vectors = recurrence.vectors().size();
        return """
                private static void advance%d(%s) {
                %sfor (int group = from; group < to; group += 64) {
                int end = Math.min(to, group + 64);
                int at = (group >>> 6) * %d;
                %sfor (int j = group; j < end; j++) {
                int symbol = columns[j];
                %s%sif (history != null) {
                int cell = historyAt + %d * j;
                %s}
                }
                %s}
                %s}

                """.formatted(
                words,
                PARAMETERS,
                each(
                        words,
                        w -> vectors(recurrence, (v, vector) -> "long %s%d = vertical[verticalAt + %d];\n"
                                .formatted(vector.name(), w, w * vectors + v))),
                vectors,
                vectors(recurrence, (v, vector) -> "long %sIn = horizontal[at + %d];\nlong %1$sOut = 0;\n"
                        .formatted(vector.name(), v)),
                recurrence.top(),
                steps(recurrence, 0, words, recurrence.handOut(), MATCH),
                vectors,
                each(
                        words,
                        w -> vectors(recurrence, (v, vector) -> "history[cell + %d * historyStride + %d] = %s%d;\n"
                                .formatted(w, v, vector.history(), w))),
                vectors(recurrence, (v, vector) -> "horizontal[at + %d] = %sOut >>> group + 64 - end;\n"
                        .formatted(v, vector.name())),
                each(
                        words,
                        w -> vectors(recurrence, (v, vector) -> "vertical[verticalAt + %d] = %s%d;\n"
                                .formatted(w * vectors + v, vector.name(), w))));
    }

    private static String alone(Recurrence recurrence, Alone its) {
        String symbols = alone(recurrence, its, SYMBOLS);
        return its.corners() ? symbols + alone(recurrence, its, ASCII) : symbols;
    }

    private static String alone(Recurrence recurrence, Alone its, Columns columns) {
        String corners = its.corners() ? ", int lastBegin, int firstEnd" : "";
        return """
                /** See BitRecurrence%4$s. */
                static int %5$s(int words, long[] matches, %6$s, int m, long lastRows%1$s) {
                return switch (words) {
                %2$sdefault -> throw new IllegalArgumentException(words + " words");
                };
                }

                %3$s""".formatted(
                        corners,
                        each(MAX_WORDS_ALONE, w -> "case %d -> %s%1$d(matches, %s, m, lastRows%s);\n"
                                .formatted(
                                        w + 1,
                                        columns.method(),
                                        columns.arguments(),
                                        hasCorners(its, w + 1) ? ", lastBegin, firstEnd" : "")),
                        each(MAX_WORDS_ALONE, w -> alone(recurrence, its, columns, w + 1)),
                        its.corners() ? " and EditDistanceBits" : "",
                        columns.method(),
                        columns.parameters());
    }

    private static boolean hasCorners(Alone its, int words) {
        return its.corners() && words >= MIN_WORDS_WITH_CORNERS;
    }

    private static String alone(Recurrence recurrence, Alone its, Columns columns, int words) {
        boolean corners = hasCorners(its, words);
        return """
                private static int %s%d(long[] matches, %s, int m, long lastRows%s) {
                %s%sreturn %s%s;
                }

                """.formatted(
                columns.method(),
                words,
                columns.parameters(),
                corners ? ", int lastBegin, int firstEnd" : "",
                each(
                        words,
                        w -> vectors(recurrence, (v, vector) -> "long %s%d = %s;\n"
                                .formatted(vector.name(), w, vector.begin()))),
                corners
                        ? loop(recurrence, its, columns, "0", "lastBegin", 0, words - 1)
                                + loop(recurrence, its, columns, "lastBegin", "firstEnd", 0, words)
                                + loop(recurrence, its, columns, "firstEnd", "m", 1, words)
                        : loop(recurrence, its, columns, "0", "m", 0, words),
                its.base(),
                each(words, w -> " + " + ofWord(its.value(), w).replace("ROWS", w + 1 < words ? "-1L" : "lastRows")));
    }

    /** Returns the loop over the columns between two expressions, for the words {@code first} to {@code end - 1}. */
    private static String loop(
            Recurrence recurrence, Alone its, Columns columns, String from, String to, int first, int end) {
        return """
                for (int j = %s; j < %s; j++) {
                %s%s%s}
                """.formatted(
                        from,
                        to,
                        columns.symbol(),
                        ofWord(its.top(), first),
                        steps(recurrence, first, end, "", columns.match()));
    }

    private static String steps(Recurrence recurrence, int first, int end, String handOut, String match) {
        return IntStream.range(first, end)
                .mapToObj(w -> ofWord(
                        recurrence.step().replace(MATCH, match)
                                + (w + 1 < end ? recurrence.handOn() : handOut)
                                + recurrence.rest(),
                        w))
                .collect(Collectors.joining());
    }

    private static String ofWord(String template, int word) {
        return template.replace("#", String.valueOf(word)).replace("@", String.valueOf(word + 1));
    }

    private static String each(int count, IntFunction<String> text) {
        return IntStream.range(0, count).mapToObj(text).collect(Collectors.joining());
    }

    @FunctionalInterface
    private interface OfVector {
        String text(int number, Vector vector);
    }

    private static String vectors(Recurrence recurrence, OfVector text) {
        return each(
                recurrence.vectors().size(),
                v -> text.text(v, recurrence.vectors().get(v)));
    }
}
