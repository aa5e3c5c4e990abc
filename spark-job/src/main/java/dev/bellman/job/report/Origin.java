package dev.bellman.job.report;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.Map;

/** The time at which a run started, and its command. */
public record Origin(Instant started, String command) {
    /** Adds the times, host and command of a finished run to a report. */
    public void describe(Map<String, Object> report) {
        report.put("started", started.toString());
        report.put("finished", Instant.now().toString());
        report.put("host", host());
        report.put("command", command);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown host";
        }
    }
}
