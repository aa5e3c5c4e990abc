package dev.bellman.job.text;

import org.apache.spark.unsafe.types.UTF8String;

/** The header line of a record, which contains a mark, the id and, after the first blank, an optional description. */
final class Header {
    private final ByteBuilder text = new ByteBuilder();
    private int idEnd;
    private int descriptionStart;
    private int descriptionEnd;

    /** Reads the header whose mark is at the current position. */
    void read(TextInput input) {
        input.startRecord();
        text.clear();
        input.readLine(text);
        byte[] bytes = text.bytes();
        int end = text.length();
        for (int i = 0; i < end; i++) {
            if (bytes[i] >= 0 && bytes[i] < ' ' && bytes[i] != '\t') {
                throw input.malformedRecord(
                        "found the control character 0x%02x in a header; the file is damaged, or is not a text file"
                                .formatted(bytes[i]));
            }
        }
        if (!text.isUtf8()) {
            throw input.malformedRecord("the header is not UTF-8; set the encoding in the input options");
        }
        while (end > 1 && isBlank(bytes[end - 1])) {
            end--;
        }
        idEnd = 1;
        while (idEnd < end && !isBlank(bytes[idEnd])) {
            idEnd++;
        }
        descriptionStart = idEnd;
        while (descriptionStart < end && isBlank(bytes[descriptionStart])) {
            descriptionStart++;
        }
        descriptionEnd = end;
        if (idEnd == 1) {
            throw input.malformedRecord("the header '" + text.view() + "' has no id; expected '" + (char) bytes[0]
                    + "' and an id without a blank between them");
        }
    }

    int length() {
        return text.length();
    }

    UTF8String id() {
        return UTF8String.fromBytes(text.bytes(), 1, idEnd - 1);
    }

    UTF8String description() {
        return descriptionStart == descriptionEnd
                ? null
                : UTF8String.fromBytes(text.bytes(), descriptionStart, descriptionEnd - descriptionStart);
    }

    private static boolean isBlank(byte character) {
        return character == ' ' || character == '\t';
    }
}
