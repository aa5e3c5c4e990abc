package dev.bellman.job.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
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

    /** Returns the description as JSON. Sorts the keys of maps without a defined order, such as {@link Map#of}. */
    public static String json(Map<String, Object> description) {
        try {
            return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(ordered(description)) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object ordered(Object value) {
        if (value instanceof Map<?, ?> map) {
            boolean hasOrder = map instanceof LinkedHashMap || map instanceof SortedMap;
            Map<Object, Object> ordered = hasOrder ? new LinkedHashMap<>() : new TreeMap<>();
            map.forEach((key, each) -> ordered.put(key, ordered(each)));
            return ordered;
        }
        return value instanceof List<?> list
                ? list.stream().map(Descriptions::ordered).toList()
                : value;
    }
}
