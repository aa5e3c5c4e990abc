package dev.bellman.align.distance;

import static dev.bellman.proof.Values.require;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.bellman.proof.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;

/** Defines the edit distance between trees by the recursion over the last trees of two forests. */
final class TreeTextbook {
    private record Tree(String label, List<Tree> children) {}

    private record Forests(List<Tree> a, List<Tree> b) {}

    private final long insert;
    private final long delete;
    private final long rename;
    private final Map<Forests, Long> known = new HashMap<>();

    private TreeTextbook(long insert, long delete, long rename) {
        this.insert = insert;
        this.delete = delete;
        this.rename = rename;
    }

    static Object distance(InternalRow row) {
        int[] costs = {row.getInt(2), row.getInt(3), row.getInt(4)};
        for (int cost : costs) {
            require(cost >= 0);
        }
        return new TreeTextbook(costs[0], costs[1], costs[2])
                .distance(new Forests(List.of(tree(row, 0)), List.of(tree(row, 1))));
    }

    private long distance(Forests forests) {
        Long found = known.get(forests);
        if (found != null) {
            return found;
        }
        List<Tree> a = forests.a;
        List<Tree> b = forests.b;
        long least = a.isEmpty() && b.isEmpty() ? 0 : Long.MAX_VALUE;
        if (!a.isEmpty()) {
            least = Math.min(least, delete + distance(new Forests(withoutRoot(a), b)));
        }
        if (!b.isEmpty()) {
            least = Math.min(least, insert + distance(new Forests(a, withoutRoot(b))));
        }
        if (!a.isEmpty() && !b.isEmpty()) {
            Tree lastA = a.get(a.size() - 1);
            Tree lastB = b.get(b.size() - 1);
            least = Math.min(
                    least,
                    (lastA.label.equals(lastB.label) ? 0 : rename)
                            + distance(new Forests(lastA.children, lastB.children))
                            + distance(new Forests(a.subList(0, a.size() - 1), b.subList(0, b.size() - 1))));
        }
        known.put(forests, least);
        return least;
    }

    /** Returns a copy of a forest in which the children of the last tree's root replace that tree. */
    private static List<Tree> withoutRoot(List<Tree> forest) {
        List<Tree> rest = new ArrayList<>(forest.subList(0, forest.size() - 1));
        rest.addAll(forest.get(forest.size() - 1).children);
        return rest;
    }

    private static Tree tree(InternalRow row, int place) {
        String format = row.getString(5);
        require(format.equals("brackets") || format.equals("json"));
        return format.equals("brackets") ? tree(row.getUTF8String(place).getBytes()) : json(row.getString(place));
    }

    /** Reads JSON with Jackson. */
    private static Tree json(String text) {
        try (JsonParser parser = new JsonFactory().createParser(text)) {
            parser.nextToken();
            Tree tree = json(parser);
            require(parser.nextToken() == null);
            return tree;
        } catch (IOException e) {
            throw Values.invalid();
        }
    }

    private static Tree json(JsonParser parser) throws IOException {
        JsonToken first = parser.currentToken();
        require(first != null);
        List<Tree> children = new ArrayList<>();
        switch (first) {
            case START_OBJECT -> {
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    children.add(new Tree("member " + name, List.of(json(parser))));
                }
            }
            case START_ARRAY -> {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    children.add(json(parser));
                }
            }
            default -> {}
        }
        boolean isScalar = first.isScalarValue();
        return new Tree(isScalar ? first + " " + parser.getText() : first.toString(), children);
    }

    private static Tree tree(byte... text) {
        List<List<Tree>> open = new ArrayList<>(List.of(new ArrayList<>()));
        List<StringBuilder> labels = new ArrayList<>();
        for (int i = 0; i < text.length; i++) {
            char letter = (char) (text[i] & 0xff);
            if (letter == '{') {
                labels.add(new StringBuilder());
                open.add(new ArrayList<>());
            } else if (letter == '}') {
                require(!labels.isEmpty());
                List<Tree> children = open.remove(open.size() - 1);
                open.get(open.size() - 1)
                        .add(new Tree(labels.remove(labels.size() - 1).toString(), children));
            } else if (!labels.isEmpty() && open.get(open.size() - 1).isEmpty()) {
                i += letter == '\\' ? 1 : 0;
                require(i < text.length);
                labels.get(labels.size() - 1).append((char) (text[i] & 0xff));
            } else {
                require(" \t\r\n".indexOf(letter) >= 0);
            }
        }
        require(labels.isEmpty() && open.get(0).size() == 1);
        return open.get(0).get(0);
    }
}
