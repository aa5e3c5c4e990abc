package dev.bellman.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** Prints maps of plain values. */
final class Descriptions {
    private Descriptions() {}

    static String yaml(Map<String, Object> description) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        return new Yaml(options).dump(description);
    }

    /** A text that is equal for two descriptions only if they are equal. */
    static String digest(Map<String, Object> description) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(json(description).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static String json(Map<String, Object> description) {
        try {
            return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(description) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
