package dev.bellman.align.search;

import dev.bellman.align.Characters;
import dev.bellman.align.PairInstances;
import dev.bellman.align.search.EditSearch.Part;
import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import dev.bellman.proof.Values;
import java.io.Serializable;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** The textbook and the instances of the functions of {@link SearchFunctions}. */
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
                position("edit_distance_prefix_position", SearchTextbook::prefix));
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

    /** A pair of strings, the second of which may be inside a longer one. */
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
