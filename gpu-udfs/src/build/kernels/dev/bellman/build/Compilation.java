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
 * A source and a target to compile it for.
 *
 * @param name the path of the source below its folder, with slashes: the only path that enters the code
 * @param text the source
 * @param headers the headers that the source includes, directly or through others, by the names that it includes
 * @param target an architecture, such as {@code sm_90}, or {@link #PTX}
 * @param compiler identifies all else on which the code depends: compiler, version and options
 */
record Compilation(String name, String text, Map<String, String> headers, String target, String compiler) {
    /** The oldest GPUs that run the kernels; {@code dev.bellman.cuda.CudaModule} repeats it. */
    static final String PTX = "compute_75";

    private static final Pattern INCLUDE = Pattern.compile("(?m)^\\s*#include\\s+\"([^\"]+)\"");

    /** Returns those of {@code headers} that a source includes, directly or through others. */
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
        return base() + "." + target + (isPtx() ? ".ptx" : ".cubin");
    }

    String interfaceName() {
        return base() + ".interface";
    }

    private String base() {
        return name.substring(0, name.length() - ".cu".length());
    }

    /** Characters to compile, an estimate of the time that this takes: machine code takes longer than PTX. */
    long size() {
        long characters = text.length()
                + headers.values().stream().mapToLong(String::length).sum();
        return isPtx() ? characters : 2 * characters;
    }

    /** Returns the SHA-256 of everything on which the code depends, in hexadecimal digits. */
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

    /** The length goes first, so that no two lists of parts are one text. */
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
