package dev.bellman.fold;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class AccordionFoldGpuTest extends GpuTest {
    private static Dataset<Row> chains(int count, int size, boolean valid) {
        SplittableRandom random = new SplittableRandom(size);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int n = i < 140 ? i : random.nextInt(size);
            int share = 1 + random.nextInt(9);
            StringBuilder chain = new StringBuilder();
            for (int k = 0; k < n; k++) {
                chain.append(random.nextInt(10) < share ? "H1".charAt(i % 2) : "P0".charAt(i % 3 % 2));
            }
            rows.add(RowFactory.create(i % 37 == 5 ? null : i % 41 == 7 && !valid ? chain + "x" : chain.toString()));
        }
        return rows(new StructType().add("chain", DataTypes.StringType), 3, rows);
    }

    @Test
    void random() {
        assertSameAsOnCpu(chains(5_000, 200, false), "try_accordion_fold(chain)");
        assertSameAsOnCpu(chains(200, 1_500, true), "accordion_fold(chain)");
    }

    @Test
    void failsAsOnCpu() {
        // a single task, because if there were several, it would be uncertain which invalid row fails first
        Dataset<Row> rows = chains(300, 50, false).coalesce(1);
        assertSameFailure(rows, "accordion_fold(chain)").contains("[BELLMAN_INPUT_VALUE]");
    }
}
