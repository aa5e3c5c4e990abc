package dev.bellman.align.search;

import dev.bellman.align.Characters;
import dev.bellman.align.PairInstances;
import dev.bellman.align.search.EditSearch.Part;
import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import dev.bellman.proof.Values;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Provides the textbook implementations and the test instances for the functions in {@link SearchFunctions}. */
public final class SearchProofs implements Proofs {
    @FunctionalInterface
    private interface Definition extends Serializable {
        Part of(int[] pattern, int[] text);

        default Part of(InternalRow row) {
            return of(Characters.of(row.getUTF8String(0)), Characters.of(row.getUTF8String(1)));
        }
    }

    @Override
    public List<Proof> list() {
        return List.of(
                distance("edit_distance_infix", SearchTextbook::infix),
                position("edit_distance_infix_position", SearchTextbook::infix),
                distance("edit_distance_prefix", SearchTextbook::prefix),
                position("edit_distance_prefix_position", SearchTextbook::prefix),
                new Proof(
                        "edit_distance_infix_all",
                        0,
                        new InstanceGenerator(SearchProofs::allInstance, 12, 2_000, 3),
                        SearchProofs::allOfPattern),
                new Proof(
                        "edit_distance_infix_all",
                        1,
                        new InstanceGenerator(SearchProofs::patternsInstance, 12, 2_000, 3),
                        SearchProofs::allOfPatterns));
    }

    private static ArrayData allOfPattern(InternalRow row) {
        return Values.arrayOf(all(row, row.getUTF8String(0))
                .map(part -> Values.row(part.distance(), part.begin(), part.end()))
                .toArray());
    }

    private static ArrayData allOfPatterns(InternalRow row) {
        ArrayData patterns = row.getArray(0);
        if (Values.hasNull(patterns) || row.getInt(2) < 0) {
            throw Values.invalid();
        }
        return Values.arrayOf(IntStream.range(0, patterns.numElements())
                .boxed()
                .flatMap(i -> all(row, patterns.getUTF8String(i))
                        .map(part -> Values.row(i, part.distance(), part.begin(), part.end())))
                .toArray());
    }

    private static Stream<Part> all(InternalRow row, UTF8String string) {
        int[] pattern = Characters.of(string);
        int max = row.getInt(2);
        boolean iupac = row.getBoolean(3);
        if (max < 0
                || iupac
                        && Arrays.stream(pattern)
                                .anyMatch(letter -> SearchTextbook.bases(letter).isEmpty())) {
            throw Values.invalid();
        }
        return SearchTextbook.infixAll(pattern, Characters.of(row.getUTF8String(1)), max, iupac).stream();
    }

    /** Draws {@code (pattern, text, max, iupac)}. */
    private static InternalRow allInstance(SplittableRandom random, int size) {
        InternalRow pair = instance(random, size);
        boolean iupac = random.nextInt(3) == 0;
        UTF8String pattern = pair.isNullAt(0) ? null : pair.getUTF8String(0);
        UTF8String text = pair.isNullAt(1) ? null : pair.getUTF8String(1);
        if (iupac && random.nextInt(8) > 0) {
            String codes = random.nextBoolean() ? "ACGTACGTACGTN" : "ACGTURYSWKMBDHVNacgtn";
            pattern = nucleotides(pattern, codes);
            text = nucleotides(text, random.nextBoolean() ? "ACGT" : codes + "X");
        }
        int max =
                switch (random.nextInt(8)) {
                    case 0 -> Values.oneOf(random, -1, 0, Integer.MAX_VALUE, Integer.MIN_VALUE);
                    case 1 -> random.nextInt(size + 1);
                    default -> random.nextInt(4);
                };
        return Values.row(pattern, text, Values.sometimesNull(random, max), Values.sometimesNull(random, iupac));
    }

    private static UTF8String nucleotides(UTF8String string, String codes) {
        if (string == null) {
            return null;
        }
        return UTF8String.fromString(Arrays.stream(Characters.of(string))
                .mapToObj(character -> String.valueOf(codes.charAt(Math.floorMod(character, codes.length()))))
                .collect(Collectors.joining()));
    }

    /** Like {@link #allInstance}, but draws an array of patterns: the pattern and parts of it. */
    private static InternalRow patternsInstance(SplittableRandom random, int size) {
        InternalRow row = allInstance(random, size);
        Object[] patterns = null;
        if (!row.isNullAt(0)) {
            patterns = new Object[random.nextInt(5)];
            for (int i = 0; i < patterns.length; i++) {
                UTF8String pattern = row.getUTF8String(0);
                int length = pattern.numChars();
                int from = random.nextInt(length + 1);
                patterns[i] = random.nextInt(3) == 0
                        ? pattern
                        : pattern.substring(from, from + random.nextInt(length - from + 1));
            }
            if (patterns.length > 0 && random.nextInt(40) == 0) {
                patterns[random.nextInt(patterns.length)] = null;
            }
        }
        return Values.row(
                patterns == null ? null : Values.arrayOf(patterns),
                row.get(1, DataTypes.StringType),
                row.get(2, DataTypes.IntegerType),
                row.get(3, DataTypes.BooleanType));
    }

    private static Proof distance(String function, Definition definition) {
        return new Proof(function, generator(SearchProofs::limitedInstance), row -> {
            int distance = definition.of(row).distance();
            return distance <= row.getInt(2) ? distance : -1;
        });
    }

    private static Proof position(String function, Definition definition) {
        return new Proof(function, generator(SearchProofs::instance), row -> {
            Part part = definition.of(row);
            return Values.row(part.distance(), part.begin(), part.end());
        });
    }

    private static InstanceGenerator generator(InstanceGenerator.Draw draw) {
        return new InstanceGenerator(draw, 12, 4_000, 2);
    }

    /** Draws a pair of strings; the second may be embedded in a longer string. */
    private static InternalRow instance(SplittableRandom random, int size) {
        InternalRow pair = PairInstances.pair(random, size);
        if (pair.anyNull() || random.nextInt(3) == 0) {
            return pair;
        }
        InternalRow around = PairInstances.pair(random, size);
        UTF8String[] parts = {
            around.isNullAt(0) ? UTF8String.EMPTY_UTF8 : around.getUTF8String(0),
            pair.getUTF8String(1),
            around.isNullAt(1) ? UTF8String.EMPTY_UTF8 : around.getUTF8String(1)
        };
        return Values.row(pair.getUTF8String(0), UTF8String.concat(parts));
    }

    private static InternalRow limitedInstance(SplittableRandom random, int size) {
        InternalRow pair = instance(random, size);
        return Values.row(
                pair.get(0, DataTypes.StringType),
                pair.get(1, DataTypes.StringType),
                Values.sometimesNull(random, random.nextInt(8) == 0 ? -1 : random.nextInt(size + 1)));
    }
}
