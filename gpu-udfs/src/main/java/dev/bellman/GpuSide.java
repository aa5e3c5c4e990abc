package dev.bellman;

import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The boundary between the CPU side and the GPU side. All code that refers to cudf, RAPIDS or JCuda is on the GPU side,
 * which a jar may lack. The CPU side declares an interface for each GPU component that it needs, and this class finds
 * the implementations with {@link ServiceLoader}.
 */
public final class GpuSide {
    /** The session setting that limits how much GPU memory one input may use. */
    public static final String MEMORY = "spark.bellman.gpuMemory";

    private static final ClassValue<Optional<Object>> PARTS = new ClassValue<>() {
        @Override
        protected Optional<Object> computeValue(Class<?> part) {
            return ServiceLoader.load(part, part.getClassLoader()).findFirst().map(Object.class::cast);
        }
    };

    private GpuSide() {}

    /** Returns a GPU component, or empty if this jar lacks it. */
    public static <T> Optional<T> find(Class<T> part) {
        return PARTS.get(part).map(part::cast);
    }

    /**
     * Returns a required GPU component.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_GPU_REQUIRED} if this jar lacks the component
     */
    public static <T> T get(Class<T> part) {
        return find(part)
                .orElseThrow(() -> new BellmanException(
                        ErrorCode.BELLMAN_GPU_REQUIRED,
                        "this build of Bellman has no GPU support; set BELLMAN_GPU_SIDE=true and rebuild Bellman with "
                                + "submit/bellman or pip install"));
    }
}
