package dev.bellman.align.consensus;

import dev.bellman.align.PairInstances;
import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import dev.bellman.proof.Values;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Provides the textbook implementation and the test instances for {@code consensus}. */
public final class ConsensusProofs implements Proofs {
    /** The valid scorings of the generator. */
    static final String[] SCORINGS = {
        "match 5 mismatch -4 open 8 extend 6",
        "match 5 mismatch -4 open 8 extend 6",
        "match 2 mismatch -3 open 5 extend 2",
        "match 1 mismatch -1 gap 1",
        "match 1 mismatch 0 gap 0",
        "match 2 mismatch 1 open 3 extend 0",
        "match -1 mismatch -1 open 2 extend 1",
        "match 3 mismatch -2 insert open 4 extend 2 delete open 7 extend 1",
        "match 3 mismatch -2 insert gap 1 delete open 2 extend 0",
        "match 32767 mismatch -32767 open 32767 extend 32767",
        "nuc44 other -3 open 10 extend 1",
        "match 5 mismatch -4 open 8 extend 6 open2 10 extend2 4",
        "match 2 mismatch -4 open 6 extend 2 open2 25 extend2 1",
        "match 1 mismatch -1 open 2 extend 1 open2 4 extend2 0",
        "match 3 mismatch -2 insert open 4 extend 2 open2 6 extend2 1 delete open 7 extend 1",
        "match 3 mismatch -2 insert gap 2 delete open 3 extend 3 open2 8 extend2 1",
        "match 32767 mismatch -32767 open 100 extend 100 open2 32767 extend2 0",
        "nuc44 other -4 open 10 extend 3 open2 21 extend2 1"
    };

    @Override
    public List<Proof> list() {
        return List.of(new Proof(
                "consensus", new InstanceGenerator(ConsensusProofs::strings, 30, 2_000, 2), ConsensusTextbook::solve));
    }

    private static InternalRow strings(SplittableRandom random, int size) {
        String scoring = random.nextInt(100) == 0
                ? Values.oneOf(random, "", "match 1", "nuc44 open 10 extend 1")
                : Values.oneOf(random, SCORINGS);
        return Values.row(
                PairInstances.strings(random, size).get(0, DataTypes.createArrayType(DataTypes.StringType)),
                Values.sometimesNull(random, UTF8String.fromString(scoring)));
    }
}
