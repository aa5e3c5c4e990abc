package dev.bellman.build;

import com.github.luben.zstd.Zstd;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compiles the CUDA kernels during the build, without a GPU or a CUDA toolkit:
 *
 * <pre>java -cp JARS dev.bellman.build.CompileKernels SOURCES OUTPUT WORK ARCHITECTURES</pre>
 *
 * <p>{@code SOURCES/align/distance/edit_distance.cu} becomes
 * {@code OUTPUT/align/distance/edit_distance.sm_90.cubin.zst} for {@code sm_90}, likewise for each of the
 * comma-separated ARCHITECTURES, and {@code OUTPUT/align/distance/edit_distance.compute_75.ptx.zst} for all other GPUs.
 * Both are compressed with Zstandard, which takes 30 % less space than the jar's own compression. Includes are
 * relative to SOURCES: {@code #include "common/utf8.cuh"}. SOURCES may list several folders, like a class path: the
 * first contains the sources to compile, and headers may be in any of the folders. Next to the PTX,
 * {@code OUTPUT/align/distance/edit_distance.interface} describes the kernels for
 * {@code dev.bellman.cuda.ModuleInterface} ({@link KernelInterface}).
 *
 * <p>A source is recompiled only if the source, a header that it includes, the options or the compiler changed. WORK
 * contains the fingerprint of each file in OUTPUT. {@link KernelCache}, in the user's home directory, stores compiled
 * code that all of the user's builds share.
 *
 * <p>Errors and warnings are printed in NVRTC's format, {@code file(line): error: ...}; an error fails the build.
 * The NVRTC on Maven Central runs on Linux x86-64. On other platforms, the build continues and reports that its
 * jar has no kernels.
 */
final class CompileKernels {
    /** The Zstandard level. Compressing all kernels takes about 100 s of CPU time; higher levels save little. */
    private static final int LEVEL = 19;

    private final Path output;
    private final Path work;
    private final KernelCache cache;
    private final Function<Compilation, byte[]> compiler;
    private final Consumer<String> progress;
    private int compiled;

    /**
     * @param compiler returns the compiled code, or null if the compiler printed errors
     * @param progress receives one progress line after each compilation
     */
    CompileKernels(
            Path output,
            Path work,
            KernelCache cache,
            Function<Compilation, byte[]> compiler,
            Consumer<String> progress) {
        this.output = output;
        this.work = work;
        this.cache = cache;
        this.compiler = compiler;
        this.progress = progress;
    }

    public static void main(String[] arguments) throws IOException {
        List<Path> folders =
                Stream.of(arguments[0].split(File.pathSeparator)).map(Path::of).toList();
        Path work = Path.of(arguments[2]);
        List<String> targets = Arrays.asList(arguments[3].split("\\s*,\\s*"));
        Nvrtc nvrtc = new Nvrtc(work);
        // submit/bellman reads the printed lines to show the progress
        CompileKernels kernels = new CompileKernels(
                Path.of(arguments[1]), work, KernelCache.ofUser(), nvrtc::compile, System.out::println);
        List<String> failures = kernels.run(compilations(folders, targets, nvrtc.identity()));
        if (!failures.isEmpty()) {
            System.err.println("These CUDA kernels do not compile: " + String.join(", ", failures));
            System.exit(1);
        }
    }

    /** Returns a compilation for each source in the first folder and each target, including PTX. */
    static List<Compilation> compilations(List<Path> folders, List<String> architectures, String compiler)
            throws IOException {
        Map<String, String> headers = new TreeMap<>();
        for (Path folder : folders) {
            for (Path header : files(folder, ".cuh")) {
                headers.put(folder.relativize(header).toString(), Files.readString(header));
            }
        }
        List<String> targets = new ArrayList<>(architectures);
        targets.add(Compilation.PTX);
        List<Compilation> compilations = new ArrayList<>();
        for (Path source : files(folders.get(0), ".cu")) {
            String name = folders.get(0).relativize(source).toString();
            String text = Files.readString(source);
            Map<String, String> included = Compilation.included(text, headers);
            for (String target : targets) {
                compilations.add(new Compilation(name, text, included, target, compiler));
            }
        }
        return compilations;
    }

    /** Updates OUTPUT. Returns the names of the sources that do not compile, with their targets. */
    List<String> run(List<Compilation> compilations) throws IOException {
        deleteOthers(compilations);
        List<Compilation> missing = compilations.parallelStream()
                .filter(compilation -> !isThere(compilation))
                .filter(compilation -> !takeFromCache(compilation))
                // start the longest compilations first, so that all cores finish at about the same time
                .sorted(Comparator.comparingLong(Compilation::size).reversed())
                .toList();
        if (missing.isEmpty()) {
            return List.of();
        }
        String platform = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        if (!platform.equals("Linux amd64")) {
            System.err.println("The CUDA kernels are not compiled, because NVRTC requires x86-64 Linux, but this "
                    + "machine runs "
                    + platform + ". The resulting jar contains no GPU code; run it without RAPIDS.");
            return List.of();
        }
        List<String> failures = compile(missing);
        cache.prune();
        return failures;
    }

    private List<String> compile(List<Compilation> missing) {
        List<String> failures = new ArrayList<>();
        ExecutorService pool = Executors.newFixedThreadPool(
                Math.min(missing.size(), Runtime.getRuntime().availableProcessors()));
        try {
            List<Future<Boolean>> results = missing.stream()
                    .map(compilation -> pool.submit(() -> compile(compilation, missing.size())))
                    .toList();
            for (int i = 0; i < results.size(); i++) {
                if (!results.get(i).get()) {
                    failures.add(missing.get(i).toString());
                }
            }
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            pool.shutdownNow();
        }
        return failures;
    }

    private boolean compile(Compilation compilation, int all) {
        byte[] code = compiler.apply(compilation);
        if (code == null) {
            return false;
        }
        write(compilation, cache.write(compilation.fingerprint(), code));
        synchronized (this) {
            compiled++;
            progress.accept("kernels: " + compiled + " of " + all);
        }
        return true;
    }

    private void deleteOthers(List<Compilation> compilations) throws IOException {
        Set<Path> expected = compilations.stream()
                .flatMap(compilation -> outputs(compilation).stream())
                .collect(Collectors.toSet());
        for (String suffix : List.of(".cubin.zst", ".ptx.zst", ".interface")) {
            for (Path file : files(output, suffix)) {
                if (!expected.contains(file)) {
                    Files.delete(file);
                }
            }
        }
    }

    private boolean isThere(Compilation compilation) {
        try {
            Path memory = memory(compilation);
            return outputs(compilation).stream().allMatch(Files::exists)
                    && Files.exists(memory)
                    && Files.readString(memory).equals(compilation.fingerprint());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean takeFromCache(Compilation compilation) {
        byte[] code = cache.read(compilation.fingerprint());
        if (code != null) {
            write(compilation, code);
        }
        return code != null;
    }

    /** Writes the fingerprint last, so that if this build is killed, the next one compiles the file again. */
    private void write(Compilation compilation, byte[] code) {
        try {
            Path memory = memory(compilation);
            Files.createDirectories(memory.getParent());
            Files.deleteIfExists(memory);
            Path file = output.resolve(compilation.outputName());
            Files.createDirectories(file.getParent());
            Files.write(file, Zstd.compress(code, LEVEL));
            if (compilation.isPtx()) {
                Files.writeString(
                        output.resolve(compilation.interfaceName()),
                        KernelInterface.of(new String(code, StandardCharsets.UTF_8)));
            }
            Files.writeString(memory, compilation.fingerprint());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Path> outputs(Compilation compilation) {
        Path code = output.resolve(compilation.outputName());
        return compilation.isPtx() ? List.of(code, output.resolve(compilation.interfaceName())) : List.of(code);
    }

    private Path memory(Compilation compilation) {
        return work.resolve("compiled").resolve(compilation.name().replace('/', '.') + "." + compilation.target());
    }

    private static List<Path> files(Path folder, String suffix) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }
}
