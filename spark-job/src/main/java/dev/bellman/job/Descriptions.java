package dev.bellman.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** Maps of plain values as text. */
final class Descriptions {
    private Descriptions() {}

    static String yaml(Map<String, Object> description) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        return new Yaml(options).dump(description);
    }

    static String json(Map<String, Object> description) {
        try {
            return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(description) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
