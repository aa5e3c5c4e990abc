package dev.bellman.job.output;

import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The run that holds a lock, as recorded in the lock file.
 *
 * @param machine the host, with its boot id and process namespace, which distinguish machines and containers that have
 *     the same name
 * @param started the time at which the process started, in milliseconds; it is needed because systems reuse process ids
 * @param since when the run began to acquire the lock
 */
record LockOwner(String run, String host, String machine, long pid, long started, Instant since) {
    /** The runs that this process has begun and not ended. */
    private static final Set<String> RUNS = ConcurrentHashMap.newKeySet();

    /**
     * The maximum amount by which the system clock may be adjusted while a process runs. Such an adjustment shifts the
     * start time of the process.
     */
    private static final Duration CLOCK = Duration.ofSeconds(10);

    /** Begins a new run of this process. */
    static LockOwner begin() {
        String run = UUID.randomUUID().toString();
        RUNS.add(run);
        ProcessHandle process = ProcessHandle.current();
        return new LockOwner(run, hostName(), machineName(), process.pid(), started(process), Instant.now());
    }

    void end() {
        RUNS.remove(run);
    }

    /** Whether this process is able to check whether the owner is alive. */
    boolean ofThisMachine() {
        return machine.equals(machineName());
    }

    /** Whether the owner is alive; the owner must be on this machine. */
    boolean lives() {
        if (pid == ProcessHandle.current().pid()) {
            return RUNS.contains(run);
        }
        return ProcessHandle.of(pid)
                .filter(process -> Math.abs(started(process) - started) <= CLOCK.toMillis() && !isZombie())
                .isPresent();
    }

    private static long started(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /** Whether the process has ended, but its parent has not collected its exit code yet. */
    private boolean isZombie() {
        try {
            String status = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return status.charAt(status.lastIndexOf(')') + 2) == 'Z';
        } catch (IOException e) {
            return false;
        }
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private static String machineName() {
        try {
            return hostName() + " "
                    + Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                            .strip() + " "
                    + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
        } catch (IOException e) {
            return hostName();
        }
    }

    String text() {
        return """
                run=%s
                host=%s
                machine=%s
                pid=%s
                started=%s
                since=%s
                """.formatted(run, host, machine, pid, started, since);
    }

    /** Parses the owner of a lock; empty if the text is incomplete. */
    static Optional<LockOwner> parse(String text) {
        Properties values = new Properties();
        try {
            values.load(new StringReader(text));
            return Optional.of(new LockOwner(
                    values.getProperty("run"),
                    values.getProperty("host"),
                    values.getProperty("machine"),
                    Long.parseLong(values.getProperty("pid")),
                    Long.parseLong(values.getProperty("started")),
                    Instant.parse(values.getProperty("since"))));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }
}
