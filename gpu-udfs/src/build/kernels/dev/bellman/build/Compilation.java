package dev.bellman.build;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A source file, and the target for which it is compiled.
 *
 * @param name the source's path relative to its folder, with slashes; no other path affects the code
 * @param text the source
 * @param headers the headers that the source includes, directly or indirectly, by their names in the includes
 * @param target an architecture, such as {@code sm_90}, or {@link #PTX}
 * @param compiler identifies everything else that affects the code: the compiler, its version and options
 */
record Compilation(String name, String text, Map<String, String> headers, String target, String compiler) {
    /** The oldest supported architecture; {@code dev.bellman.cuda.CudaModule} has the same constant. */
    static final String PTX = "compute_75";

    private static final Pattern INCLUDE = Pattern.compile("(?m)^\\s*#include\\s+\"([^\"]+)\"");

    /** Returns the {@code headers} that a source includes, directly or indirectly. */
    static Map<String, String> included(String text, Map<String, String> headers) {
        Map<String, String> included = new TreeMap<>();
        include(text, headers, included);
        return included;
    }

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

    boolean isPtx() {
        return target.equals(PTX);
    }

    String outputName() {
        return base() + "." + target + (isPtx() ? ".ptx.zst" : ".cubin.zst");
    }

    String interfaceName() {
        return base() + ".interface";
    }

    private String base() {
        return name.substring(0, name.length() - ".cu".length());
    }

    /**
     * Estimates the compilation time from the number of characters; compiling to machine code takes longer than
     * compiling to PTX.
     */
    long size() {
        long characters = text.length()
                + headers.values().stream().mapToLong(String::length).sum();
        return isPtx() ? characters : 2 * characters;
    }

    /** Returns the SHA-256 of everything that affects the code, in hexadecimal digits. */
    String fingerprint() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            add(digest, compiler);
            add(digest, target);
            add(digest, name);
            add(digest, text);
            headers.forEach((header, content) -> {
                add(digest, header);
                add(digest, content);
            });
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Adds each part's length first, so that different lists of parts have different digests. */
    private static void add(MessageDigest digest, String part) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + "\n").getBytes(StandardCharsets.US_ASCII));
        digest.update(bytes);
    }

    @Override
    public String toString() {
        return name + " (" + target + ")";
    }
}
