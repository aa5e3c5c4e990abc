package dev.bellman.job.spec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The flags that stand for keys of the job file. They are overlaid on its nodes and read in the same way. */
public final class JobFlags {
    /** The flags given on a command line, in the order of the table. */
    private final Map<JobKey<?>, Object> given = new LinkedHashMap<>();

    public JobFlags(ParseResult arguments) {
        for (JobKey<?> key : JobKeys.all()) {
            Object value = arguments.matchedOptionValue(key.flag(), null);
            if (value != null) {
                given.put(key, value);
            }
        }
    }

    /** Adds a flag for every key to a command. */
    public static final class Options implements IModelTransformer {
        @Override
        public CommandSpec transform(CommandSpec command) {
            JobKeys.all().forEach(key -> command.addOption(option(key)));
            return command;
        }

        private static OptionSpec option(JobKey<?> key) {
            String otherwise = key.defaultText().isEmpty() ? "" : " (default: " + key.defaultText() + ")";
            OptionSpec.Builder option = OptionSpec.builder(key.flag())
                    .paramLabel(key.label())
                    .description(
                            JobDocument.plain(key.description() + otherwise).replace("%", "%%"));
            return switch (key.type().shape()) {
                case VALUE -> option.type(String.class).build();
                case SWITCH -> option.type(Boolean.class).arity("0").build();
                case LIST ->
                    option.type(List.class).auxiliaryTypes(String.class).build();
                case NAMES ->
                    option.type(List.class)
                            .auxiliaryTypes(String.class)
                            .splitRegex(",")
                            .build();
                case MAP ->
                    option.type(Map.class)
                            .auxiliaryTypes(String.class, String.class)
                            .build();
            };
        }
    }

    /**
     * A document overlaid with these flags.
     *
     * @param nameInFolder the name of a job that is one of several: {@code --output} is then the parent folder of all of them
     */
    Node over(Node document, Optional<String> nameInFolder) {
        Map<String, List<NodeTuple>> sections = new LinkedHashMap<>();
        List<NodeTuple> flags = new ArrayList<>();
        given.forEach((key, value) -> {
            Object own = key.equals(JobKeys.OUTPUT_PATH) && nameInFolder.isPresent()
                    ? value + "/" + name(document, nameInFolder.get())
                    : value;
            NodeTuple entry = new NodeTuple(scalar(key.name(), key.flag()), node(own, key.flag()));
            if (key.section().isEmpty()) {
                flags.add(entry);
            } else {
                sections.computeIfAbsent(key.section(), section -> new ArrayList<>())
                        .add(entry);
            }
        });
        sections.forEach((section, entries) -> {
            String flag = entries.get(0).getKeyNode().getStartMark().getName();
            flags.add(new NodeTuple(scalar(section, flag), mapping(entries, flag)));
        });
        return over(document, flags);
    }

    private String name(Node document, String defaultName) {
        Object flag = given.get(JobKeys.NAME);
        if (flag != null) {
            return (String) flag;
        }
        if (document instanceof MappingNode mapping) {
            for (NodeTuple tuple : mapping.getValue()) {
                if (key(tuple).equals(JobKeys.NAME.name()) && tuple.getValueNode() instanceof ScalarNode scalar) {
                    return scalar.getValue();
                }
            }
        }
        return defaultName;
    }

    private static Node over(Node document, List<NodeTuple> flags) {
        if (!(document instanceof MappingNode mapping) || flags.isEmpty()) {
            return document;
        }
        List<NodeTuple> merged = new ArrayList<>(mapping.getValue());
        for (NodeTuple flag : flags) {
            NodeTuple value = flag;
            for (NodeTuple old : mapping.getValue()) {
                if (key(old).equals(key(flag))) {
                    merged.remove(old);
                    if (flag.getValueNode() instanceof MappingNode inner) {
                        value = new NodeTuple(old.getKeyNode(), over(old.getValueNode(), inner.getValue()));
                    }
                }
            }
            merged.add(value);
        }
        return new MappingNode(
                Tag.MAP, true, merged, document.getStartMark(), document.getEndMark(), DumperOptions.FlowStyle.BLOCK);
    }

    private static String key(NodeTuple tuple) {
        return tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
    }

    private static Node node(Object value, String flag) {
        if (value instanceof List<?> list) {
            List<Node> items = list.stream().map(item -> node(item, flag)).toList();
            return new SequenceNode(Tag.SEQ, true, items, mark(flag), mark(flag), DumperOptions.FlowStyle.FLOW);
        }
        if (value instanceof Map<?, ?> map) {
            List<NodeTuple> entries = new ArrayList<>();
            map.forEach((name, text) -> entries.add(new NodeTuple(node(name, flag), node(text, flag))));
            return mapping(entries, flag);
        }
        return scalar(value.toString(), flag);
    }

    private static MappingNode mapping(List<NodeTuple> entries, String flag) {
        return new MappingNode(Tag.MAP, true, entries, mark(flag), mark(flag), DumperOptions.FlowStyle.BLOCK);
    }

    private static ScalarNode scalar(String value, String flag) {
        Tag tag = new Resolver().resolve(NodeId.scalar, value, true);
        return new ScalarNode(tag, value, mark(flag), mark(flag), DumperOptions.ScalarStyle.PLAIN);
    }

    private static Mark mark(String flag) {
        return new Mark(flag, 0, 0, 0, new int[0], 0);
    }
}
