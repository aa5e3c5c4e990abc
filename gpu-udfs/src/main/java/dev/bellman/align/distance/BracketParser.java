package dev.bellman.align.distance;

import dev.bellman.BellmanException;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.spark.unsafe.types.UTF8String;

/** Reads a tree in bracket notation: <code>{root{child}{child{grandchild}}}</code>. */
final class BracketParser {
    private final String function;
    private final String name;
    private final byte[] text;
    private final TreeBuilder nodes;
    private final Cancellation cancellation = new Cancellation();
    private final ByteArrayOutputStream label = new ByteArrayOutputStream();
    private int at;

    private BracketParser(String function, String name, byte[] text, Map<String, Integer> numbers) {
        this.function = function;
        this.name = name;
        this.text = text;
        int brackets = 0;
        for (byte each : text) {
            brackets += each == '{' ? 1 : 0;
        }
        nodes = new TreeBuilder(function, brackets, numbers);
    }

    /**
     * Returns the tree that a string describes. @param name the parameter's name, for messages
     * @param numbers the labels found so far, with their numbers; new labels are added
     */
    static LabelTree parse(String function, String name, UTF8String text, Map<String, Integer> numbers) {
        return new BracketParser(function, name, TaskMemory.bytesOf(text), numbers).tree();
    }

    private LabelTree tree() {
        while (at < text.length) {
            cancellation.count(1);
            switch (text[at]) {
                case '{' -> open();
                case '}' -> close();
                default -> {
                    if (" \t\r\n".indexOf(text[at]) < 0) {
                        throw invalid("a character outside a label");
                    }
                    at++;
                }
            }
        }
        if (nodes.depth() > 0 || nodes.nodes() == 0) {
            throw invalid(nodes.nodes() == 0 ? "no tree" : "the end of the string instead of a closing bracket");
        }
        return nodes.tree();
    }

    /** Reads an opening bracket and the label after it. */
    private void open() {
        if (nodes.depth() == 0 && nodes.nodes() > 0) {
            throw invalid("a second tree");
        }
        label.reset();
        for (at++; at < text.length && text[at] != '{' && text[at] != '}'; at++) {
            cancellation.count(1);
            if (text[at] == '\\') {
                at++;
                if (at == text.length) {
                    throw invalid("the end of the string after a backslash");
                }
            }
            label.write(text[at]);
        }
        nodes.open(label.toString(StandardCharsets.ISO_8859_1));
    }

    private void close() {
        if (nodes.depth() == 0) {
            throw invalid("a closing bracket without an opening bracket");
        }
        nodes.close();
        at++;
    }

    private BellmanException invalid(String found) {
        return BellmanException.inRow(
                function,
                ("`%s`: found %s at byte %,d; expected one tree in bracket notation, such as {root{child}{child}}, "
                                + "with a backslash before each bracket or backslash in a label")
                        .formatted(name, found, at + 1));
    }
}
