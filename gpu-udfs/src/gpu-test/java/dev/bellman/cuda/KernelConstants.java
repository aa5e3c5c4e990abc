package dev.bellman.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;

/** The constants that kernels export to the host, for tests of classes that mirror them. */
public final class KernelConstants {
    /** The number of bytes of shared memory that a block may use on every GPU unless a kernel raises this limit. */
    private static final int SHARED_BYTES = 48 << 10;

    private KernelConstants() {}

    /**
     * Asserts that every GPU can group rows into these classes: {@code instances_count} needs two integers of shared
     * memory for each class, and two for the rows that the CPU solves.
     *
     * @param name the constant that contains the number of length classes
     * @param kinds the maximum number of kinds of rows, each of which has a class for every length
     */
    public static void assertFewClasses(String source, String name, int kinds) {
        int classes = ModuleInterface.of(source).constant(name) * kinds;
        assertThat(2 * Integer.BYTES * (classes + 1)).isLessThanOrEqualTo(SHARED_BYTES);
    }

    /**
     * Asserts that a record has the layout of the struct that a source declares {@code STRUCT_FOR_HOST}, member by
     * member.
     */
    public static void assertSameLayout(String source, String structName, Class<? extends Record> type) {
        ModuleInterface declared = ModuleInterface.of(source);
        Struct<?> struct = Struct.of(type);
        assertThat(struct.bytes()).as(structName).isEqualTo(declared.constant(structName));
        for (String member : struct.members()) {
            String name =
                    structName + "__" + member.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
            assertThat(struct.offset(member)).as(name).isEqualTo(declared.constant(name));
        }
        assertThat(declared.constants().stream().filter(name -> name.startsWith(structName + "__")))
                .hasSameSizeAs(struct.members());
    }
}
