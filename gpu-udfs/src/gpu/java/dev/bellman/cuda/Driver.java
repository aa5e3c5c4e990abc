package dev.bellman.cuda;

import static jcuda.driver.JCudaDriver.cuCtxGetCurrent;
import static jcuda.driver.JCudaDriver.cuCtxSetCurrent;
import static jcuda.driver.JCudaDriver.cuDeviceGet;
import static jcuda.driver.JCudaDriver.cuDevicePrimaryCtxRetain;
import static jcuda.driver.JCudaDriver.cuDevicePrimaryCtxSetFlags;
import static jcuda.driver.JCudaDriver.cuGetErrorString;
import static jcuda.driver.JCudaDriver.cuInit;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.CudaFatalException;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.lang.reflect.Constructor;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import jcuda.driver.CUcontext;
import jcuda.driver.CUctx_flags;
import jcuda.driver.CUdevice;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/**
 * Gives access to the CUDA driver API. JCuda's native library is loaded and the API is initialized on first use.
 */
final class Driver {
    private static final Map<Integer, CUcontext> PRIMARY_CONTEXTS = new ConcurrentHashMap<>();

    /**
     * Errors after which the process can no longer use CUDA: those for which the driver API's manual ({@code CUresult})
     * states "to continue using CUDA, the process must be terminated and relaunched", and those caused by broken
     * hardware or a destroyed context.
     */
    private static final Set<Integer> FATAL = Set.of(
            CUresult.CUDA_ERROR_ECC_UNCORRECTABLE,
            CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE,
            CUresult.CUDA_ERROR_ILLEGAL_ADDRESS,
            CUresult.CUDA_ERROR_LAUNCH_TIMEOUT,
            CUresult.CUDA_ERROR_CONTEXT_IS_DESTROYED,
            CUresult.CUDA_ERROR_ASSERT,
            CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR,
            CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION,
            CUresult.CUDA_ERROR_MISALIGNED_ADDRESS,
            CUresult.CUDA_ERROR_INVALID_ADDRESS_SPACE,
            CUresult.CUDA_ERROR_INVALID_PC,
            CUresult.CUDA_ERROR_LAUNCH_FAILED,
            CUresult.CUDA_ERROR_MPS_CLIENT_TERMINATED,
            CUresult.CUDA_ERROR_EXTERNAL_DEVICE,
            CUresult.CUDA_ERROR_UNKNOWN);

    private static boolean initialized;

    private Driver() {}

    /**
     * Returns the ordinal of the device that cudf uses on this thread. If this thread has no context, which is
     * the case before its first call of CUDA, also makes the device's primary context current.
     */
    static int currentDevice() {
        initialize();
        int ordinal = Cuda.getDevice();
        CUcontext current = new CUcontext();
        check(cuCtxGetCurrent(current), "call cuCtxGetCurrent");
        if (current.equals(new CUcontext())) {
            check(
                    cuCtxSetCurrent(PRIMARY_CONTEXTS.computeIfAbsent(ordinal, Driver::primaryContext)),
                    "call cuCtxSetCurrent");
        }
        return ordinal;
    }

    /** Returns the device's primary context, which is shared with cudf and retained until the process ends. */
    private static CUcontext primaryContext(int ordinal) {
        CUcontext context = new CUcontext();
        check(cuDevicePrimaryCtxRetain(context, device(ordinal)), "call cuDevicePrimaryCtxRetain");
        return context;
    }

    /** Makes all threads that wait for this GPU sleep. */
    static void sleepWhileWaiting(int ordinal) {
        initialize();
        check(
                cuDevicePrimaryCtxSetFlags(device(ordinal), CUctx_flags.CU_CTX_SCHED_BLOCKING_SYNC),
                "call cuDevicePrimaryCtxSetFlags");
    }

    static CUdevice device(int ordinal) {
        CUdevice device = new CUdevice();
        check(cuDeviceGet(device, ordinal), "call cuDeviceGet");
        return device;
    }

    /** Throws an exception if a call to the driver API failed. */
    static void check(int result, String call) {
        if (result != CUresult.CUDA_SUCCESS) {
            String[] description = new String[1];
            cuGetErrorString(result, description);
            throw failure(result, call, description[0]);
        }
    }

    /**
     * Returns the exception for a failed call. After a fatal error, the process can no longer use the GPU. RAPIDS
     * recognizes this case if the cause is cudf's own exception, and then ends the executor, so that Spark starts a new
     * one.
     */
    static BellmanException failure(int result, String call, String description) {
        String message = "cannot %s: %s, %s".formatted(call, CUresult.stringFor(result), description);
        return new BellmanException(
                ErrorCode.BELLMAN_INTERNAL, message, FATAL.contains(result) ? fatal(message, result) : null);
    }

    /**
     * Creates cudf's exception for fatal errors. Its constructor is intended only for cudf's native code, but RAPIDS
     * recognizes a fatal error only by this class.
     */
    private static CudaFatalException fatal(String message, int result) {
        try {
            Constructor<CudaFatalException> constructor =
                    CudaFatalException.class.getDeclaredConstructor(String.class, int.class);
            constructor.setAccessible(true);
            return constructor.newInstance(message, result);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cudf has no matching constructor for the exception: " + message, e);
        }
    }

    private static synchronized void initialize() {
        if (!initialized) {
            NativeLibraries.load(() -> {
                JCudaDriver.setExceptionsEnabled(false);
                check(cuInit(0), "call cuInit");
            });
            initialized = true;
        }
    }
}
