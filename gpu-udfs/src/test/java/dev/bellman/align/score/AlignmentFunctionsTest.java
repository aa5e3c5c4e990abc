package dev.bellman.align.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.SparkTest;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/** Tests {@code alignment} and {@code alignment_score} in SQL. */
class AlignmentFunctionsTest extends SparkTest {
    @Test
    void inSql() {
        Row alignment = (Row) value("alignment('ACGT', 'CGTA', 'overlap', 'match 2 mismatch -3 open 5 extend 2')");
        assertThat(alignment.mkString(" ")).isEqualTo("6 1 4 0 3 3= 3 0");
        assertThat(value("alignment_score('ACGT', 'ACGT', scoring => 'match 2 mismatch -3 gap 1', mode => 'global')"))
                .isEqualTo(8L);
        assertThat(value("alignment_score('ACGT', 'ACGT', 'global', 'match 2 mismatch -3 gap 1', min_score => 9)"))
                .isNull();
        assertThat(value("alignment_score('ACGT', NULL, 'global', 'match 2 mismatch -3 gap 1')"))
                .isNull();
        assertThat(value("alignment_score('AC-', 'AC', 'global', concat('matrix AC ', array_join(array(5, -4, -4, "
                        + "5), ' '), ' other -1 open 6 extend 2'))"))
                .isEqualTo(4L);
        assertThat(value("try_alignment_score('J', 'A', 'global', 'blosum62 gap 4')"))
                .isNull();
    }

    /** Constant arguments are checked before the query runs, even if invalid values in rows would become NULL. */
    @Test
    void checkedWhenPlanned() {
        for (String name : new String[] {"alignment", "try_alignment", "alignment_score"}) {
            assertThatThrownBy(() -> spark.sql("SELECT " + name + "('A', 'C', 'global', 'blosum62 open 11')"))
                    .isInstanceOf(AnalysisException.class)
                    .hasMessageContaining(name
                            + ": invalid scoring 'blosum62 open 11': found the end of the scoring, expected extend")
                    .hasMessageContaining("line 1 pos 7");
            assertThatThrownBy(() -> spark.sql("SELECT " + name + "('A', 'C', 'globl', 'blosum62 gap 4')"))
                    .isInstanceOf(AnalysisException.class)
                    .hasMessageContaining(
                            "the mode is 'globl'; it must be one of global, local, overlap, fit_a_in_b, fit_b_in_a");
        }
    }

    @Test
    void modesAndScoringsOfRows() {
        assertThat(spark.sql("SELECT alignment_score('GATTACA', 'GCAT', mode, scoring) FROM VALUES"
                                + " ('global', 'match 1 mismatch -1 gap 1'), ('local', 'match 1 mismatch -1 gap 1'),"
                                + " ('local', 'match 3 mismatch -1 gap 1') AS t(mode, scoring)")
                        .collectAsList())
                .extracting(row -> row.getLong(0))
                .containsExactly(-2L, 2L, 8L);
    }
}
