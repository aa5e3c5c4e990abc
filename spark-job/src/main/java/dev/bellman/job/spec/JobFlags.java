package dev.bellman.job.spec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The command-line flags that set keys of the job file. They override values in the YAML nodes of the file, and are
 * then read in the same way.
 */
public final class JobFlags {
    /** The flags on a command line, in the order in which the table of keys lists them. */
    private final Map<JobKey<?>, Object> given = new LinkedHashMap<>();

    public JobFlags(ParseResult arguments) {
        for (JobKey<?> key : JobKeys.all()) {
            Object value = arguments.matchedOptionValue(key.flag(), null);
            if (value != null) {
                given.put(key, value);
            }
        }
    }

    /** Adds a flag for every key to a command. The help shows common flags in groups, and hides the others. */
    public static final class Options implements IModelTransformer {
        /** The maximum width of a flag and its value for which the help puts the description on the same line. */
        private static final int MAX_WIDTH = 32;

        /** Stands for the names that can be chosen. */
        private static final String CHOICES = "{choices}";

        private record Group(String heading, Map<JobKey<?>, String> flags) {}

        private static final List<Group> GROUPS = List.of(
                group(
                        "The problem",
                        JobKeys.PROBLEM,
                        CommandName.in("the problem to solve; submit/bellman functions lists most of them"),
                        JobKeys.RESULTS,
                        "functions of the problem; each becomes an output column",
                        JobKeys.ARGUMENTS,
                        "a column or an SQL expression; one flag per argument",
                        JobKeys.PARAMETERS,
                        "a parameter of the functions, such as max=10",
                        JobKeys.STRATEGY,
                        "the algorithm to use instead of auto"),
                group(
                        "The input",
                        JobKeys.INPUT_PATH,
                        "a file, a folder or a pattern; the extension selects the format",
                        JobKeys.INPUT_FORMAT,
                        CHOICES,
                        JobKeys.INPUT_WHERE,
                        "an SQL condition on the rows to read",
                        JobKeys.ID,
                        "the column that identifies a row (default: id)",
                        JobKeys.KEEP,
                        "other columns for the output"),
                group(
                        "Pairs of rows",
                        JobKeys.TARGETS_PATH,
                        "a second input to pair with the first",
                        JobKeys.PAIRING,
                        CHOICES,
                        JobKeys.MAX_DISTANCE,
                        "the maximum distance for within or nearest",
                        JobKeys.TOP,
                        "the number of targets to return for each row",
                        JobKeys.OUTPUT_WHERE,
                        "an SQL condition on the results that selects the rows to write"),
                group(
                        "The output",
                        JobKeys.OUTPUT_PATH,
                        "the folder to create",
                        JobKeys.OUTPUT_FORMAT,
                        CHOICES,
                        JobKeys.OUTPUT_MODE,
                        CHOICES,
                        JobKeys.ON_BAD_ROW,
                        CHOICES,
                        JobKeys.OUTPUT_PARTS,
                        "the number of parts to solve in turn; --resume skips finished parts"),
                group(
                        "Computation",
                        JobKeys.ENGINE,
                        CHOICES,
                        JobKeys.VERIFY,
                        "verify this share of the rows with a different strategy"));

        /** @param flags the section's keys, each with its line in the help */
        private static Group group(String heading, Object... flags) {
            Map<JobKey<?>, String> lines = new LinkedHashMap<>();
            for (int i = 0; i < flags.length; i += 2) {
                JobKey<?> key = (JobKey<?>) flags[i];
                lines.put(key, ((String) flags[i + 1]).replace(CHOICES, choices(key)));
            }
            return new Group(heading, lines);
        }

        /** Returns the names that can be chosen, such as {@code fail (default), null or quarantine}. */
        private static String choices(JobKey<?> key) {
            return key.type().choices().stream()
                    .map(name -> key.defaultText().equals("`" + name + "`") ? name + " (default)" : name)
                    .collect(Collectors.joining(", "))
                    .replaceFirst(", ([^,]*)$", " or $1");
        }

        @Override
        public CommandSpec transform(CommandSpec command) {
            command.usageMessage().longOptionsMaxWidth(MAX_WIDTH);
            Set<JobKey<?>> hidden = new LinkedHashSet<>(JobKeys.all());
            int order = 0;
            for (Group group : GROUPS) {
                ArgGroupSpec.Builder shown = ArgGroupSpec.builder()
                        .heading("%n" + group.heading + "%n")
                        .validate(false)
                        .order(order++);
                group.flags.forEach((key, line) ->
                        shown.addArg(option(key).description(line).build()));
                command.addArgGroup(shown.build());
                hidden.removeAll(group.flags.keySet());
            }
            hidden.forEach(key -> command.addOption(option(key).hidden(true).build()));
            return command;
        }

        private static OptionSpec.Builder option(JobKey<?> key) {
            OptionSpec.Builder option = OptionSpec.builder(key.flag()).paramLabel(key.label());
            return switch (key.type().shape()) {
                case VALUE -> option.type(String.class);
                case SWITCH -> option.type(Boolean.class).arity("0");
                case LIST -> option.type(List.class).auxiliaryTypes(String.class);
                case NAMES ->
                    option.type(List.class)
                            .auxiliaryTypes(String.class)
                            .splitRegex(",")
                            .hideParamSyntax(true);
                case MAP -> option.type(Map.class).auxiliaryTypes(String.class, String.class);
            };
        }
    }

    /**
     * Returns a document in which the values of these flags replace those of the given document.
     *
     * @param nameInFolder the name of the job if the file has several jobs; in that case, {@code --output} is the
     *     parent folder of all outputs
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
