package dev.bellman.build;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.zip.CRC32;
import jcuda.nvrtc.JNvrtc;
import jcuda.nvrtc.nvrtcProgram;
import jcuda.nvrtc.nvrtcResult;

/**
 * Runs NVIDIA's runtime compiler (NVRTC), a library from Maven Central that needs no GPU and can be called from several
 * threads.
 */
final class Nvrtc {
    private static final String FOLDER = "/org/bytedeco/cuda/linux-x86_64/";
    private static final List<String> LIBRARIES = List.of("libnvrtc-builtins.so.12.9", "libnvrtc.so.12");
    private static final List<String> OPTIONS = List.of("--std=c++17", "--generate-line-info");

    private final Path work;
    private boolean loaded;

    /** @param work the folder to which the libraries are copied */
    Nvrtc(Path work) {
        this.work = work;
    }

    /** Identifies the libraries, the options and this class, which calls the compiler. */
    String identity() throws IOException {
        StringBuilder identity = new StringBuilder(OPTIONS.toString());
        for (String library : LIBRARIES) {
            identity.append(' ').append(library).append(' ').append(versionOf(library));
        }
        try (InputStream own = Nvrtc.class.getResourceAsStream("Nvrtc.class")) {
            CRC32 crc = new CRC32();
            crc.update(own.readAllBytes());
            return identity.append(' ').append(Long.toHexString(crc.getValue())).toString();
        }
    }

    /** Returns the checksum and the size of a library, as stored in the library's jar. */
    private static String versionOf(String library) throws IOException {
        URL url = Nvrtc.class.getResource(FOLDER + library);
        if (url == null || !(url.openConnection() instanceof JarURLConnection connection)) {
            throw new IOException("No jar on the classpath contains " + FOLDER + library);
        }
        JarEntry entry = connection.getJarEntry();
        return Long.toHexString(entry.getCrc()) + "-" + entry.getSize();
    }

    /** Returns the compiled code, or null if the compiler printed errors. */
    byte[] compile(Compilation compilation) {
        try {
            load();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        nvrtcProgram program = new nvrtcProgram();
        try {
            String[] texts = compilation.headers().values().toArray(String[]::new);
            String[] names = compilation.headers().keySet().toArray(String[]::new);
            JNvrtc.nvrtcCreateProgram(program, compilation.text(), compilation.name(), names.length, texts, names);
            List<String> options = new ArrayList<>(OPTIONS);
            options.add("--gpu-architecture=" + compilation.target());
            int result = JNvrtc.nvrtcCompileProgram(program, options.size(), options.toArray(String[]::new));
            String[] log = new String[1];
            JNvrtc.nvrtcGetProgramLog(program, log);
            if (log[0] != null && !log[0].isBlank()) {
                System.err.println("[" + compilation.target() + "] " + log[0].strip());
            }
            if (result != nvrtcResult.NVRTC_SUCCESS) {
                System.err.println(compilation + ": " + JNvrtc.nvrtcGetErrorString(result));
                return null;
            }
            return code(program, compilation);
        } finally {
            JNvrtc.nvrtcDestroyProgram(program);
        }
    }

    private static byte[] code(nvrtcProgram program, Compilation compilation) {
        if (compilation.isPtx()) {
            String[] ptx = new String[1];
            JNvrtc.nvrtcGetPTX(program, ptx);
            return ptx[0].getBytes(StandardCharsets.UTF_8);
        }
        long[] size = new long[1];
        JNvrtc.nvrtcGetCUBINSize(program, size);
        byte[] cubin = new byte[Math.toIntExact(size[0])];
        JNvrtc.nvrtcGetCUBIN(program, cubin);
        return cubin;
    }

    /** Loads the libraries from one folder. JCuda's binding then finds NVRTC, because it is already loaded. */
    private synchronized void load() throws IOException {
        if (loaded) {
            return;
        }
        Path folder = work.resolve(versionOf(LIBRARIES.get(1))).toAbsolutePath();
        Files.createDirectories(folder);
        for (String library : LIBRARIES) {
            Path file = folder.resolve(library);
            if (!Files.exists(file)) {
                Path part = Files.createTempFile(folder, library, ".part");
                try (InputStream in = Nvrtc.class.getResourceAsStream(FOLDER + library)) {
                    Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
                }
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            }
            System.load(file.toString());
        }
        System.setProperty("java.io.tmpdir", folder.toString());
        JNvrtc.setExceptionsEnabled(false);
        loaded = true;
    }
}
