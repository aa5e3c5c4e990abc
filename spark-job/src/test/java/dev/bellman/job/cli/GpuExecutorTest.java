package dev.bellman.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.resource.ResourceAllocation;
import org.apache.spark.resource.ResourceID;
import org.json4s.DefaultFormats$;
import org.json4s.jackson.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.jdk.javaapi.CollectionConverters;

class GpuExecutorTest {
    @TempDir
    Path folder;

    @Test
    void gpuOfExecutor() throws Exception {
        ResourceAllocation gpu = new ResourceAllocation(
                new ResourceID("spark.executor", "gpu"),
                CollectionConverters.asScala(java.util.List.of("3")).toSeq());
        Path resources = Files.writeString(
                folder.resolve("resource-executor-1.json"),
                Serialization.write(
                        CollectionConverters.asScala(java.util.List.of(gpu)).toSeq(), DefaultFormats$.MODULE$));

        assertThat(GpuExecutor.gpu(new String[] {"--cores", "8", "--resourcesFile", resources.toString()}))
                .hasValue(3);
        assertThat(GpuExecutor.gpu(new String[] {
                    "--resourcesFile", folder.resolve("missing").toString()
                }))
                .isEmpty();
        assertThat(GpuExecutor.gpu(new String[] {"--cores", "8"})).isEmpty();
        assertThat(GpuExecutor.gpu(new String[] {"--resourcesFile"})).isEmpty();
    }
}
