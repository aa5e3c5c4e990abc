package dev.bellman;

import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The seam between the CPU side and the GPU side. All that refers to cudf, RAPIDS or JCuda is on the GPU side, which a
 * jar may lack. The CPU side declares an interface for each part that it needs of it, and finds the implementation
 * here, as Java's {@link ServiceLoader} does.
 */
public final class GpuSide {
    /** The session's setting of how much memory of a GPU one instance may take. */
    public static final String MEMORY = "spark.bellman.gpuMemory";

    private static final ClassValue<Optional<Object>> PARTS = new ClassValue<>() {
        @Override
        protected Optional<Object> computeValue(Class<?> part) {
            return ServiceLoader.load(part, part.getClassLoader()).findFirst().map(Object.class::cast);
        }
    };

    private GpuSide() {}

    /** A part of the GPU side; empty if this jar has none. */
    public static <T> Optional<T> find(Class<T> part) {
        return PARTS.get(part).map(part::cast);
    }

    /**
     * A part of the GPU side.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_GPU_REQUIRED} if this jar has none
     */
    public static <T> T get(Class<T> part) {
        return find(part)
                .orElseThrow(() -> new BellmanException(
                        ErrorCode.BELLMAN_GPU_REQUIRED,
                        "this build of Bellman has no GPU side; set BELLMAN_GPU_SIDE=true and build it again by "
                                + "submit/bellman or pip install, or use the published jar"));
    }
}
