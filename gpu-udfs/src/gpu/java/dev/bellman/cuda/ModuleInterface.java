package dev.bellman.cuda;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The interface of a source file's kernels as the host uses it: the parameters of each kernel, and the constants and
 * structs that {@code common/host.cuh} exports. The build extracts this interface from the PTX, so that nothing is
 * declared twice. Reading the interface does not require a GPU.
 */
public final class ModuleInterface {
    private static final Map<String, ModuleInterface> READ = new ConcurrentHashMap<>();

    private final String name;
    private final Map<String, Parameters> kernels = new HashMap<>();
    private final Map<String, Long> constants = new HashMap<>();

    private ModuleInterface(String name) {
        this.name = name;
        try (InputStream in = ModuleInterface.class.getResourceAsStream(name + ".interface")) {
            if (in == null) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INTERNAL,
                        "this jar contains no GPU code for %s; build the jar on x86-64 Linux".formatted(name));
            }
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .lines()
                    .map(line -> line.split(" "))
                    .forEach(this::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(String... words) {
        if (words[0].equals("kernel")) {
            List<Parameter> parameters =
                    Arrays.stream(words).skip(2).map(Parameter::parse).toList();
            kernels.put(words[1], new Parameters(words[1], parameters));
        } else {
            constants.put(words[1], Long.valueOf(words[2]));
        }
    }

    /** Returns the interface of the source {@code src/gpu/cuda/<name>.cu}. */
    public static ModuleInterface of(String name) {
        return READ.computeIfAbsent(name, ModuleInterface::new);
    }

    /** Returns a constant that the source declares {@code FOR_HOST}. */
    public int constant(String constant) {
        Long value = constants.get(constant);
        if (value == null) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INTERNAL, "%s does not export the constant %s".formatted(name, constant));
        }
        return Math.toIntExact(value);
    }

    Set<String> constants() {
        return constants.keySet();
    }

    Parameters parameters(String kernel) {
        Parameters parameters = kernels.get(kernel);
        if (parameters == null) {
            throw new BellmanException(ErrorCode.BELLMAN_INTERNAL, "%2$s has no kernel %1$s".formatted(kernel, name));
        }
        return parameters;
    }

    /**
     * A parameter of a kernel.
     *
     * @param type the type as in PTX, for example {@code u64}; or {@code struct}
     */
    record Parameter(String type, int bytes, int alignment) {
        private static Parameter parse(String word) {
            if (word.startsWith("struct:")) {
                String[] parts = word.split(":");
                return new Parameter(parts[0], Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
            }
            int bytes = Integer.parseInt(word.substring(1)) / Byte.SIZE;
            return new Parameter(word, bytes, bytes);
        }

        boolean isStruct() {
            return type.equals("struct");
        }

        private boolean takes(Object argument) {
            if (argument instanceof Record value) {
                Struct<?> struct = Struct.of(value.getClass());
                return isStruct() && struct.bytes() == bytes && struct.alignment() == alignment;
            } else if (argument instanceof Double) {
                return type.equals("f64");
            } else if (argument instanceof Float) {
                return type.equals("f32");
            } else if (isStruct() || type.startsWith("f")) {
                return false;
            }
            return bytes
                    == (argument instanceof Long
                            ? Long.BYTES
                            : argument instanceof Integer
                                    ? Integer.BYTES
                                    : argument instanceof Short
                                            ? Short.BYTES
                                            : argument instanceof Byte ? Byte.BYTES : 0);
        }

        @Override
        public String toString() {
            return isStruct() ? "struct of %d bytes".formatted(bytes) : type;
        }
    }

    /** The parameters of a kernel, in order. */
    record Parameters(String kernel, List<Parameter> all) {
        /**
         * Returns one argument for each parameter. If a record is passed where the parameters are not a struct, it is
         * replaced with its members.
         *
         * @throws BellmanException {@link ErrorCode#BELLMAN_INTERNAL} if the arguments do not match the kernel's
         *     parameters
         */
        List<Object> match(Object... arguments) {
            List<Object> matched = new ArrayList<>(all.size());
            boolean fits = add(matched, arguments) && matched.size() == all.size();
            if (!fits) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INTERNAL,
                        "the kernel %s takes %s but received %s"
                                .formatted(
                                        kernel,
                                        all,
                                        Arrays.stream(arguments)
                                                .map(argument ->
                                                        argument.getClass().getSimpleName() + " " + argument)
                                                .toList()));
            }
            return matched;
        }

        private boolean add(List<Object> matched, Object... arguments) {
            for (Object argument : arguments) {
                if (matched.size() == all.size()) {
                    return false;
                }
                Parameter parameter = all.get(matched.size());
                if (argument instanceof Record value && !parameter.isStruct()) {
                    if (!add(matched, Struct.values(value))) {
                        return false;
                    }
                } else if (parameter.takes(argument)) {
                    matched.add(argument);
                } else {
                    return false;
                }
            }
            return true;
        }
    }
}
