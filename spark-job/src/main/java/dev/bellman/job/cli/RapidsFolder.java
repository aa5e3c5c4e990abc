package dev.bellman.job.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Unpacks the jar of the RAPIDS Accelerator for one Spark version (see {@code submit/rapids-folder.sh}). In this jar,
 * the folder {@code spark-shared} contains the classes for all Spark versions, and a folder such as {@code spark413}
 * contains those for one version. RAPIDS also accepts a jar in which all of these classes are in their usual places.
 */
final class RapidsFolder {
    private static final String LIBRARIES = "amd64/Linux/";
    private static final String SHARED = "spark-shared/";

    private final ZipFile jar;
    private final Set<String> written = new HashSet<>();

    private RapidsFolder(ZipFile jar) {
        this.jar = jar;
    }

    /** @param arguments the jar, the Spark version, such as 4.1.3, and the folder to create */
    public static void main(String[] arguments) throws IOException {
        unpack(Path.of(arguments[0]), arguments[1], Path.of(arguments[2]));
    }

    static void unpack(Path jar, String version, Path folder) throws IOException {
        Files.createDirectory(folder);
        String own = "spark" + version.replace(".", "") + "/";
        try (ZipFile opened = new ZipFile(jar.toFile())) {
            if (opened.stream().noneMatch(entry -> entry.getName().startsWith(own))) {
                throw new IOException("%s has no classes for Spark %s".formatted(jar, version));
            }
            RapidsFolder rapids = new RapidsFolder(opened);
            rapids.libraries(folder);
            try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(folder.resolve(jar.getFileName())))) {
                // the version's folder contains its own list of supported versions, which replaces the common list
                for (String prefix : List.of(own, "", SHARED)) {
                    rapids.classes(prefix, out);
                }
            }
        }
    }

    private void libraries(Path folder) throws IOException {
        for (ZipEntry entry : Collections.list(jar.entries())) {
            String name = entry.getName();
            if (name.startsWith(LIBRARIES) && name.endsWith(".so")) {
                try (InputStream in = jar.getInputStream(entry)) {
                    Files.copy(in, folder.resolve(name.substring(LIBRARIES.length())));
                }
            }
        }
    }

    /** Writes the files in a folder of the jar or, if the prefix is empty, all files outside the folders of classes. */
    private void classes(String prefix, ZipOutputStream out) throws IOException {
        for (ZipEntry entry : Collections.list(jar.entries())) {
            String name = entry.getName();
            boolean inside =
                    prefix.isEmpty() ? !name.matches("(spark[^/]*/|" + LIBRARIES + ").*") : name.startsWith(prefix);
            if (inside && !entry.isDirectory() && written.add(name.substring(prefix.length()))) {
                ZipEntry copy = new ZipEntry(name.substring(prefix.length()));
                // uncompressed classes load faster
                copy.setMethod(ZipEntry.STORED);
                copy.setSize(entry.getSize());
                copy.setCrc(entry.getCrc());
                out.putNextEntry(copy);
                try (InputStream in = jar.getInputStream(entry)) {
                    in.transferTo(out);
                }
            }
        }
    }
}
