package dev.bellman.align;

/**
 * Pairs of a batch that one launch solves: same alphabet, same shape (by the words of their patterns), and similar text
 * lengths. The numbers match {@code pairs.cuh}.
 *
 * @param first index of the class's first pair in {@link PairGroups#pairs}
 */
public record PairClass(Symbols symbols, int shape, int textClass, int first, int count) {
    /** The kind of a pair's symbols, in the order of {@code enum Alphabet}. */
    public enum Symbols {
        NUCLEOTIDES("nucleotides"),
        ASCII("ascii"),
        /** Well-formed text. */
        WIDE("wide"),
        /** Strings with characters that are not valid UTF-8. */
        MALFORMED("malformed");

        private final String kernels;

        Symbols(String kernels) {
            this.kernels = kernels;
        }

        /** Whether a symbol takes four bytes rather than one. */
        public boolean isWide() {
            return this == WIDE || this == MALFORMED;
        }

        /** The alphabet's part of a kernel name. */
        public String kernels() {
            return kernels;
        }

        /** Likewise for kernels for long pairs, which treat nucleotides like other ASCII. */
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

    /** Number of threads that share a pattern. */
    public int lanes() {
        if (symbols.isWide()) {
            return WIDE_LANES[shape];
        } else if (shape < SINGLE_THREAD_SHAPES) {
            return 1;
        }
        return Math.min(32, 2 << (shape - SINGLE_THREAD_SHAPES) / WORDS.length);
    }

    /** Number of words, of 32 rows each, per thread. */
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
     * The block size of its kernel: patterns of more than 8 words a thread fill the shared memory with half as many
     * threads.
     */
    public int block() {
        return words() > 8 ? 32 : 64;
    }

    /** The longest text of the class. */
    public int maxColumns() {
        int ascending = TEXT_CLASSES - 1 - textClass;
        return ascending < 8 ? 32 * (ascending + 1) : 256 << ascending - 7;
    }
}
