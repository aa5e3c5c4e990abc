package dev.bellman.job.text;

import org.apache.spark.unsafe.types.UTF8String;

/**
 * Parses FASTQ (Cock, Fields, Goto, Heuer and Rice 2010), in which a record consists of a header that starts with
 * {@code @}, the sequence on any number of lines, a line that starts with {@code +}, and lines with as many quality
 * values as the sequence has letters. Only this number determines where the quality values end, because their lines may
 * also start with {@code @} or {@code +}.
 */
final class FastqParser implements SequenceParser {
    private final TextInput input;
    private final boolean wantsSequence;
    private final boolean wantsQuality;
    private final boolean upperCase;
    private final Header header = new Header();
    private final ByteBuilder sequence = new ByteBuilder();
    private final ByteBuilder quality = new ByteBuilder();
    private boolean started;

    FastqParser(TextInput input, SequenceLayout layout) {
        this.input = input;
        this.wantsSequence = layout.has(SequenceColumn.SEQUENCE);
        this.wantsQuality = layout.has(SequenceColumn.QUALITY);
        this.upperCase = layout.upperCase();
    }

    @Override
    public boolean next() {
        if (!started) {
            started = true;
            input.skipByteOrderMark();
        }
        if (!goToHeader()) {
            return false;
        }
        header.read(input);
        sequence.clear();
        quality.clear();
        long letters = 0;
        int lines = 0;
        for (int first = input.peek(); first != '+'; first = input.peek()) {
            if (first < 0) {
                throw truncated("a line that starts with '+'");
            }
            if (first == '@') {
                throw input.malformed(
                        input.place(),
                        "the record " + header.id()
                                + " has no '+' line before the next '@'; expected a line with '+', then a line "
                                + "of qualities");
            }
            long count = input.readLetters(wantsSequence ? sequence : null);
            letters += count;
            lines += count > 0 ? 1 : 0;
        }
        input.skipLine();
        readQuality(letters, lines == 1);
        if ((long) header.length() + sequence.length() + quality.length() > input.maximumRecordBytes()) {
            throw input.tooLarge();
        }
        if (!sequence.isUtf8() || !quality.isUtf8()) {
            throw input.malformedRecord(
                    "the sequence or its qualities are not UTF-8; set the encoding in the input options");
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
            case QUALITY -> quality.view();
        };
    }

    /** Moves to the next header; returns false at the end of the file. */
    private boolean goToHeader() {
        for (int first = input.peek(); first != '@'; first = input.peek()) {
            if (first < 0) {
                return false;
            }
            String place = input.place();
            if (input.readLetters(null) > 0) {
                throw input.malformed(
                        place,
                        "found '" + (char) first + "' at the start of a record; expected a line with '@' and an id");
            }
        }
        return true;
    }

    private void readQuality(long letters, boolean oneLine) {
        long qualities = 0;
        long firstLine = 0;
        String place = input.place();
        while (qualities < letters) {
            if (input.peek() < 0) {
                throw truncated(letters + " qualities, found " + qualities);
            }
            if (firstLine == 0) {
                place = input.place();
            }
            long count = input.readLetters(wantsQuality ? quality : null);
            firstLine = firstLine == 0 ? count : firstLine;
            qualities += count;
        }
        if (qualities > letters) {
            // after a quality line that is too short, the loop has read on into the next record; if the sequence is on
            // a single line, only the first quality line belongs to this record
            long found = oneLine ? firstLine : qualities;
            throw input.malformed(
                    place,
                    "the record " + header.id() + " has " + found + " qualities for a sequence of " + letters
                            + " letters; the two numbers must be equal");
        }
    }

    private RuntimeException truncated(String expected) {
        return input.malformed(
                input.place(), "the file ends inside the record " + header.id() + "; expected " + expected);
    }
}
