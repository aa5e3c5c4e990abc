package dev.bellman.align;

/**
 * The pairs of a batch that one kernel launch solves: they have the same alphabet, the same shape (how threads share a
 * pattern), and texts of similar lengths. The shape and class numbers match those in {@code pairs.cuh}.
 *
 * @param first the index of the class's first pair in {@link PairGroups#pairs}
 */
public record PairClass(Symbols symbols, int shape, int textClass, int first, int count) {
    /** The kinds of symbols, in the order of {@code enum Alphabet} in {@code pairs.cuh}. */
    public enum Symbols {
        NUCLEOTIDES("nucleotides"),
        ASCII("ascii"),
        /** Well-formed UTF-8 strings, at least one of which is not ASCII. */
        WIDE("wide"),
        /** Strings at least one of which is not well-formed UTF-8. */
        MALFORMED("malformed");

        private final String kernels;

        Symbols(String kernels) {
            this.kernels = kernels;
        }

        /** Whether a symbol takes four bytes instead of one. */
        public boolean isWide() {
            return this == WIDE || this == MALFORMED;
        }

        /** Returns the part of a kernel's name that identifies the alphabet. */
        public String kernels() {
            return kernels;
        }

        /**
         * Returns the part of a kernel's name that identifies the alphabet, for kernels that solve long pairs. These
         * kernels treat nucleotides like other ASCII characters.
         */
        public String longKernels() {
            return this == NUCLEOTIDES ? ASCII.kernels : kernels;
        }
    }

    public static final int STRIPED = 25;
    public static final int EMPTY = 26;
    public static final int SHAPES = 27;
    public static final int TEXT_CLASSES = 16;
    public static final int COUNT = Symbols.values().length * SHAPES * TEXT_CLASSES;

    private static final int SINGLE_THREAD_SHAPES = 8;
    private static final int[] WORDS = {5, 6, 8};
    private static final int[] WIDE_LANES = {1, 4, 8, 32};

    /** Returns the number of threads that share the work for a pattern. */
    public int lanes() {
        if (symbols.isWide()) {
            return WIDE_LANES[shape];
        } else if (shape < SINGLE_THREAD_SHAPES) {
            return 1;
        }
        return Math.min(32, 2 << (shape - SINGLE_THREAD_SHAPES) / WORDS.length);
    }

    /** Returns the number of 32-row words per thread. */
    public int words() {
        if (symbols.isWide()) {
            return 1;
        } else if (shape < SINGLE_THREAD_SHAPES) {
            return shape + 1;
        }
        int index = shape - SINGLE_THREAD_SHAPES;
        return switch (index) {
            case 15 -> 10;
            case 16 -> 12;
            default -> WORDS[index % WORDS.length];
        };
    }

    /**
     * Returns the kernel's block size. With more than 8 words per thread, half as many threads already fill the shared
     * memory.
     */
    public int block() {
        return words() > 8 ? 32 : 64;
    }

    /** Returns the maximum length of a text in the class, except for text class 0, which also contains longer texts. */
    public int maxColumns() {
        int ascending = TEXT_CLASSES - 1 - textClass;
        return ascending < 8 ? 32 * (ascending + 1) : 256 << ascending - 7;
    }
}
