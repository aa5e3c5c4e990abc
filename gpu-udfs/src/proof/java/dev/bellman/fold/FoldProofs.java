package dev.bellman.fold;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import dev.bellman.proof.Values;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/** Provides the textbook implementations and the test instances for the functions in {@link FoldFunctions}. */
public final class FoldProofs implements Proofs {
    private static final InstanceGenerator BASES = new InstanceGenerator(RnaInstances::sequenceAndMinLoop, 24, 400, 3);

    @Override
    public List<Proof> list() {
        return List.of(
                new Proof(
                        "accordion_fold",
                        new InstanceGenerator(FoldProofs::chain, 40, 700, 2),
                        AccordionFoldTextbook::solve),
                new Proof("max_base_pairs", BASES, BasePairsTextbook::count),
                new Proof("max_base_pairs_structure", BASES, BasePairsTextbook::structure));
    }

    private static InternalRow chain(SplittableRandom random, int size) {
        int n = Values.size(random, size);
        int period = random.nextInt(4) == 0 ? 1 + random.nextInt(12) : n;
        int share = 1 + random.nextInt(9);
        byte[] letters = Values.oneOf(random, "PH", "01").getBytes(StandardCharsets.US_ASCII);
        byte[] chain = new byte[n];
        for (int i = 0; i < n; i++) {
            chain[i] = i < period ? letters[random.nextInt(10) < share ? 1 : 0] : chain[i - period];
        }
        if (n > 0 && random.nextInt(50) == 0) {
            chain[random.nextInt(n)] = Values.oneOf(random, (byte) 'h', (byte) ' ', (byte) 0, (byte) 0xc3);
        }
        return Values.row(Values.sometimesNull(random, UTF8String.fromBytes(chain)));
    }
}
