package dev.bellman.check;

import dev.bellman.align.distance.EditDistance;
import dev.bellman.check.Lane.Engine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Checks joins on edit distance: every returned pair must be close, no pair may be returned twice and, for a sample of
 * rows, every close pair must be returned.
 */
final class JoinSubject extends Subject.Numbered {
    static final String JOIN = "join";

    /** On the CPU, the two sides of a join have at most about twice this many rows in total. */
    private static final int MAX_ROWS = 800;

    /**
     * The number of rows on each side of the join on a GPU. This number is large enough for the planner to choose the
     * GPU.
     */
    private static final int ROWS_OF_GPU = 6_000;

    /** The maximum number of pairs whose distance is computed to find missing pairs. */
    private static final int MAX_PAIRS = 50_000;

    private static final int MAX_LENGTH = 28;

    private static final String[] ALPHABETS = {"ACGT", "abcdefghijklmnopqrstuvwxyz", "ab", "a\u00e4\u20ac\u4e2d"};

    private static final int FOR_BOTH = 2;

    /**
     * The minimum length of a string on a GPU before it is edited, because most pairs of shorter strings would be
     * close. Joins on the CPU that contain only shorter strings have fewer rows.
     */
    private static final int MIN_LENGTH = 8;

    private static final String LEFT = "l";
    private static final String RIGHT = "r";
    private static final StructType SIDE =
            new StructType().add("id", DataTypes.IntegerType, false).add("s", DataTypes.StringType);

    private final SparkSession spark;

    JoinSubject(Engine engine, SparkSession spark, long seed) {
        super(JOIN, "edit_distance", JOIN, engine, seed);
        this.spark = spark;
    }

    @Override
    Compared compared(long number) {
        Join join = new Join(number);
        return new Compared(join.toString(), join.difference());
    }

    @Override
    boolean isByTextbook() {
        return true;
    }

    /** A join of two sets of similar strings, and its maximum distance. Some strings are NULL. */
    private final class Join {
        private final SplittableRandom random;
        private final int edits;
        private final String alphabet;
        private final List<String> left;
        private final List<String> right;

        Join(long number) {
            random = Lane.Stream.random(seed, number);
            boolean gpu = engine() == Engine.GPU;
            edits = random.nextInt(gpu ? 1 : 0, 4);
            alphabet = ALPHABETS[random.nextInt(gpu ? FOR_BOTH : ALPHABETS.length)];
            int shortest = gpu ? MIN_LENGTH : 0;
            int longest = random.nextInt(shortest, gpu && edits == 3 ? MAX_LENGTH / 2 : MAX_LENGTH) + 1;
            int most = longest < MIN_LENGTH ? MAX_ROWS / 4 : MAX_ROWS;
            List<String> all = strings(gpu ? 2 * ROWS_OF_GPU : 2 + random.nextInt(2 * most), shortest, longest);
            int half = gpu ? ROWS_OF_GPU : 1 + random.nextInt(all.size() - 1);
            left = all.subList(0, half);
            right = all.subList(half, all.size());
        }

        /** Returns strings in random order: groups of strings that are a few edits apart, and a few NULLs. */
        private List<String> strings(int count, int shortest, int longest) {
            String[] strings = new String[count];
            String centre = "";
            for (int i = 0; i < count; i++) {
                if (i % 5 == 0) {
                    centre = string(random.nextInt(shortest, longest + 1));
                }
                strings[i] = random.nextInt(60) == 0 ? null : edited(centre);
            }
            for (int i = count - 1; i > 0; i--) {
                int other = random.nextInt(i + 1);
                String moved = strings[i];
                strings[i] = strings[other];
                strings[other] = moved;
            }
            return Arrays.asList(strings);
        }

        private String string(int length) {
            StringBuilder string = new StringBuilder();
            for (int i = 0; i < length; i++) {
                string.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            return string.toString();
        }

        private String edited(String centre) {
            StringBuilder string = new StringBuilder(centre);
            for (int more = random.nextInt(4); more > 0; more--) {
                int at = random.nextInt(string.length() + 1);
                int end = Math.min(string.length(), at + random.nextInt(2));
                string.replace(at, end, string(random.nextInt(2)));
            }
            return string.toString();
        }

        /** Describes a pair that is incorrect or missing; empty if there is none. */
        Optional<String> difference() {
            Set<Long> found = found();
            for (long pair : found) {
                int i = (int) (pair >>> Integer.SIZE);
                int j = (int) pair;
                if (!isClose(i, j)) {
                    return Optional.of("returns %s and %s".formatted(left.get(i), right.get(j)));
                }
            }
            int rows = Math.min(left.size(), Math.max(1, MAX_PAIRS / right.size()));
            int first = random.nextInt(left.size() - rows + 1);
            for (int i = first; i < first + rows; i++) {
                for (int j = 0; j < right.size(); j++) {
                    if (isClose(i, j) && !found.contains((long) i << Integer.SIZE | j)) {
                        return Optional.of("omits %s and %s".formatted(left.get(i), right.get(j)));
                    }
                }
            }
            return Optional.empty();
        }

        private boolean isClose(int i, int j) {
            return left.get(i) != null
                    && right.get(j) != null
                    && EditDistance.distance(left.get(i), right.get(j), EditDistance.Strategy.SERIAL) <= edits;
        }

        private Set<Long> found() {
            Dataset<Row> joined = side(LEFT, left)
                    .join(side(RIGHT, right), functions.expr("edit_distance(l.s, r.s) <= " + edits))
                    .select(LEFT + ".id", RIGHT + ".id");
            Set<Long> found = new HashSet<>();
            for (Row row : joined.collectAsList()) {
                long pair = (long) row.getInt(0) << Integer.SIZE | row.getInt(1);
                if (!found.add(pair)) {
                    throw new IllegalStateException("returns a pair twice: " + row);
                }
            }
            String plan = ((org.apache.spark.sql.classic.Dataset<Row>) joined)
                    .queryExecution()
                    .executedPlan()
                    .toString();
            String expected = engine() == Engine.GPU ? "on the GPU" : "SimilarStrings";
            if (!plan.contains(expected)) {
                throw new IllegalStateException(
                        "the plan does not contain '%s':%n%s".formatted(expected, plan.strip()));
            }
            return found;
        }

        private Dataset<Row> side(String name, List<String> strings) {
            List<Row> rows = new ArrayList<>();
            for (int i = 0; i < strings.size(); i++) {
                rows.add(RowFactory.create(i, strings.get(i)));
            }
            return spark.createDataFrame(rows, SIDE).alias(name);
        }

        @Override
        public String toString() {
            return "%d and %d strings of %s, at most %d edits".formatted(left.size(), right.size(), alphabet, edits);
        }
    }
}
