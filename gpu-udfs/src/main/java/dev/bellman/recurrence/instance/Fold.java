package dev.bellman.recurrence.instance;

/**
 * Folds candidates into accumulators, one for each position of a tile, with the candidate always on the right.
 * Positions may be processed in any order, but the offsets of a position must be processed in order.
 */
public abstract class Fold {
    private final long[] accumulators;
    private boolean overflow;

    private Fold(int positions) {
        accumulators = new long[positions];
    }

    public static Fold of(Instance instance, int positions) {
        long[] weights = instance.weights();
        Operator.Kind kind = instance.operator().kind();
        if (weights != null) {
            return instance.element() == Element.LONG
                    ? new WeightedLongs(positions, weights, kind == Operator.Kind.MIN)
                    : new WeightedDoubles(positions, weights, kind == Operator.Kind.MIN);
        }
        return switch (kind) {
            case SUM -> instance.element() == Element.LONG ? new ExactSum(positions) : new DoubleSum(positions);
            case SUM_MOD -> modularSum(positions, instance.operator().modulus());
            case BIT_AND, BIT_OR, BIT_XOR -> bitwise(kind, positions);
            case MIN, BOOL_AND ->
                new Fold(positions) {
                    @Override
                    long combine(long left, long right) {
                        return Math.min(left, right);
                    }
                };
            case MAX, BOOL_OR ->
                new Fold(positions) {
                    @Override
                    long combine(long left, long right) {
                        return Math.max(left, right);
                    }
                };
            case FIRST ->
                new Fold(positions) {
                    @Override
                    long combine(long left, long right) {
                        return left;
                    }
                };
            case LAST ->
                new Fold(positions) {
                    @Override
                    long combine(long left, long right) {
                        return right;
                    }
                };
        };
    }

    private static Fold modularSum(int positions, long modulus) {
        return new Fold(positions) {
            @Override
            long combine(long left, long right) {
                long sum = left + right;
                return sum >= modulus ? sum - modulus : sum;
            }
        };
    }

    private static Fold bitwise(Operator.Kind kind, int positions) {
        return switch (kind) {
            case BIT_AND ->
                new Fold(positions) {
                    @Override
                    long combine(long left, long right) {
                        return left & right;
                    }
                };
            case BIT_OR ->
                new Fold(positions) {
                    @Override
                    long combine(long left, long right) {
                        return left | right;
                    }
                };
            default ->
                new Fold(positions) {
                    @Override
                    long combine(long left, long right) {
                        return left ^ right;
                    }
                };
        };
    }

    abstract long combine(long left, long right);

    /** Returns the contribution of an element to a later element through offset number {@code stage}. */
    long candidate(long element, int stage) {
        return element;
    }

    /**
     * Initializes {@code count} positions with the candidates of a stage, from the elements starting at {@code from}.
     */
    public void begin(int position, int count, long[] table, int from, int stage) {
        for (int q = 0; q < count; q++) {
            accumulators[position + q] = candidate(table[from + q], stage);
        }
    }

    /**
     * Folds the candidates of the next stage into the first {@code count} positions, from the elements starting at
     * {@code from}.
     */
    public void fold(int count, long[] table, int from, int stage) {
        for (int q = 0; q < count; q++) {
            accumulators[q] = combine(accumulators[q], candidate(table[from + q], stage));
        }
    }

    /**
     * Folds the stages from {@code from} (inclusive) to {@code to} (exclusive) of one position into its accumulator.
     */
    public void fold(int position, long[] table, int index, int[] offsets, int from, int to) {
        long value = accumulators[position];
        for (int j = from; j < to; j++) {
            value = combine(value, candidate(table[index - offsets[j]], j));
        }
        accumulators[position] = value;
    }

    /**
     * Combines the accumulator at {@code position} with the one at {@code right}, which is the right operand, and
     * stores the result at {@code position}.
     */
    public void join(int position, int right) {
        accumulators[position] = combine(accumulators[position], accumulators[right]);
    }

    public long value(int position) {
        return accumulators[position];
    }

    final long accumulator(int position) {
        return accumulators[position];
    }

    final void accumulate(int position, long value) {
        accumulators[position] = value;
    }

    final void overflow() {
        overflow = true;
    }

    /** Whether an overflow has occurred so far. */
    public final boolean overflowed() {
        return overflow;
    }

    /** Adds in 128 bits, because overflow of a partial sum is not an error if the total fits. */
    private static final class ExactSum extends Fold {
        private final long[] high;

        private ExactSum(int positions) {
            super(positions);
            high = new long[positions];
        }

        @Override
        long combine(long left, long right) {
            throw new UnsupportedOperationException("a sum needs more than one 64-bit word");
        }

        @Override
        public void begin(int position, int count, long[] table, int from, int stage) {
            for (int q = 0; q < count; q++) {
                accumulate(position + q, table[from + q]);
                high[position + q] = table[from + q] >> 63;
            }
        }

        @Override
        public void fold(int count, long[] table, int from, int stage) {
            for (int q = 0; q < count; q++) {
                add(q, table[from + q], table[from + q] >> 63);
            }
        }

        @Override
        public void fold(int position, long[] table, int index, int[] offsets, int from, int to) {
            for (int j = from; j < to; j++) {
                long element = table[index - offsets[j]];
                add(position, element, element >> 63);
            }
        }

        @Override
        public void join(int position, int right) {
            add(position, accumulator(right), high[right]);
        }

        private void add(int position, long low, long highWord) {
            long sum = accumulator(position) + low;
            high[position] += highWord + (Long.compareUnsigned(sum, low) < 0 ? 1 : 0);
            accumulate(position, sum);
        }

        @Override
        public long value(int position) {
            long low = accumulator(position);
            if (high[position] != low >> 63) {
                overflow();
            }
            return low;
        }
    }

    private static final class DoubleSum extends Fold {
        private DoubleSum(int positions) {
            super(positions);
        }

        @Override
        long combine(long left, long right) {
            return Element.key(Element.value(left) + Element.value(right));
        }
    }

    private static final class WeightedLongs extends Fold {
        private final long[] weights;
        private final boolean min;

        private WeightedLongs(int positions, long[] weights, boolean min) {
            super(positions);
            this.weights = weights;
            this.min = min;
        }

        @Override
        long candidate(long element, int stage) {
            long weight = weights[stage];
            long sum = element + weight;
            if (((element ^ sum) & (weight ^ sum)) < 0) {
                overflow();
            }
            return sum;
        }

        @Override
        long combine(long left, long right) {
            return min ? Math.min(left, right) : Math.max(left, right);
        }
    }

    private static final class WeightedDoubles extends Fold {
        private final double[] weights;
        private final boolean min;

        private WeightedDoubles(int positions, long[] weights, boolean min) {
            super(positions);
            this.weights = (double[]) Element.DOUBLE.array(weights);
            this.min = min;
        }

        @Override
        long candidate(long element, int stage) {
            return Element.key(Element.value(element) + weights[stage]);
        }

        @Override
        long combine(long left, long right) {
            return min ? Math.min(left, right) : Math.max(left, right);
        }
    }
}
