package dev.bellman.job.text;

import org.apache.spark.unsafe.types.UTF8String;

/**
 * Parses FASTA (Pearson and Lipman 1988), in which a record consists of a header that starts with {@code >}, followed
 * by the sequence on any number of lines. A part of a file yields those records whose headers start in it. The last of
 * these records may end beyond the part.
 */
final class FastaParser implements SequenceParser {
    private final TextInput input;
    private final long end;
    private final boolean wantsSequence;
    private final boolean upperCase;
    private final Header header = new Header();
    private final ByteBuilder sequence = new ByteBuilder();
    private boolean started;

    FastaParser(TextInput input, long end, SequenceLayout layout) {
        this.input = input;
        this.end = end;
        this.wantsSequence = layout.has(SequenceColumn.SEQUENCE);
        this.upperCase = layout.upperCase();
    }

    @Override
    public boolean next() {
        if (!started) {
            started = true;
            if (!start()) {
                return false;
            }
        }
        if (!input.isBefore(end)) {
            return false;
        }
        header.read(input);
        sequence.clear();
        ByteBuilder target = wantsSequence ? sequence : null;
        for (int first = input.peek(); first >= 0 && first != '>'; first = input.peek()) {
            input.readLetters(target);
        }
        if ((long) header.length() + sequence.length() > input.maximumRecordBytes()) {
            throw input.tooLarge();
        }
        if (!sequence.isUtf8()) {
            throw input.malformedRecord("the sequence is not UTF-8; set the encoding in the input options");
        }
        if (upperCase) {
            sequence.toUpperCase();
        }
        return true;
    }

    @Override
    public UTF8String value(SequenceColumn column) {
        return switch (column) {
            case ID -> header.id();
            case DESCRIPTION -> header.description();
            case SEQUENCE -> sequence.view();
            case QUALITY -> throw new IllegalArgumentException("FASTA has no qualities");
        };
    }

    /**
     * Moves to the first header. Returns false if reading starts in the middle of the file, and this part of the file
     * contains no header.
     */
    private boolean start() {
        input.skipToFirstLine();
        if (input.startsInside()) {
            while (input.isBefore(end) && input.peek() != '>') {
                input.skipLine();
            }
            return input.isBefore(end);
        }
        while (input.peek() >= 0 && input.peek() != '>') {
            String place = input.place();
            if (input.readLetters(null) > 0) {
                throw input.malformed(place, "found text before the first header; expected a line with '>' and an id");
            }
        }
        return true;
    }
}
