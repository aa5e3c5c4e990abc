package dev.bellman.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;

/** The constants that kernels export to the host, for tests of the classes that mirror them. */
public final class KernelConstants {
    private KernelConstants() {}

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
