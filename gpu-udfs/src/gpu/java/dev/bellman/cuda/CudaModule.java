package dev.bellman.cuda;

import static jcuda.driver.JCudaDriver.cuModuleGetFunction;
import static jcuda.driver.JCudaDriver.cuModuleLoadData;

import com.github.luben.zstd.ZstdInputStream;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;

/**
 * The kernels of one source file, loaded on one GPU. Example of a launch:
 *
 * <pre>{@code
 * CudaModule.load("align/names/splink")
 *         .kernel("splink_jaro_sim")
 *         .threads(count, 128)
 *         .launch(count, order.getAddress(), a, b, similarities.getAddress());
 * }</pre>
 */
public final class CudaModule {
    private record Key(int device, String name) {}

    /** GPU code, and the resource from which it was read. */
    private record Image(String file, byte[] code) {}

    private static final Map<Key, CudaModule> LOADED = new ConcurrentHashMap<>();

    /** The oldest architecture that can run the kernels. The build's {@code CompileKernels} has the same constant. */
    private static final String PTX = "compute_75";

    private final String name;
    private final Device device;
    private final ModuleInterface declared;
    private final String image;
    private final CUmodule module = new CUmodule();
    private final Map<String, Kernel> kernels = new ConcurrentHashMap<>();

    private CudaModule(String name, Device device) {
        this.name = name;
        this.device = device;
        declared = ModuleInterface.of(name);
        Image chosen = image(name, device);
        image = chosen.file();
        Driver.check(cuModuleLoadData(module, chosen.code()), "load the kernels in " + name + " from " + image);
    }

    /**
     * Returns the module of the source {@code src/gpu/cuda/<name>.cu} on this thread's device. A module is loaded once
     * per GPU: from machine code if the jar contains code that the GPU can run, otherwise from PTX, which the GPU
     * driver compiles.
     */
    public static CudaModule load(String name) {
        Device device = Device.current();
        return LOADED.computeIfAbsent(new Key(device.ordinal(), name), key -> new CudaModule(name, device));
    }

    /** Returns the kernel whose {@code extern "C"} function has the given name. */
    public Kernel kernel(String function) {
        return kernels.computeIfAbsent(function, this::find);
    }

    /** Returns the name of the resource from which the kernels were loaded: machine code or PTX. */
    String image() {
        return image;
    }

    /** Returns a constant that the source declares {@code FOR_HOST}. */
    public int constant(String constant) {
        return declared.constant(constant);
    }

    private Kernel find(String function) {
        ModuleInterface.Parameters parameters = declared.parameters(function);
        CUfunction found = new CUfunction();
        Driver.check(cuModuleGetFunction(found, module, function), "find the kernel " + function + " in " + name);
        return new Kernel(parameters, found, device);
    }

    /**
     * Returns the code for a device. Machine code runs on GPUs with the same major version and the same or a later
     * minor version. PTX is a zero-terminated string.
     */
    private static Image image(String name, Device device) {
        for (int minor = device.minor(); minor >= 0; minor--) {
            String file = "%s.sm_%s%s.cubin".formatted(name, device.major(), minor);
            Optional<byte[]> cubin = code(file);
            if (cubin.isPresent()) {
                return new Image(file, cubin.get());
            }
        }
        String file = name + "." + PTX + ".ptx";
        byte[] ptx = code(file)
                .orElseThrow(() -> new BellmanException(
                        ErrorCode.BELLMAN_INTERNAL,
                        "this jar contains no GPU code for %s; build the jar on x86-64 Linux".formatted(name)));
        return new Image(file, Arrays.copyOf(ptx, ptx.length + 1));
    }

    /** Returns the decompressed machine code or PTX, if the jar contains it. */
    static Optional<byte[]> code(String file) {
        try (InputStream in = CudaModule.class.getResourceAsStream(file + ".zst")) {
            return in == null ? Optional.empty() : Optional.of(new ZstdInputStream(in).readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
