package dev.bellman.job;

import java.util.ArrayList;
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
import picocli.CommandLine.Option;

/** The flags of {@code run} that stand for keys of the job file. They are laid over its nodes, and read as they are. */
final class JobFlags {
    @Option(names = "--name", paramLabel = "NAME", description = "name of the job")
    String name;

    @Option(names = "--problem", paramLabel = "PROBLEM", description = "problem to solve, see `bellman functions`")
    String problem;

    @Option(names = "--results", split = ",", paramLabel = "FUNCTION", description = "functions whose results to write")
    List<String> results;

    @Option(
            names = "--argument",
            paramLabel = "EXPRESSION",
            description = "column or SQL expression of an argument; repeat for each")
    List<String> arguments;

    @Option(names = "--parameter", paramLabel = "NAME=VALUE", description = "scalar parameter, such as max=10")
    Map<String, String> parameters;

    @Option(names = "--input", paramLabel = "PATH", description = "input file, folder or pattern; may be repeated")
    List<String> input;

    @Option(
            names = "--input-format",
            paramLabel = "FORMAT",
            description = "parquet, orc, csv, tsv, json, fasta or fastq; by default what the extension says")
    String inputFormat;

    @Option(names = "--input-option", paramLabel = "KEY=VALUE", description = "option for the reader of the input")
    Map<String, String> inputOptions;

    @Option(names = "--targets", paramLabel = "PATH", description = "second input, for --pairing cross")
    List<String> targets;

    @Option(names = "--targets-format", paramLabel = "FORMAT", description = "format of the targets")
    String targetsFormat;

    @Option(names = "--targets-option", paramLabel = "KEY=VALUE", description = "option for the reader of the targets")
    Map<String, String> targetsOptions;

    @Option(names = "--pairing", paramLabel = "PAIRING", description = "columns, cross or all-vs-all")
    String pairing;

    @Option(names = "--id", paramLabel = "COLUMN", description = "column that identifies a row")
    String id;

    @Option(names = "--keep", split = ",", paramLabel = "COLUMN", description = "other columns to keep")
    List<String> keep;

    @Option(
            names = "--output",
            paramLabel = "PATH",
            description = "folder of the results; of a file with several jobs, the folder that holds theirs")
    String output;

    @Option(names = "--output-format", paramLabel = "FORMAT", description = "parquet, orc, csv, tsv or json")
    String outputFormat;

    @Option(names = "--output-option", paramLabel = "KEY=VALUE", description = "option for the writer")
    Map<String, String> outputOptions;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "where the output exists: error, overwrite, overwrite-force, append, ignore")
    String mode;

    @Option(names = "--partitions", paramLabel = "COUNT", description = "partitions to compute and files to write")
    String partitions;

    @Option(
            names = "--max-records-per-file",
            paramLabel = "COUNT",
            description = "start another file after so many rows")
    String maxRecordsPerFile;

    @Option(names = "--engine", paramLabel = "ENGINE", description = "auto, gpu or cpu")
    String engine;

    @Option(
            names = "--strategy",
            paramLabel = "STRATEGY",
            description = "strategy of the problem, see `bellman functions`")
    String strategy;

    @Option(names = "--bad-rows", paramLabel = "WHAT", description = "fail, null or quarantine")
    String badRows;

    /**
     * A document with these flags laid over it.
     *
     * @param nameInFolder the name of a job that is one of several: {@code --output} is then the folder of them all
     */
    Node over(Node document, Optional<String> nameInFolder) {
        List<NodeTuple> flags = new ArrayList<>();
        add(flags, "name", "--name", name);
        add(flags, "problem", "--problem", problem);
        add(flags, "results", "--results", results);
        add(flags, "arguments", "--argument", arguments);
        add(flags, "parameters", "--parameter", parameters);
        List<NodeTuple> source = new ArrayList<>();
        add(source, "path", "--input", input);
        add(source, "format", "--input-format", inputFormat);
        add(source, "options", "--input-option", inputOptions);
        add(flags, "input", "--input", source);
        List<NodeTuple> target = new ArrayList<>();
        add(target, "path", "--targets", targets);
        add(target, "format", "--targets-format", targetsFormat);
        add(target, "options", "--targets-option", targetsOptions);
        add(flags, "targets", "--targets", target);
        add(flags, "pairing", "--pairing", pairing);
        add(flags, "id", "--id", id);
        add(flags, "keep", "--keep", keep);
        List<NodeTuple> sink = new ArrayList<>();
        add(
                sink,
                "path",
                "--output",
                nameInFolder.isPresent() && output != null ? inFolder(document, nameInFolder.get()) : output);
        add(sink, "format", "--output-format", outputFormat);
        add(sink, "options", "--output-option", outputOptions);
        add(sink, "mode", "--mode", mode);
        add(sink, "partitions", "--partitions", partitions);
        add(sink, "maxRecordsPerFile", "--max-records-per-file", maxRecordsPerFile);
        add(flags, "output", "--output", sink);
        add(flags, "engine", "--engine", engine);
        add(flags, "strategy", "--strategy", strategy);
        add(flags, "badRows", "--bad-rows", badRows);
        return over(document, flags);
    }

    private String inFolder(Node document, String defaultName) {
        String jobName = defaultName;
        if (document instanceof MappingNode mapping) {
            for (NodeTuple tuple : mapping.getValue()) {
                if (key(tuple).equals("name") && tuple.getValueNode() instanceof ScalarNode scalar) {
                    jobName = scalar.getValue();
                }
            }
        }
        return output + "/" + jobName;
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

    private static void add(List<NodeTuple> tuples, String key, String flag, String value) {
        if (value != null) {
            tuples.add(new NodeTuple(scalar(key, flag), scalar(value, flag)));
        }
    }

    private static void add(List<NodeTuple> tuples, String key, String flag, Map<String, String> values) {
        if (values != null) {
            List<NodeTuple> entries = new ArrayList<>();
            values.forEach((name, value) -> add(entries, name, flag, value));
            tuples.add(new NodeTuple(scalar(key, flag), mapping(entries, flag)));
        }
    }

    private static void add(List<NodeTuple> tuples, String key, String flag, List<?> values) {
        if (values == null || values.isEmpty()) {
            return;
        }
        if (values.get(0) instanceof NodeTuple) {
            List<NodeTuple> entries = values.stream().map(NodeTuple.class::cast).toList();
            tuples.add(new NodeTuple(scalar(key, flag), mapping(entries, flag)));
            return;
        }
        List<Node> items = values.stream()
                .map(value -> (Node) scalar((String) value, flag))
                .toList();
        tuples.add(new NodeTuple(
                scalar(key, flag),
                new SequenceNode(Tag.SEQ, true, items, mark(flag), mark(flag), DumperOptions.FlowStyle.FLOW)));
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
