package dev.bellman.job.text;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** Damages files as disks, editors and other programs do, based on a seed. */
public final class Mutations {
    private static final String[] PIECES = {
        "\n", "\r", "\r\n", "\n\n", "\"", "\"\"", ",", "\t", "{", "}", "[", "]", ":", "\\", ">", "@", "+", " ", "\0",
        "null", "\u00e4", "\ufeff", "{}", "\"\n\"", "'", ";", "#", "\u0085", "\u2028"
    };

    private Mutations() {}

    public static byte[] mutate(byte[] file, Random random) {
        byte[] mutated = file;
        int steps = 1 + random.nextInt(3);
        for (int i = 0; i < steps; i++) {
            mutated = step(mutated, random);
        }
        return mutated;
    }

    private static byte[] step(byte[] file, Random random) {
        if (file.length == 0) {
            return piece(random);
        }
        int at = random.nextInt(file.length);
        int until = Math.min(file.length, at + 1 + random.nextInt(12));
        switch (random.nextInt(11)) {
            case 0 -> {
                byte[] flipped = file.clone();
                flipped[at] ^= (byte) (1 << random.nextInt(8));
                return flipped;
            }
            case 1 -> {
                byte[] changed = file.clone();
                changed[at] = (byte) random.nextInt(256);
                return changed;
            }
            case 2 -> {
                return joined(Arrays.copyOf(file, at), Arrays.copyOfRange(file, until, file.length));
            }
            case 3 -> {
                return joined(Arrays.copyOf(file, until), Arrays.copyOfRange(file, at, file.length));
            }
            case 4 -> {
                return Arrays.copyOf(file, at);
            }
            case 5 -> {
                return joined(file, Arrays.copyOfRange(file, at, until));
            }
            case 6 -> {
                byte[] zeros = file.clone();
                Arrays.fill(zeros, at, Math.min(file.length, at + 1 + random.nextInt(100)), (byte) 0);
                return zeros;
            }
            case 7 -> {
                return new String(file, StandardCharsets.ISO_8859_1)
                        .replace("\n", random.nextBoolean() ? "\r" : "\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1);
            }
            default -> {
                return joined(Arrays.copyOf(file, at), piece(random), Arrays.copyOfRange(file, at, file.length));
            }
        }
    }

    private static byte[] piece(Random random) {
        return PIECES[random.nextInt(PIECES.length)].getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }

    /** Returns a file with a few records, which have the columns id, a and b, or similar columns. */
    public static byte[] file(String format, Random random) {
        StringBuilder file = new StringBuilder(
                switch (format) {
                    case "csv" -> "id,a,b\n";
                    case "tsv" -> "id\ta\tb\n";
                    default -> "";
                });
        int records = 1 + random.nextInt(12);
        for (int i = 0; i < records; i++) {
            String a = word(random);
            String b = word(random);
            switch (format) {
                case "fasta" -> file.append(">r%d %s\n%s\n%s\n".formatted(i, a, a, b));
                case "fastq" -> file.append("@r%d\n%s\n+\n%s\n".formatted(i, a, "I".repeat(a.length())));
                case "csv" ->
                    file.append(
                            "%d,%s,%s\n".formatted(i, a, random.nextBoolean() ? b : "\"%s\"\"%s\"".formatted(b, a)));
                case "tsv" -> file.append("%d\t%s\t%s\n".formatted(i, a, b));
                case "json" -> file.append("{\"id\": \"%d\", \"a\": \"%s\", \"b\": \"%s\"}\n".formatted(i, a, b));
                default -> throw new IllegalArgumentException(format);
            }
        }
        return file.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String word(Random random) {
        StringBuilder word = new StringBuilder();
        for (int i = random.nextInt(10); i >= 0; i--) {
            word.append("ACGT".charAt(random.nextInt(4)));
        }
        return word.toString();
    }
}
