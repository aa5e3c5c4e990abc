package dev.bellman.align.distance;

import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Generates pairs of trees that are deep, wide, one-sided or random; the trees of a pair are a few edits apart or
 * unrelated.
 */
final class TreeInstances {
    private static final int REJECTED = 300;

    private TreeInstances() {}

    /** Draws {@code (a, b, insert, delete, rename, format)}. */
    static InternalRow formats(SplittableRandom random, int size) {
        boolean isJson = random.nextBoolean();
        InternalRow row = isJson ? JsonTreeInstances.pair(random, size) : pair(random, size);
        String format = random.nextInt(REJECTED) == 0 ? "xml" : isJson ? "json" : "brackets";
        return Values.row(
                row.isNullAt(0) ? null : row.getUTF8String(0),
                row.isNullAt(1) ? null : row.getUTF8String(1),
                cost(random),
                cost(random),
                cost(random),
                Values.sometimesNull(random, UTF8String.fromString(format)));
    }

    /** Draws {@code (a, b)} in bracket notation. */
    private static InternalRow pair(SplittableRandom random, int size) {
        String[] labels =
                switch (random.nextInt(3)) {
                    case 0 -> new String[] {"a"};
                    case 1 -> new String[] {"a", "b", "c"};
                    default -> new String[] {"a", "", " b", "é", "\\{", "\\\\", "\\}x", "日本"};
                };
        List<String> shape = shape(random, Math.max(1, Values.size(random, size)), labels);
        List<String> other = new ArrayList<>(shape);
        if (random.nextInt(3) == 0) {
            other = shape(random, Math.max(1, Values.size(random, size)), labels);
        }
        for (int edits = random.nextInt(4); edits > 0; edits--) {
            int at = random.nextInt(other.size());
            if (!other.get(at).equals("}")) {
                other.set(at, "{" + Values.oneOf(random, labels));
            } else if (at + 1 < other.size()) {
                other.addAll(at, List.of("{" + Values.oneOf(random, labels), "}"));
            }
        }
        return Values.row(text(random, shape), text(random, other));
    }

    /**
     * Returns the tokens of a tree in bracket notation; each token is an opening bracket with its label, or a closing
     * bracket.
     */
    private static List<String> shape(SplittableRandom random, int nodes, String... labels) {
        int kind = random.nextInt(4);
        List<String> parts = new ArrayList<>();
        int depth = 0;
        for (int made = 0; made < nodes; made++) {
            boolean isLeafBefore =
                    switch (kind) {
                        case 0 -> false;
                        case 1 -> true;
                        case 2 -> made % 2 == 0;
                        default -> random.nextBoolean();
                    };
            while (depth > 1 && isLeafBefore) {
                parts.add("}");
                depth--;
                isLeafBefore = kind == 1 || kind == 3 && random.nextBoolean();
            }
            parts.add("{" + Values.oneOf(random, labels));
            depth++;
        }
        for (; depth > 0; depth--) {
            parts.add("}");
        }
        return parts;
    }

    private static Integer cost(SplittableRandom random) {
        int cost = random.nextBoolean() ? 1 : random.nextInt(8) == 0 ? Integer.MAX_VALUE : random.nextInt(5);
        return Values.sometimesNull(random, random.nextInt(REJECTED) == 0 ? -1 : cost);
    }

    private static UTF8String text(SplittableRandom random, List<String> parts) {
        String text = String.join("", parts);
        if (random.nextInt(8) == 0) {
            text = " " + text.replace("}", "} \n");
        }
        if (random.nextInt(REJECTED) == 0) {
            text = Values.oneOf(
                    random, "", "a", "}", text + text, text.substring(1), text + "}", "{" + text, "{a{b}c}", "{\\");
        }
        return Values.sometimesNull(random, UTF8String.fromString(text));
    }
}
