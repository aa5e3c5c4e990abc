package dev.bellman.markov;

import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;

/**
 * Generates frames with ties, impossible tokens and logarithms of all magnitudes, together with few or too many tokens.
 */
final class CtcInstances {
    private static final int REJECTED = 300;

    private static final int MAX_WIDTH = 5;

    private CtcInstances() {}

    static InternalRow frames(SplittableRandom random, int size) {
        int width = 2 + random.nextInt(MAX_WIDTH - 1);
        int blank = random.nextInt(3) == 0 ? random.nextInt(width) : 0;
        int count = random.nextInt(REJECTED) == 0 ? 0 : Math.max(1, Values.size(random, size));
        int kind = random.nextInt(4);
        Object[] frames = new Object[count];
        Arrays.setAll(frames, t -> Values.array(logs(random, kind, width)));
        if (count > 0) {
            int at = random.nextInt(count);
            switch (random.nextInt(REJECTED)) {
                case 0 -> frames[at] = Values.array(new double[width + 1]);
                case 1 -> frames[at] = Values.arrayOf(new Object[width]);
                case 2 -> frames[at] = Values.array(wrong(random, logs(random, kind, width)));
                default -> {}
            }
        }
        int most = random.nextInt(20) == 0 ? count + 1 : count / 2;
        int[] tokens = new int[random.nextInt(most + 1)];
        Arrays.setAll(tokens, i -> (blank + 1 + random.nextInt(width - 1)) % width);
        if (tokens.length > 0 && random.nextInt(REJECTED) == 0) {
            tokens[random.nextInt(tokens.length)] = Values.oneOf(random, -1, width, blank);
        }
        return Values.row(
                Values.sometimesNull(random, Values.arrayOf(frames), DataTypes.createArrayType(DataTypes.DoubleType)),
                Values.sometimesNull(random, Values.array(tokens), DataTypes.IntegerType),
                random.nextInt(REJECTED) == 0 ? Values.oneOf(random, -1, width) : blank);
    }

    private static double[] wrong(SplittableRandom random, double... logs) {
        logs[random.nextInt(logs.length)] = Values.oneOf(random, Double.NaN, Double.POSITIVE_INFINITY, 2e9);
        return logs;
    }

    private static double[] logs(SplittableRandom random, int kind, int width) {
        double[] logs = new double[width];
        Arrays.setAll(logs, k -> switch (kind) {
            case 0 -> -random.nextInt(3);
            case 1 -> random.nextInt(8) == 0 ? Double.NEGATIVE_INFINITY : StrictMath.log(random.nextDouble());
            case 2 -> (random.nextDouble() - 0.5) * Math.scalb(1.0, random.nextInt(-20, 30));
            default -> StrictMath.log(1 - random.nextDouble());
        });
        return logs;
    }
}
