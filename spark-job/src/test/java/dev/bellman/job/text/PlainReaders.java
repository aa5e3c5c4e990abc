package dev.bellman.job.text;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads text formats in the simplest way, as a reference: with the whole file in memory, with regular expressions, and
 * without Spark. Bytes are treated as characters until they become a value.
 */
public final class PlainReaders {
    /**
     * The contents of a file.
     *
     * @param records the values of each good record
     * @param malformed the number of malformed records
     * @param broken whether the file cannot be read
     */
    public record Found(List<List<String>> records, int malformed, boolean broken) {
        static final Found BROKEN = new Found(List.of(), 0, true);
    }

    /** Thrown for malformed text. */
    private static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private static final String BOM = "\u00ef\u00bb\u00bf";

    private PlainReaders() {}

    private static List<String> lines(byte[] file) {
        String text = new String(file, StandardCharsets.ISO_8859_1);
        return List.of((text.startsWith(BOM) ? text.substring(3) : text).split("\r\n|\n|\r", -1));
    }

    private static String utf8(String bytes) throws Malformed {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new Malformed();
        }
    }

    private static String letters(String line) throws Malformed {
        String letters = line.replaceAll("[ \t]", "");
        if (letters.chars().anyMatch(letter -> letter < ' ')) {
            throw new Malformed();
        }
        return letters;
    }

    private static List<String> header(String line) throws Malformed {
        Matcher header =
                Pattern.compile(".([^ \t]+)[ \t]*(.*?)[ \t]*", Pattern.DOTALL).matcher(line);
        if (!header.matches() || line.chars().anyMatch(character -> character < ' ' && character != '\t')) {
            throw new Malformed();
        }
        return List.of(utf8(header.group(1)), header.group(2).isEmpty() ? "null" : utf8(header.group(2)));
    }

    /** Returns the id, the description and the sequence of each record. */
    public static Found fasta(byte[] file) {
        List<List<String>> records = new ArrayList<>();
        try {
            StringBuilder sequence = new StringBuilder();
            List<String> header = List.of();
            for (String line : lines(file)) {
                if (!line.startsWith(">")) {
                    sequence.append(letters(line));
                    if (header.isEmpty() && sequence.length() > 0) {
                        return Found.BROKEN;
                    }
                    continue;
                }
                if (!header.isEmpty()) {
                    records.add(List.of(header.get(0), header.get(1), utf8(sequence.toString())));
                }
                header = header(line);
                sequence.setLength(0);
            }
            if (!header.isEmpty()) {
                records.add(List.of(header.get(0), header.get(1), utf8(sequence.toString())));
            }
        } catch (Malformed e) {
            return Found.BROKEN;
        }
        return new Found(records, 0, false);
    }

    /** Returns the id, the description, the sequence and the quality of each record. */
    public static Found fastq(byte[] file) {
        List<List<String>> records = new ArrayList<>();
        List<String> lines = lines(file);
        try {
            int at = 0;
            while (true) {
                while (at < lines.size() && !lines.get(at).startsWith("@")) {
                    if (!letters(lines.get(at)).isEmpty()) {
                        return Found.BROKEN;
                    }
                    at++;
                }
                if (at == lines.size()) {
                    return new Found(records, 0, false);
                }
                List<String> header = header(lines.get(at++));
                StringBuilder sequence = new StringBuilder();
                while (at < lines.size() && !lines.get(at).startsWith("+")) {
                    if (lines.get(at).startsWith("@")) {
                        return Found.BROKEN;
                    }
                    sequence.append(letters(lines.get(at++)));
                }
                if (at++ >= lines.size()) {
                    return Found.BROKEN;
                }
                StringBuilder quality = new StringBuilder();
                while (at < lines.size() && quality.length() < sequence.length()) {
                    quality.append(letters(lines.get(at++)));
                }
                if (quality.length() != sequence.length()) {
                    return Found.BROKEN;
                }
                records.add(List.of(header.get(0), header.get(1), utf8(sequence.toString()), utf8(quality.toString())));
            }
        } catch (Malformed e) {
            return Found.BROKEN;
        }
    }

    /** Returns the fields of each record. The first record is the header. */
    public static Found csv(byte[] file) {
        return table(file, ",", "\"(?:[^\"\0]|\"\")*\"|[^\",\0]*");
    }

    /** Returns the fields of each record. The first record is the header. */
    public static Found tsv(byte[] file) {
        return table(file, "\t", "[^\t\0]*");
    }

    private static Found table(byte[] file, String separator, String field) {
        Pattern record = Pattern.compile("(?:" + field + ")(?:" + separator + "(?:" + field + "))*+");
        Pattern next = Pattern.compile("\\G(" + field + ")(" + separator + "|\\z)");
        List<List<String>> records = new ArrayList<>();
        int malformed = 0;
        List<String> lines = lines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            boolean oneColumn = !records.isEmpty() && records.get(0).size() == 1;
            boolean end = i == lines.size() - 1 && line.isEmpty();
            if (end || !oneColumn && line.replace(" ", "").isEmpty()) {
                continue;
            }
            List<String> fields = new ArrayList<>();
            try {
                utf8(line);
                if (!record.matcher(line).matches()) {
                    throw new Malformed();
                }
                Matcher each = next.matcher(line);
                while (each.find()) {
                    String text = each.group(1);
                    boolean quoted = separator.equals(",") && text.startsWith("\"");
                    String value = quoted
                            ? text.substring(1, text.length() - 1).replace("\"\"", "\"")
                            : text.isEmpty() ? "null" : text;
                    fields.add(utf8(value));
                    if (each.group(2).isEmpty()) {
                        break;
                    }
                }
                if (!records.isEmpty() && fields.size() != records.get(0).size()) {
                    throw new Malformed();
                }
                records.add(fields);
            } catch (Malformed e) {
                if (records.isEmpty()) {
                    return Found.BROKEN;
                }
                malformed++;
            }
        }
        return new Found(records, malformed, false);
    }

    /**
     * Returns the values of id, a and b in each object as text: {@code null} for an absent value, and {@code ?} for a
     * value that is not a string.
     */
    public static Found json(byte[] file) {
        List<List<String>> records = new ArrayList<>();
        int malformed = 0;
        boolean repeats = false;
        for (String line : lines(file)) {
            if (line.replaceAll("[ \t]", "").isEmpty()) {
                continue;
            }
            try {
                // concatenated files contain byte order marks, which Jackson skips
                Json json = new Json(utf8(line.startsWith(BOM) ? line.substring(3) : line));
                json.blanks();
                if (json.peek() != '{') {
                    throw new Malformed();
                }
                Map<String, String> object = json.object();
                json.blanks();
                if (json.at != json.text.length()) {
                    throw new Malformed();
                }
                List<String> record = new ArrayList<>();
                for (String column : List.of("id", "a", "b")) {
                    record.add(object.getOrDefault(column, "null"));
                }
                record.addAll(object.keySet());
                records.add(record);
                repeats |= json.repeats;
            } catch (Malformed e) {
                malformed++;
            }
        }
        // Spark refuses a schema with a repeated column
        return new Found(records, malformed, repeats);
    }

    /** Parses RFC 8259 by recursive descent. */
    private static final class Json {
        private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?");

        private final String text;
        private int at;
        /** Whether an object contains a key twice. */
        private boolean repeats;

        Json(String text) {
            this.text = text;
        }

        private int peek() {
            return at < text.length() ? text.charAt(at) : -1;
        }

        private void blanks() {
            while (peek() == ' ' || peek() == '\t') {
                at++;
            }
        }

        private void expect(char character) throws Malformed {
            if (peek() != character) {
                throw new Malformed();
            }
            at++;
        }

        private Map<String, String> object() throws Malformed {
            Map<String, String> object = new LinkedHashMap<>();
            expect('{');
            blanks();
            while (peek() != '}') {
                if (!object.isEmpty()) {
                    expect(',');
                    blanks();
                }
                String key = string();
                blanks();
                expect(':');
                blanks();
                String value = value();
                repeats |= object.put(key, value) != null;
                blanks();
            }
            at++;
            return object;
        }

        private String value() throws Malformed {
            switch (peek()) {
                case '"' -> {
                    return string();
                }
                case '{' -> object();
                case '[' -> {
                    at++;
                    blanks();
                    for (boolean first = true; peek() != ']'; first = false) {
                        if (!first) {
                            expect(',');
                            blanks();
                        }
                        value();
                        blanks();
                    }
                    at++;
                }
                default -> {
                    for (String word : List.of("true", "false", "null")) {
                        if (text.startsWith(word, at)) {
                            at += word.length();
                            return word.equals("null") ? "null" : "?";
                        }
                    }
                    Matcher number = NUMBER.matcher(text).region(at, text.length());
                    if (!number.lookingAt()) {
                        throw new Malformed();
                    }
                    at = number.end();
                }
            }
            return "?";
        }

        private String string() throws Malformed {
            StringBuilder string = new StringBuilder();
            expect('"');
            while (peek() != '"') {
                int next = peek();
                if (next < ' ') {
                    throw new Malformed();
                }
                at++;
                if (next != '\\') {
                    string.append((char) next);
                    continue;
                }
                int escape = "\"\\/bfnrtu".indexOf(peek());
                if (peek() < 0 || escape < 0) {
                    throw new Malformed();
                }
                at++;
                if (escape < 8) {
                    string.append("\"\\/\b\f\n\r\t".charAt(escape));
                } else {
                    if (!text.substring(at).matches("(?s)[0-9a-fA-F]{4}.*")) {
                        throw new Malformed();
                    }
                    string.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                }
            }
            at++;
            return string.toString();
        }
    }
}
