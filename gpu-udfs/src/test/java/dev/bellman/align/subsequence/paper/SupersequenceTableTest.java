package dev.bellman.align.subsequence.paper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.Thorough;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests Zhao's equations, and the tables that the strategies compute with them. */
class SupersequenceTableTest {
    private static final int[] ALPHABETS = {1, 2, 26, 256, 70_000};

    private static final List<PaperStrategy> TABLES = List.of(
            PaperStrategy.SERIAL,
            PaperStrategy.ANTI_DIAGONAL,
            PaperStrategy.ROW_WISE,
            PaperStrategy.ROW_WISE_PERSISTENT);

    /**
     * Like the paper's own tests, compares the whole table for several numbers of threads, including more threads than
     * columns.
     */
    @Test
    void wholeTables() {
        Random random = new Random(2023);
        for (int size : ALPHABETS) {
            for (int round = 0; round < Thorough.rounds(5, 16); round++) {
                int[] x = random.ints(random.nextInt(90), 0, size).toArray();
                int[] y = round % 8 == 0
                        ? x.clone()
                        : random.ints(random.nextInt(90), 0, size).toArray();
                int[][] expected = byEquation2(x, y);
                for (PaperStrategy strategy : TABLES) {
                    for (int threads : strategy == PaperStrategy.SERIAL ? new int[] {1} : new int[] {1, 2, 7}) {
                        assertThat(table(x, y, strategy, threads))
                                .as("%s by %d threads", strategy, threads)
                                .isDeepEqualTo(expected);
                    }
                }
                assertThat(byEquations6And7(x, y)).isDeepEqualTo(expected);
                assertThat(byEquations8And9(x, y, size)).isDeepEqualTo(expected);
            }
        }
    }

    private static int[][] table(int[] x, int[] y, PaperStrategy strategy, int threads) {
        SupersequenceTable table = SupersequenceTable.whole("scs", strategy, x, x.length, y, y.length, threads);
        int[][] cells = new int[x.length + 1][y.length + 1];
        for (int i = 0; i <= x.length; i++) {
            for (int j = 0; j <= y.length; j++) {
                cells[i][j] = table.at(i, j);
            }
        }
        return cells;
    }

    private static int[][] byEquation2(int[] x, int[] y) {
        int[][] table = new int[x.length + 1][y.length + 1];
        for (int i = 0; i <= x.length; i++) {
            for (int j = 0; j <= y.length; j++) {
                if (i == 0 || j == 0) {
                    table[i][j] = i + j;
                } else if (x[i - 1] == y[j - 1]) {
                    table[i][j] = table[i - 1][j - 1] + 1;
                } else {
                    table[i][j] = Math.min(table[i - 1][j], table[i][j - 1]) + 1;
                }
            }
        }
        return table;
    }

    /** Computes the table by the equations as the paper prints them. */
    private static int[][] byEquations6And7(int[] x, int[] y) {
        int[][] table = new int[x.length + 1][y.length + 1];
        for (int i = 0; i <= x.length; i++) {
            int place = 0;
            for (int j = 0; j <= y.length; j++) {
                if (i > 0 && j > 0 && x[i - 1] == y[j - 1]) {
                    place = j;
                }
                if (i == 0 || j == 0) {
                    table[i][j] = i + j;
                } else if (x[i - 1] == y[j - 1]) {
                    table[i][j] = table[i - 1][j - 1] + 1;
                } else if (place == 0) {
                    table[i][j] = Math.min(i + j - 1, table[i - 1][j]) + 1;
                } else {
                    table[i][j] = Math.min(table[i - 1][place - 1] + j - place, table[i - 1][j]) + 1;
                }
            }
        }
        return table;
    }

    /** Computes the table by the equations as the paper prints them. */
    private static int[][] byEquations8And9(int[] x, int[] y, int size) {
        int[][] places = new int[size][y.length + 1];
        for (int c = 0; c < size; c++) {
            for (int j = 1; j <= y.length; j++) {
                places[c][j] = y[j - 1] == c ? j : places[c][j - 1];
            }
        }
        int[][] table = new int[x.length + 1][y.length + 1];
        for (int i = 0; i <= x.length; i++) {
            for (int j = 0; j <= y.length; j++) {
                int place = i == 0 ? 0 : places[x[i - 1]][j];
                if (i == 0 || j == 0) {
                    table[i][j] = i + j;
                } else if (place == 0) {
                    table[i][j] = Math.min(i + j - 1, table[i - 1][j]) + 1;
                } else {
                    table[i][j] = Math.min(table[i - 1][place - 1] + j - place, table[i - 1][j]) + 1;
                }
            }
        }
        return table;
    }

    /**
     * As printed, equation (4) gives values that are too large for some cells, because it omits paths that come from
     * the cell above.
     */
    @Test
    void equation4AsPrintedIsWrong() {
        Random random = new Random(4);
        int cells = 0;
        int wrong = 0;
        for (int round = 0; round < 100; round++) {
            int[] x = random.ints(20, 0, 4).toArray();
            int[] y = random.ints(20, 0, 4).toArray();
            int[][] table = byEquation2(x, y);
            for (int i = 1; i <= 20; i++) {
                int place = 0;
                for (int j = 1; j <= 20; j++) {
                    place = x[i - 1] == y[j - 1] ? j : place;
                    int printed = place == 0 ? i + j : table[i - 1][place - 1] + j - place + 1;
                    assertThat(printed).isGreaterThanOrEqualTo(table[i][j]);
                    cells++;
                    wrong += printed == table[i][j] ? 0 : 1;
                }
            }
        }
        assertThat(wrong).isBetween(cells / 10, cells / 2);
    }
}
