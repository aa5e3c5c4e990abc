import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jcuda.nvrtc.JNvrtc;
import jcuda.nvrtc.nvrtcProgram;
import jcuda.nvrtc.nvrtcResult;

/**
 * Compiles the CUDA kernels during the build, with no GPU and no CUDA toolkit: NVRTC, NVIDIA's compiler as a library,
 * is on Maven Central. The build runs this as a single source file:
 *
 * <pre>java -cp JARS CompileKernels.java SOURCES OUTPUT WORK ARCHITECTURES</pre>
 *
 * <p>{@code SOURCES/align/distance/edit_distance.cu} becomes {@code OUTPUT/align/distance/edit_distance.sm_90.cubin}
 * for each of the comma-separated ARCHITECTURES, and {@code OUTPUT/align/distance/edit_distance.compute_75.ptx} for
 * every other GPU. Includes are relative to SOURCES:
 * {@code #include "common/utf8.cuh"}. SOURCES may be several folders, as in a class path: sources in the first are
 * compiled, and headers are found in all. A source is recompiled if it, a header that it includes, the options or the
 * compiler changed; WORK keeps track. Next to the PTX, {@code OUTPUT/align/distance/edit_distance.interface} is for
 * {@code dev.bellman.cuda.ModuleInterface}:
 * the types of each kernel's parameters, and the constants of {@code common/host.cuh}.
 * Errors and warnings are printed in NVRTC's format, {@code file(line): error: ...}; an error fails the build.
 *
 * <p>The NVRTC on Maven Central runs on Linux x86-64. Elsewhere the build continues, reports that its jar has no
 * kernels, and that jar is for Spark without RAPIDS: a function that RAPIDS plans on the GPU fails because its kernels
 * are missing.
 */
final class CompileKernels {
    private static final List<String> LIBRARIES = List.of("libnvrtc-builtins.so.12.9", "libnvrtc.so.12");
    private static final List<String> OPTIONS =
            List.of("--std=c++17", "--generate-line-info");

    /** The oldest GPUs that run the kernels; {@code dev.bellman.cuda.CudaModule} repeats it. */
    private static final String PTX = "compute_75";

    /** {@code .visible .entry name( .param .u64 name_param_0, .param .align 8 .b8 name_param_1[64] )} */
    private static final Pattern ENTRY = Pattern.compile("\\.visible \\.entry (\\w+)\\(([^)]*)\\)");

    private static final Pattern PARAMETER =
            Pattern.compile("\\.param(?: \\.align (\\d+))? \\.(\\w+)[^,\\[]*(?:\\[(\\d+)\\])?");

    /** A constant of zero has no value in PTX. */
    private static final Pattern CONSTANT =
            Pattern.compile("\\.const \\.align 8 \\.u64 for_host_(\\w+)(?: = (-?\\d+))?;");

    private static final Pattern INCLUDE = Pattern.compile("(?m)^\\s*#include\\s+\"([^\"]+)\"");

    /** {@code name} is the path of the source below SOURCES, the only path that enters the code. */
    private record Job(Path source, String name, String target, Path output) {
        List<String> options() {
            List<String> options = new ArrayList<>(OPTIONS);
            options.add("--gpu-architecture=" + target);
            return options;
        }

        List<Path> outputs() {
            return isPtx() ? List.of(output, interfaceFile()) : List.of(output);
        }

        boolean isPtx() {
            return target.equals(PTX);
        }

        Path interfaceFile() {
            return output.resolveSibling(
                    output.getFileName().toString().replace("." + target + ".ptx", ".interface"));
        }
    }

    public static void main(String[] arguments) throws IOException {
        List<Path> folders = Stream.of(arguments[0].split(File.pathSeparator))
                .map(Path::of)
                .toList();
        Path sources = folders.get(0);
        Path output = Path.of(arguments[1]);
        Path work = Path.of(arguments[2]);
        List<String> targets = new ArrayList<>(List.of(arguments[3].split("\\s*,\\s*")));
        targets.add(PTX);

        List<Path> kernels = files(sources, ".cu");
        List<Job> jobs = new ArrayList<>();
        for (Path source : kernels) {
            String name = sources.relativize(source).toString();
            for (String target : targets) {
                String suffix = target.startsWith("sm_") ? ".cubin" : ".ptx";
                String code = name.replaceFirst("\\.cu$", "." + target + suffix);
                jobs.add(new Job(source, name, target, output.resolve(code)));
            }
        }
        List<Path> expected =
                jobs.stream().flatMap(job -> job.outputs().stream()).toList();
        for (String suffix : List.of(".cubin", ".ptx", ".interface")) {
            for (Path file : files(output, suffix)) {
                if (!expected.contains(file)) {
                    Files.delete(file);
                }
            }
        }

        Map<String, String> headers = new TreeMap<>();
        for (Path folder : folders) {
            for (Path header : files(folder, ".cuh")) {
                headers.put(folder.relativize(header).toString(), Files.readString(header));
            }
        }
        List<Job> changed = new ArrayList<>();
        for (Job job : jobs) {
            if (!job.outputs().stream().allMatch(Files::exists)
                    || !remembered(work, job).equals(fingerprint(job, headers))) {
                changed.add(job);
            }
        }
        if (changed.isEmpty()) {
            return;
        }
        String platform = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        if (!platform.equals("Linux amd64")) {
            System.err.println("The CUDA kernels are not compiled: that needs Linux on x86-64, and this is "
                    + platform + ". The jar of this build has no GPU code: use it without RAPIDS.");
            return;
        }
        loadCompiler(work);
        List<String> failures = changed.parallelStream()
                .flatMap(job -> compile(job, headers, work).stream())
                .toList();
        if (!failures.isEmpty()) {
            System.err.println("CUDA kernels that do not compile: " + String.join(", ", failures));
            System.exit(1);
        }
    }

    /** The libraries must be in one folder. JCuda's binding finds NVRTC in the process because it is already loaded. */
    private static void loadCompiler(Path work) throws IOException {
        Files.createDirectories(work);
        for (String library : LIBRARIES) {
            Path file = work.resolve(library).toAbsolutePath();
            if (!Files.exists(file)) {
                Path part = Files.createTempFile(work, library, ".part");
                try (InputStream in =
                        CompileKernels.class.getResourceAsStream("/org/bytedeco/cuda/linux-x86_64/" + library)) {
                    Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
                }
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            }
            System.load(file.toString());
        }
        System.setProperty("java.io.tmpdir", work.toAbsolutePath().toString());
        JNvrtc.setExceptionsEnabled(false);
    }

    /** The target, if compiling it failed. */
    private static Optional<String> compile(Job job, Map<String, String> headers, Path work) {
        nvrtcProgram program = new nvrtcProgram();
        try {
            String[] texts = headers.values().toArray(String[]::new);
            String[] names = headers.keySet().toArray(String[]::new);
            JNvrtc.nvrtcCreateProgram(program, Files.readString(job.source()), job.name(), names.length, texts, names);
            String[] options = job.options().toArray(String[]::new);
            int result = JNvrtc.nvrtcCompileProgram(program, options.length, options);
            String[] log = new String[1];
            JNvrtc.nvrtcGetProgramLog(program, log);
            if (log[0] != null && !log[0].isBlank()) {
                System.err.println("[" + job.target() + "] " + log[0].strip());
            }
            if (result != nvrtcResult.NVRTC_SUCCESS) {
                System.err.println(job.name() + " for " + job.target() + ": "
                        + JNvrtc.nvrtcGetErrorString(result));
                return Optional.of(job.name() + " (" + job.target() + ")");
            }
            Files.createDirectories(job.output().getParent());
            byte[] code = code(program, job);
            Files.write(job.output(), code);
            if (job.isPtx()) {
                Files.writeString(job.interfaceFile(), interfaceOf(new String(code, StandardCharsets.UTF_8)));
            }
            Path memory = memory(work, job);
            Files.createDirectories(memory.getParent());
            Files.writeString(memory, fingerprint(job, headers));
            return Optional.empty();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } finally {
            JNvrtc.nvrtcDestroyProgram(program);
        }
    }

    private static byte[] code(nvrtcProgram program, Job job) {
        if (job.target().startsWith("sm_")) {
            long[] size = new long[1];
            JNvrtc.nvrtcGetCUBINSize(program, size);
            byte[] cubin = new byte[Math.toIntExact(size[0])];
            JNvrtc.nvrtcGetCUBIN(program, cubin);
            return cubin;
        }
        String[] ptx = new String[1];
        JNvrtc.nvrtcGetPTX(program, ptx);
        return ptx[0].getBytes(StandardCharsets.UTF_8);
    }

    /**
     * A line for each kernel, {@code kernel NAME TYPE...}, and for each constant, {@code constant NAME VALUE}. A type
     * is PTX's, such as {@code u64}, or {@code struct:BYTES:ALIGNMENT}.
     */
    private static String interfaceOf(String ptx) {
        StringBuilder lines = new StringBuilder();
        Matcher entry = ENTRY.matcher(ptx);
        while (entry.find()) {
            lines.append("kernel ").append(entry.group(1));
            Matcher parameter = PARAMETER.matcher(entry.group(2));
            while (parameter.find()) {
                lines.append(' ')
                        .append(parameter.group(3) == null
                                ? parameter.group(2)
                                : "struct:" + parameter.group(3) + ":" + parameter.group(1));
            }
            lines.append('\n');
        }
        Matcher constant = CONSTANT.matcher(ptx);
        while (constant.find()) {
            String value = constant.group(2) == null ? "0" : constant.group(2);
            lines.append("constant ").append(constant.group(1)).append(' ').append(value).append('\n');
        }
        return lines.toString();
    }

    private static Path memory(Path work, Job job) {
        return work.resolve("compiled").resolve(job.name().replace('/', '.') + "." + job.target());
    }

    private static String remembered(Path work, Job job) throws IOException {
        Path memory = memory(work, job);
        return Files.exists(memory) ? Files.readString(memory) : "";
    }

    private static String fingerprint(Job job, Map<String, String> headers) throws IOException {
        String source = Files.readString(job.source());
        Map<String, String> included = new TreeMap<>();
        include(source, headers, included);
        return digest(source) + "\n" + digest(included.toString()) + "\n" + job.options() + "\n" + LIBRARIES + "\n";
    }

    /** Adds the headers that a text includes, directly or through others, to {@code included}. */
    private static void include(String text, Map<String, String> headers, Map<String, String> included) {
        Matcher include = INCLUDE.matcher(text);
        while (include.find()) {
            String name = include.group(1);
            String header = headers.get(name);
            if (header != null && included.put(name, header) == null) {
                include(header, headers, included);
            }
        }
    }

    private static String digest(String text) {
        try {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Path> files(Path folder, String suffix) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
        }
    }
}
