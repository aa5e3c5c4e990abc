package dev.bellman.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.CudaException.CudaError;
import ai.rapids.cudf.CudaFatalException;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import jcuda.driver.CUresult;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DriverTest {
    /** RAPIDS ends an executor if cudf's fatal exception is among the causes of a failure. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                CUresult.CUDA_ERROR_ILLEGAL_ADDRESS,
                CUresult.CUDA_ERROR_LAUNCH_FAILED,
                CUresult.CUDA_ERROR_MISALIGNED_ADDRESS,
                CUresult.CUDA_ERROR_ECC_UNCORRECTABLE,
                CUresult.CUDA_ERROR_ASSERT,
                CUresult.CUDA_ERROR_LAUNCH_TIMEOUT
            })
    void fatal(int result) {
        BellmanException failure = Driver.failure(result, "launch the kernel solve", "what CUDA says");

        assertThat(failure.code()).isEqualTo(ErrorCode.BELLMAN_INTERNAL);
        assertThat(failure)
                .hasMessageContaining("launch the kernel solve: " + CUresult.stringFor(result) + ", what CUDA says")
                .cause()
                .isInstanceOfSatisfying(CudaFatalException.class, cause -> assertThat(cause.getCudaError())
                        .isNotEqualTo(CudaError.UnknownNativeError));
    }

    /** After these errors, the next batch may succeed. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                CUresult.CUDA_ERROR_INVALID_VALUE,
                CUresult.CUDA_ERROR_OUT_OF_MEMORY,
                CUresult.CUDA_ERROR_NOT_FOUND,
                CUresult.CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                CUresult.CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                CUresult.CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
            })
    void notFatal(int result) {
        assertThat(Driver.failure(result, "launch the kernel solve", "what CUDA says"))
                .hasMessageContaining(CUresult.stringFor(result))
                .hasNoCause();
    }
}
