package dev.bellman.job.text;

import org.apache.spark.unsafe.types.UTF8String;

/** Iterates over the records of a file or of a part of a file. */
interface SequenceParser {
    /** Moves to the next record; returns false if there is none. */
    boolean next();

    /**
     * Returns a value of the current record; NULL if the record does not contain it. The value is valid until the next
     * call of {@link #next}.
     */
    UTF8String value(SequenceColumn column);
}
