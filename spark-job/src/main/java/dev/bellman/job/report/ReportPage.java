package dev.bellman.job.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Renders a report as a self-contained page: inserts the report's JSON into a template. */
public final class ReportPage {
    private static final String PLACE = "\"the report\"";

    private ReportPage() {}

    /** @param json the report */
    public static String of(String json) {
        // escape the JSON, so that no text in the report can end the script or begin markup
        return template().replace(PLACE, json.replace("<", "\\u003c").replace("\u2028", "\\u2028"));
    }

    private static String template() {
        try (InputStream stream = ReportPage.class.getResourceAsStream("report.html")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
