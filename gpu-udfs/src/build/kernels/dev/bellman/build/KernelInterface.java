package dev.bellman.build;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the interfaces of kernels from their PTX. */
final class KernelInterface {
    /** {@code .visible .entry name( .param .u64 name_param_0, .param .align 8 .b8 name_param_1[64] )} */
    private static final Pattern ENTRY = Pattern.compile("\\.visible \\.entry (\\w+)\\(([^)]*)\\)");

    private static final Pattern PARAMETER =
            Pattern.compile("\\.param(?: \\.align (\\d+))? \\.(\\w+)[^,\\[]*(?:\\[(\\d+)\\])?");

    /** PTX omits the value of a constant that is zero. */
    private static final Pattern CONSTANT =
            Pattern.compile("\\.const \\.align 8 \\.u64 for_host_(\\w+)(?: = (-?\\d+))?;");

    /** A constant in an anonymous namespace, whose name PTX mangles. */
    private static final Pattern HIDDEN = Pattern.compile("\\.u64 _Z\\w*for_host_(\\w+)E\\b");

    private KernelInterface() {}

    /**
     * Returns a line for each kernel, {@code kernel NAME TYPE...}, and one for each constant of
     * {@code common/host.cuh}, {@code constant NAME VALUE}. A type is a PTX type, such as {@code u64}, or
     * {@code struct:BYTES:ALIGNMENT}.
     *
     * @throws IllegalArgumentException if a constant is in a namespace
     */
    static String of(String ptx) {
        StringBuilder lines = new StringBuilder();
        Matcher entry = ENTRY.matcher(ptx);
        while (entry.find()) {
            lines.append("kernel ").append(entry.group(1));
            Matcher parameter = PARAMETER.matcher(entry.group(2));
            while (parameter.find()) {
                lines.append(' ')
                        .append(
                                parameter.group(3) == null
                                        ? parameter.group(2)
                                        : "struct:" + parameter.group(3) + ":" + parameter.group(1));
            }
            lines.append('\n');
        }
        Matcher hidden = HIDDEN.matcher(ptx);
        if (hidden.find()) {
            throw new IllegalArgumentException("move FOR_HOST(" + hidden.group(1) + ") out of its namespace");
        }
        Matcher constant = CONSTANT.matcher(ptx);
        while (constant.find()) {
            String value = constant.group(2) == null ? "0" : constant.group(2);
            lines.append("constant ")
                    .append(constant.group(1))
                    .append(' ')
                    .append(value)
                    .append('\n');
        }
        return lines.toString();
    }
}
