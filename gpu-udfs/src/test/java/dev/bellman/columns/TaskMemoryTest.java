package dev.bellman.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.FunctionOptions;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskMemoryTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            local               |    | 1 | 1
            local[8]            |    | 1 | 8
            local[8, 3]         |    | 3 | 2
            local-cluster[2,1,1024] | 4 | 1 | 4
            yarn                |    | 1 | 1
            yarn                | 6  | 4 | 1
            k8s://https://x     | 5  | 1 | 5
            spark://x:7077      | 12 | 2 | 6
            """)
    void tasksAtATime(String master, String cores, String cpus, int tasks) {
        SparkConf conf = new SparkConf(false).set("spark.master", master).set("spark.task.cpus", cpus);
        if (cores != null) {
            conf.set("spark.executor.cores", cores);
        }

        assertThat(TaskMemory.tasks(conf)).isEqualTo(tasks);
    }

    @Test
    void allProcessors() {
        SparkConf conf = new SparkConf(false).set("spark.master", "local[*]");

        assertThat(TaskMemory.tasks(conf)).isEqualTo(Runtime.getRuntime().availableProcessors());
    }

    @Test
    void refusesWhatExceedsTheShare() {
        assertThat(TaskMemory.bytes())
                .isPositive()
                .isLessThan(Runtime.getRuntime().maxMemory());
        assertThatCode(() -> TaskMemory.take("f", TaskMemory.bytes(), "", () -> "it"))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> TaskMemory.take("f", TaskMemory.bytes() + 1, "less, ", () -> "it"))
                .hasMessageContaining("[BELLMAN_LIMIT] f: it takes ")
                .hasMessageContaining("Use less, more memory (BELLMAN_DRIVER_MEMORY");
    }

    /** The sizes of a row's arrays add up until one of them is released. */
    @Test
    void addsUpInACall() {
        long most = TaskMemory.bytes();
        FunctionOptions.DEFAULT.answer(() -> {
            TaskMemory.take(most / 2, () -> "a text");
            TaskMemory.take(most / 4, () -> "another");
            assertThat(TaskMemory.left()).isLessThanOrEqualTo(most / 4 + 2);
            assertThatThrownBy(() -> TaskMemory.take("f", most / 2, "", () -> "the table"))
                    .hasMessageContaining("f: the table takes")
                    .hasMessageContaining("bytes in addition to")
                    .hasMessageContaining("for the rest of the row");
            TaskMemory.release(most / 2);
            TaskMemory.take("f", most / 2, "", () -> "the table");
            return null;
        });
        assertThat(TaskMemory.left()).isEqualTo(most);
    }
}
