package dev.bellman.job.text;

import org.apache.spark.unsafe.types.UTF8String;

/** Goes through the records of one file or of a part of it. */
interface SequenceParser {
    /** Moves to the next record; false at the end. */
    boolean next();

    /** A value of the current record, NULL where it has none; valid until the next call of {@link #next}. */
    UTF8String value(SequenceColumn column);
}
