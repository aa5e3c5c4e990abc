package dev.bellman.columns;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.SparkConf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RapidsTest {
    @ParameterizedTest
    @CsvSource({
        "com.nvidia.spark.SQLPlugin, executeOnGPU, true",
        "'other.Plugin,com.nvidia.spark.SQLPlugin', executeOnGPU, true",
        "com.nvidia.spark.SQLPlugin, explainOnly, false",
        "com.nvidia.spark.SQLPlugin, EXPLAINONLY, false",
        "other.Plugin, executeOnGPU, false"
    })
    void hasGpu(String plugins, String mode, boolean expected) {
        SparkConf conf = new SparkConf(false).set(Rapids.PLUGINS, plugins);
        assertThat(Rapids.hasGpu(conf.clone().set("spark.rapids.sql.mode", mode)))
                .isEqualTo(expected);
        assertThat(Rapids.hasGpu(conf)).isEqualTo(plugins.contains(Rapids.PLUGIN));
    }
}
