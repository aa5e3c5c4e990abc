package dev.bellman.job.text;

import org.apache.spark.unsafe.types.UTF8String;

/** Iterates over the records of one file or part of a file. */
interface SequenceParser {
    /** Moves to the next record; false at the end. */
    boolean next();

    /** A value of the current record, NULL if it has none; valid until the next call of {@link #next}. */
    UTF8String value(SequenceColumn column);
}
