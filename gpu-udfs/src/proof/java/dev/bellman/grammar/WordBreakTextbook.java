package dev.bellman.grammar;

import static dev.bellman.proof.Values.invalid;

import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines {@code word_break}: finds the best words for each prefix of a string. */
final class WordBreakTextbook {
    private record Best(double sum, List<String> words) {}

    private WordBreakTextbook() {}

    static Object solve(InternalRow row, boolean weighted) {
        String text = row.getUTF8String(0).toString();
        ArrayData words = row.getArray(1);
        if (Values.hasNull(words) || weighted && Values.hasNull(row.getArray(2))) {
            throw invalid();
        }
        if (weighted && row.getArray(2).numElements() != words.numElements()) {
            throw invalid();
        }
        for (int i = 0; i < words.numElements(); i++) {
            boolean isFit = !weighted || Math.abs(row.getArray(2).getDouble(i)) <= 1e100;
            if (!isFit || words.getUTF8String(i).numBytes() == 0) {
                throw invalid();
            }
        }
        List<Best> best = new ArrayList<>(List.of(new Best(0, List.of())));
        for (int end = 1; end <= text.length(); end++) {
            Best found = null;
            for (int start = 0; start < end; start++) {
                for (int i = 0; i < words.numElements() && best.get(start) != null; i++) {
                    String word = words.getUTF8String(i).toString();
                    double sum =
                            best.get(start).sum + (weighted ? row.getArray(2).getDouble(i) : -1);
                    if (text.substring(start, end).equals(word) && (found == null || sum > found.sum)) {
                        List<String> with = new ArrayList<>(best.get(start).words);
                        with.add(word);
                        found = new Best(sum, with);
                    }
                }
            }
            best.add(found);
        }
        if (best.get(text.length()) == null) {
            throw invalid();
        }
        return Values.arrayOf(best.get(text.length()).words.stream()
                .map(UTF8String::fromString)
                .toArray());
    }
}
