package dev.bellman.job.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** Formats descriptions, which are maps of plain values. */
public final class Descriptions {
    private Descriptions() {}

    public static String yaml(Map<String, Object> description) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        return new Yaml(options).dump(description);
    }

    /**
     * Returns a string that is the same for two descriptions if and only if the descriptions are equal. Sorts the keys,
     * because the order in the JDK's maps may differ from process to process.
     */
    static String digest(Map<String, Object> description) {
        try {
            byte[] text = new ObjectMapper()
                    .configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true)
                    .writeValueAsBytes(description);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (JsonProcessingException | NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String json(Map<String, Object> description) {
        try {
            return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(description) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
