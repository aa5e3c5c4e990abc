package dev.bellman.cuda;

import static jcuda.driver.JCudaDriver.cuCtxGetCurrent;
import static jcuda.driver.JCudaDriver.cuCtxSetCurrent;
import static jcuda.driver.JCudaDriver.cuDeviceGet;
import static jcuda.driver.JCudaDriver.cuDevicePrimaryCtxRetain;
import static jcuda.driver.JCudaDriver.cuGetErrorName;
import static jcuda.driver.JCudaDriver.cuGetErrorString;
import static jcuda.driver.JCudaDriver.cuInit;

import ai.rapids.cudf.Cuda;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/** The driver API: loaded and initialised when first needed, with the task's device current on the task's thread. */
final class Driver {
    private static final Map<Integer, CUcontext> PRIMARY_CONTEXTS = new ConcurrentHashMap<>();

    private static boolean initialized;

    private Driver() {}

    /**
     * The ordinal of the device that cudf uses on this thread. Afterwards a context of that device is current: a thread that
     * has not called CUDA before has none.
     */
    static int currentDevice() {
        initialize();
        int ordinal = Cuda.getDevice();
        CUcontext current = new CUcontext();
        check(cuCtxGetCurrent(current), "cuCtxGetCurrent");
        if (current.equals(new CUcontext())) {
            check(
                    cuCtxSetCurrent(PRIMARY_CONTEXTS.computeIfAbsent(ordinal, Driver::primaryContext)),
                    "cuCtxSetCurrent");
        }
        return ordinal;
    }

    /** The device's primary context, shared with cudf, retained until the process ends. */
    private static CUcontext primaryContext(int ordinal) {
        CUcontext context = new CUcontext();
        check(cuDevicePrimaryCtxRetain(context, device(ordinal)), "cuDevicePrimaryCtxRetain");
        return context;
    }

    static CUdevice device(int ordinal) {
        CUdevice device = new CUdevice();
        check(cuDeviceGet(device, ordinal), "cuDeviceGet");
        return device;
    }

    /** Throws unless a call of the driver API succeeded. */
    static void check(int result, String call) {
        if (result != CUresult.CUDA_SUCCESS) {
            String[] name = new String[1];
            String[] description = new String[1];
            cuGetErrorName(result, name);
            cuGetErrorString(result, description);
            throw new BellmanException(
                    ErrorCode.BELLMAN_INTERNAL, "%s: %s, %s".formatted(call, name[0], description[0]));
        }
    }

    private static synchronized void initialize() {
        if (!initialized) {
            NativeLibraries.load(() -> {
                JCudaDriver.setExceptionsEnabled(false);
                check(cuInit(0), "cuInit");
            });
            initialized = true;
        }
    }
}
