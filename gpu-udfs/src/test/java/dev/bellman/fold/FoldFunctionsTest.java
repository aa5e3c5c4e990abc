package dev.bellman.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.SparkTest;
import org.apache.spark.sql.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code accordion_fold} in SQL. */
class FoldFunctionsTest extends SparkTest {
    @ParameterizedTest
    @ValueSource(strings = {"auto", "serial", "quadratic"})
    void fold(String strategy) {
        withStrategy("accordion_fold", strategy, () -> {
            Row row = row("accordion_fold('HHPPHHPPHH'), "
                    + "accordion_fold(translate('VVGGVV', 'ACDEFGHIKLMNPQRSTVWY', 'HHPPHPPHPHHPPPPPPHHH')), "
                    + "accordion_fold(NULL), try_accordion_fold('HPQ')");
            assertThat(row.getStruct(0).getInt(0)).isEqualTo(4);
            assertThat(row.getStruct(1).getInt(0)).isEqualTo(2);
            assertThat(row.isNullAt(2)).isTrue();
            assertThat(row.isNullAt(3)).isTrue();
        });
    }
}
