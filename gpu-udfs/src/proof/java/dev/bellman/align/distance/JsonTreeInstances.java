package dev.bellman.align.distance;

import dev.bellman.proof.Values;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Generates pairs of JSON values, most of which have the same structure. They contain escaped and unescaped characters,
 * white space, empty names and values, equal names in an object, and numbers in all notations. Some of them are
 * malformed.
 */
final class JsonTreeInstances {
    private static final int MALFORMED = 60;

    /** The maximum depth of a value; deeper recursion could exceed the stack. */
    private static final int MAX_DEPTH = 200;

    private static final String[] STRINGS = {
        "",
        "a",
        "b",
        "\\u0061",
        "é",
        "\\u00E9",
        "日本",
        "\\u65e5",
        "😀",
        "\\ud83d\\ude00",
        "\\ud83d",
        "\\ud83dé",
        "\\ude00\\ud83d",
        "\\ud83d\\u0061",
        "\\n",
        "/",
        "\\/",
        "\\\\",
        "\\\"",
        "\\t\\r\\b\\f",
        "{}[]:,"
    };
    private static final String[] LITERALS = {
        "0",
        "1",
        "-1",
        "-0",
        "1.0",
        "1e3",
        "1E+3",
        "-12.5e-07",
        "123456789012345678901234567890",
        "true",
        "false",
        "null"
    };
    private static final String[] SPACES = {"", "", "", " ", "\t\r\n "};

    private final SplittableRandom structure;
    private final SplittableRandom labels;
    private final StringBuilder text = new StringBuilder();
    private int nodes;

    private JsonTreeInstances(long structure, long labels, int nodes) {
        this.structure = new SplittableRandom(structure);
        this.labels = new SplittableRandom(labels);
        this.nodes = nodes;
    }

    /** Draws {@code (a, b)}. */
    static InternalRow pair(SplittableRandom random, int size) {
        long structure = random.nextLong();
        long labels = random.nextLong();
        int nodes = Values.size(random, size);
        return Values.row(
                json(random, structure, labels, nodes),
                json(
                        random,
                        random.nextInt(4) == 0 ? random.nextLong() : structure,
                        random.nextInt(3) == 0 ? random.nextLong() : labels,
                        Math.max(1, nodes - random.nextInt(3))));
    }

    private static UTF8String json(SplittableRandom random, long structure, long labels, int nodes) {
        JsonTreeInstances instance = new JsonTreeInstances(structure, labels, nodes);
        instance.value(0);
        StringBuilder text = instance.text;
        if (random.nextInt(MALFORMED) == 0) {
            int place = random.nextInt(text.length());
            switch (random.nextInt(4)) {
                case 0 -> text.deleteCharAt(place);
                case 1 ->
                    text.insert(
                            place,
                            Values.oneOf(
                                    random, "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u12", "0", ".", "\n", "x"));
                case 2 -> text.setLength(place);
                default -> text.append(Values.oneOf(random, "1", ",", "{}", "\0"));
            }
        }
        return Values.sometimesNull(random, UTF8String.fromString(text.toString()));
    }

    private void value(int depth) {
        nodes--;
        space();
        // the root of a large tree is an array, because a single random value usually ends after a few nodes
        boolean isLarge = depth == 0 && nodes > MAX_DEPTH;
        int kind = nodes <= 0 || depth == MAX_DEPTH ? 4 : isLarge ? 2 : structure.nextInt(5);
        int count = isLarge
                ? nodes
                : structure.nextInt(8) == 0 ? 0 : 1 + structure.nextInt(structure.nextInt(4) == 0 ? 12 : 3);
        switch (kind) {
            case 0, 1 -> {
                text.append('{');
                for (int i = 0; i < count && (i == 0 || nodes > 0); i++) {
                    text.append(i == 0 ? "" : ",");
                    space();
                    string();
                    space();
                    text.append(':');
                    nodes--;
                    value(depth + 1);
                }
                text.append('}');
            }
            case 2, 3 -> {
                text.append('[');
                for (int i = 0; i < count && (i == 0 || nodes > 0); i++) {
                    text.append(i == 0 ? "" : ",");
                    value(depth + 1);
                }
                text.append(']');
            }
            default -> {
                if (labels.nextBoolean()) {
                    string();
                } else {
                    text.append(Values.oneOf(labels, LITERALS));
                }
            }
        }
        space();
    }

    private void string() {
        text.append('"').append(Values.oneOf(labels, STRINGS)).append('"');
    }

    private void space() {
        text.append(Values.oneOf(labels, SPACES));
    }
}
