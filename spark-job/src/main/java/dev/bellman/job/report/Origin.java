package dev.bellman.job.report;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.Map;

/** When a run began, and by which command. */
public record Origin(Instant started, String command) {
    /** The run is over: adds when and where it ran to a report. */
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
            return "a host without a name";
        }
    }
}
