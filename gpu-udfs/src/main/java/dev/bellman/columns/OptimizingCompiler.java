package dev.bellman.columns;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.function.Function;

/**
 * Checks whether this process has HotSpot's optimizing compiler, C2. The interpreter and the compiler C1 execute calls
 * of the module {@code jdk.incubator.vector} without vector instructions, and allocate objects for their results.
 */
final class OptimizingCompiler {
    /** The level of {@code -XX:TieredStopAtLevel} at which C2 compiles. */
    private static final int LEVEL = 4;

    private OptimizingCompiler() {}

    /** Whether C2 compiles code in this process. */
    static boolean isPresent() {
        return isPresent(System.getProperty("java.vm.name", ""), System.getProperty("java.vm.info", ""), options());
    }

    /**
     * Whether C2 compiles code.
     *
     * @param name the system property {@code java.vm.name}
     * @param info the system property {@code java.vm.info}
     * @param options returns the value of a HotSpot option; empty if the option is unknown
     */
    static boolean isPresent(String name, String info, Function<String, Optional<String>> options) {
        // HotSpot's other variants, such as the client VM, and other virtual machines have no C2
        return name.endsWith("Server VM")
                // -client and CompilationMode=quick-only may leave the level at its default
                && !info.contains("emulated-client")
                && !info.contains("interpreted")
                && isOn("UseCompiler", options, true)
                && !isOn("UseJVMCICompiler", options, false)
                && (!isOn("TieredCompilation", options, true) || level(options) >= LEVEL);
    }

    private static boolean isOn(String option, Function<String, Optional<String>> options, boolean byDefault) {
        return options.apply(option).map(Boolean::parseBoolean).orElse(byDefault);
    }

    private static int level(Function<String, Optional<String>> options) {
        return options.apply("TieredStopAtLevel").map(Integer::valueOf).orElse(LEVEL);
    }

    /**
     * Returns a function that looks up the values of options. It finds no option if this process cannot read its own.
     */
    private static Function<String, Optional<String>> options() {
        try {
            HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
            return bean == null ? option -> Optional.empty() : option -> option(bean, option);
        } catch (LinkageError | IllegalArgumentException | SecurityException e) {
            return option -> Optional.empty();
        }
    }

    private static Optional<String> option(HotSpotDiagnosticMXBean bean, String option) {
        try {
            return Optional.ofNullable(bean.getVMOption(option).getValue());
        } catch (IllegalArgumentException | SecurityException e) {
            return Optional.empty();
        }
    }
}
