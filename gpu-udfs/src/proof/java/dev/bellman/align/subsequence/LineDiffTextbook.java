package dev.bellman.align.subsequence;

import dev.bellman.align.PairInstances;
import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines the differences between two texts by the canonical path through the table of common subsequences. */
final class LineDiffTextbook {
    private static final int KINDS = 12;

    private LineDiffTextbook() {}

    static Object solve(InternalRow row) {
        List<String> a = lines(row.getUTF8String(0).toString());
        List<String> b = lines(row.getUTF8String(1).toString());
        Map<String, Integer> numbers = new HashMap<>();
        int[][] table = SubsequenceTextbook.lcsTable(numbers(a, numbers), numbers(b, numbers));
        List<Object> reversed = new ArrayList<>();
        List<Object> deleted = new ArrayList<>();
        int i = a.size();
        int j = b.size();
        while (i > 0 || j > 0) {
            if (i > 0 && j > 0 && a.get(i - 1).equals(b.get(j - 1))) {
                reversed.addAll(deleted);
                deleted.clear();
                reversed.add(line("equal", i, j, a.get(i - 1)));
                i--;
                j--;
            } else if (i > 0 && table[i][j] == table[i - 1][j]) {
                deleted.add(line("delete", i, null, a.get(i - 1)));
                i--;
            } else {
                reversed.add(line("insert", null, j, b.get(j - 1)));
                j--;
            }
        }
        reversed.addAll(deleted);
        Object[] lines = new Object[reversed.size()];
        Arrays.setAll(lines, k -> reversed.get(lines.length - 1 - k));
        return Values.arrayOf(lines);
    }

    private static List<String> lines(String text) {
        if (text.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>(Arrays.asList(text.split("\n", -1)));
        if (text.endsWith("\n")) {
            lines.remove(lines.size() - 1);
        }
        return lines;
    }

    private static int[] numbers(List<String> lines, Map<String, Integer> numbers) {
        return lines.stream()
                .mapToInt(line -> numbers.computeIfAbsent(line, any -> numbers.size()))
                .toArray();
    }

    private static InternalRow line(String kind, Integer i, Integer j, String text) {
        return Values.row(UTF8String.fromString(kind), i, j, UTF8String.fromString(text));
    }

    /** Draws two texts that have one line for each character of a pair of strings. */
    static InternalRow texts(SplittableRandom random, int size) {
        InternalRow pair = PairInstances.pair(random, size);
        return Values.row(text(random, pair, 0), text(random, pair, 1));
    }

    private static UTF8String text(SplittableRandom random, InternalRow pair, int place) {
        if (pair.isNullAt(place)) {
            return null;
        }
        String text = pair.getUTF8String(place)
                .toString()
                .codePoints()
                .mapToObj(LineDiffTextbook::line)
                .collect(Collectors.joining("\n"));
        return UTF8String.fromString(random.nextBoolean() ? text : text + "\n");
    }

    private static String line(int character) {
        return switch (character % KINDS) {
            case 0 -> "";
            case 1 -> "{";
            case 2 -> "{\r";
            case 3 -> "a long line, number " + character;
            default -> Character.toString(character).repeat(1 + character % 3);
        };
    }
}
