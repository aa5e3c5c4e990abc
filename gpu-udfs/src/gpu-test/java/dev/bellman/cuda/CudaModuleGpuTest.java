package dev.bellman.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import dev.bellman.GpuTest;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CudaModuleGpuTest extends GpuTest {
    private static final int COUNT = 1_000;

    /** The build compiles the test kernels for sm_121 and to PTX, so other GPUs load them as PTX. */
    @Test
    void ptxWhereThereIsNoMachineCode() {
        CudaModule module = CudaModule.load("cuda/squares");

        assertThat(module.image()).isEqualTo("cuda/squares.compute_75.ptx");
        try (DeviceMemoryBuffer values = DeviceMemoryBuffer.allocate((long) Long.BYTES * COUNT);
                HostMemoryBuffer host = HostMemoryBuffer.allocate(values.getLength())) {
            module.kernel("squares").threads(COUNT, 128).launch(COUNT, values.getAddress());
            host.copyFromDeviceBuffer(values);
            long[] squares = new long[COUNT];
            host.getLongs(squares, 0, 0, COUNT);
            assertThat(squares)
                    .isEqualTo(LongStream.range(0, COUNT).map(i -> i * i).toArray());
        }
    }

    @Test
    void machineCodeWhereThereIsSome() {
        Device device = Device.current();

        assertThat(CudaModule.load("columns/validity").image())
                .isEqualTo(
                        device.major() == 9 && device.minor() == 0
                                ? "columns/validity.sm_90.cubin"
                                : "columns/validity.compute_75.ptx");
    }
}
