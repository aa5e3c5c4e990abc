package dev.bellman.cuda;

import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CLOCK_RATE;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
import static jcuda.driver.JCudaDriver.cuDeviceGetAttribute;
import static jcuda.driver.JCudaDriver.cuDeviceGetName;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jcuda.driver.CUdevice;

/**
 * A GPU.
 *
 * @param ordinal the number of the GPU among the GPUs that this process can use
 * @param major the major version of the compute capability, such as 9 in 9.0
 * @param minor the minor version of the compute capability
 * @param sharedMemoryPerBlock the maximum number of bytes of shared memory in a block that requests more than 48 KiB
 * @param clockHertz the maximum clock rate of the multiprocessors
 */
public record Device(
        int ordinal,
        String name,
        int major,
        int minor,
        int multiprocessors,
        int sharedMemoryPerBlock,
        long clockHertz) {
    private static final Map<Integer, Device> DEVICES = new ConcurrentHashMap<>();

    /** Returns the GPU that cudf uses on this thread. */
    public static Device current() {
        return DEVICES.computeIfAbsent(Driver.currentDevice(), Device::of);
    }

    /**
     * Makes all threads that wait for a GPU sleep until it has finished. By default, they spin, and so keep the cores
     * busy that other tasks need to read rows.
     *
     * @param ordinal the number of the GPU
     */
    public static void sleepWhileWaiting(int ordinal) {
        Driver.sleepWhileWaiting(ordinal);
    }

    private static Device of(int ordinal) {
        CUdevice device = Driver.device(ordinal);
        byte[] name = new byte[256];
        Driver.check(cuDeviceGetName(name, name.length, device), "call cuDeviceGetName");
        return new Device(
                ordinal,
                new String(name, StandardCharsets.UTF_8).trim(),
                attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device),
                attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device),
                attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device),
                attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device),
                1000L * attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE, device));
    }

    private static int attribute(int attribute, CUdevice device) {
        int[] value = new int[1];
        Driver.check(cuDeviceGetAttribute(value, attribute, device), "call cuDeviceGetAttribute");
        return value[0];
    }
}
