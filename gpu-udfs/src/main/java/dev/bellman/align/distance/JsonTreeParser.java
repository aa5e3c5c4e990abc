package dev.bellman.align.distance;

import dev.bellman.BellmanException;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Reads a JSON value (RFC 8259) as a tree, after Huetter et al., "JEDI: These aren't the JSON documents you're looking
 * for" (2022), but with the members of an object in the order in which they are written. An object is a node with a
 * child for each member; the member's node has one child, the member's value. An array is a node with a child for each
 * element. All other values are leaves.
 *
 * <p>The first character of a label shows what the node is, so no two kinds of nodes have equal labels.
 */
final class JsonTreeParser {
    private static final String OBJECT = "{";
    private static final String ARRAY = "[";
    private static final char MEMBER = ':';
    private static final char STRING = '"';
    /** Stands for the end of the string; it differs from every byte, also from those that are not ASCII. */
    private static final int END = Integer.MIN_VALUE;

    private static final int HEX_DIGITS = 4;

    /**
     * Matches a value that is not an object, an array or a string: a number, {@code true}, {@code false} or {@code
     * null}.
     */
    private static final Pattern LITERAL =
            Pattern.compile("true|false|null|-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+");

    private final String function;
    private final String name;
    private final byte[] text;
    private final TreeBuilder nodes;
    /** Whether each open node is an array. */
    private final boolean[] isArray;

    private final Cancellation cancellation = new Cancellation();
    private final ByteArrayOutputStream label = new ByteArrayOutputStream();
    private int at;

    private JsonTreeParser(String function, String name, byte[] text, Map<String, Integer> numbers) {
        this.function = function;
        this.name = name;
        this.text = text;
        // an upper bound on the number of nodes: each value except the root follows a colon, a comma or an opening
        // square bracket, and a colon also follows a member's name, which is a node as well
        long count = 1;
        int depth = 0;
        for (byte each : text) {
            count += each == ':' ? 2 : each == ',' || each == '[' ? 1 : 0;
            depth += each == ':' || each == '{' || each == '[' ? 1 : 0;
        }
        nodes = new TreeBuilder(function, count, numbers);
        isArray = new boolean[depth];
    }

    /**
     * Returns the tree that a string describes. @param name the parameter's name, for messages
     * @param numbers the labels found so far, with their numbers; new labels are added
     */
    static LabelTree parse(String function, String name, UTF8String text, Map<String, Integer> numbers) {
        return new JsonTreeParser(function, name, TaskMemory.bytesOf(text), numbers).tree();
    }

    private LabelTree tree() {
        boolean hasNext = true;
        while (hasNext) {
            hasNext = !value() || isFollowed();
            cancellation.count(1);
        }
        return nodes.tree();
    }

    /** Reads a value, or the beginning of a value that contains others. Returns whether it read a whole value. */
    private boolean value() {
        boolean isWhole = true;
        switch (next()) {
            case '{' -> {
                open(OBJECT, false);
                isWhole = isNext('}');
                if (!isWhole) {
                    member();
                }
            }
            case '[' -> {
                open(ARRAY, true);
                isWhole = isNext(']');
            }
            case '"' -> {
                nodes.open(string(STRING));
                nodes.close();
            }
            default -> {
                nodes.open(literal());
                nodes.close();
            }
        }
        return isWhole;
    }

    private void open(String kind, boolean isArrayNow) {
        isArray[nodes.depth()] = isArrayNow;
        nodes.open(kind);
        at++;
    }

    /** Reads a closing bracket and closes its node, if this bracket is next. Returns whether it was next. */
    private boolean isNext(char bracket) {
        boolean isNext = next() == bracket;
        if (isNext) {
            nodes.close();
            at++;
        }
        return isNext;
    }

    /**
     * Reads the closing brackets after a value, and then the comma and any member's name before the next value. Returns
     * false after the last value.
     */
    private boolean isFollowed() {
        while (nodes.depth() > 0) {
            boolean isInArray = isArray[nodes.depth() - 1];
            if (!isInArray) {
                // close the node of the member whose value has ended
                nodes.close();
            }
            if (next() == ',') {
                at++;
                if (!isInArray) {
                    member();
                }
                return true;
            }
            if (!isNext(isInArray ? ']' : '}')) {
                throw unexpected();
            }
        }
        if (next() != END) {
            throw invalid("a second value");
        }
        return false;
    }

    /** Reads a member's name and the colon. */
    private void member() {
        if (next() != '"') {
            throw unexpected();
        }
        String key = string(MEMBER);
        if (next() != ':') {
            throw unexpected();
        }
        open(key, false);
    }

    /** Skips white space and returns the next byte, or {@link #END}. */
    private int next() {
        while (at < text.length && " \t\r\n".indexOf(text[at]) >= 0) {
            at++;
        }
        return at < text.length ? text[at] : END;
    }

    private String literal() {
        int begin = at;
        while (at < text.length && (Character.isLetterOrDigit(text[at]) || "+-.".indexOf(text[at]) >= 0)) {
            at++;
        }
        String literal = new String(text, begin, at - begin, StandardCharsets.ISO_8859_1);
        if (!LITERAL.matcher(literal).matches()) {
            at = begin;
            throw unexpected();
        }
        return literal;
    }

    /** Reads a string and returns its UTF-8 bytes as characters, after the character for the kind of the node. */
    private String string(char kind) {
        label.reset();
        label.write(kind);
        for (at++; at < text.length && text[at] != '"'; at++) {
            cancellation.count(1);
            if (text[at] == '\\') {
                escape();
            } else if (text[at] >= 0 && text[at] < ' ') {
                throw unexpected();
            } else {
                label.write(text[at]);
            }
        }
        if (at == text.length) {
            throw unexpected();
        }
        at++;
        return label.toString(StandardCharsets.ISO_8859_1);
    }

    private void escape() {
        at++;
        int letter = at < text.length ? text[at] : END;
        int simple = "\"\\/bfnrt".indexOf(letter);
        if (simple >= 0) {
            label.write("\"\\/\b\f\n\r\t".charAt(simple));
        } else if (letter == 'u') {
            int unit = unit();
            boolean isPair = Character.isHighSurrogate((char) unit)
                    && at + 2 < text.length
                    && text[at + 1] == '\\'
                    && text[at + 2] == 'u';
            if (isPair) {
                at += 2;
                int second = unit();
                if (Character.isLowSurrogate((char) second)) {
                    write(Character.toCodePoint((char) unit, (char) second));
                } else {
                    write(unit);
                    write(second);
                }
            } else {
                write(unit);
            }
        } else {
            throw unexpected();
        }
    }

    /** Reads the four hexadecimal digits after the current byte. */
    private int unit() {
        int unit = 0;
        for (int k = 0; k < HEX_DIGITS; k++) {
            at++;
            int digit = at < text.length ? Character.digit(text[at], 16) : -1;
            if (digit < 0) {
                throw unexpected();
            }
            unit = 16 * unit + digit;
        }
        return unit;
    }

    /** Writes a character's UTF-8 bytes; a surrogate without its partner is written like any other character. */
    private void write(int character) {
        if (character < 0x80) {
            label.write(character);
        } else {
            int more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
            label.write(0xff00 >> more + 1 & 0xff | character >> 6 * more);
            for (int k = more - 1; k >= 0; k--) {
                label.write(0x80 | character >> 6 * k & 0x3f);
            }
        }
    }

    private BellmanException unexpected() {
        return invalid(at < text.length ? "an unexpected character" : "the end of the string");
    }

    private BellmanException invalid(String found) {
        return BellmanException.inRow(
                function,
                "`%s`: found %s at byte %,d; expected one JSON value, such as {\"name\": [1, 2]}"
                        .formatted(name, found, at + 1));
    }
}
