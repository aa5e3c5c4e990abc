package dev.bellman.job.text;

import org.apache.spark.unsafe.types.UTF8String;

/** Iterates over the records in one file or part of a file. */
interface SequenceParser {
    /** Moves to the next record; returns false at the end. */
    boolean next();

    /**
     * Returns a value of the current record; NULL if the record lacks it. The value is valid until the next call of
     * {@link #next}.
     */
    UTF8String value(SequenceColumn column);
}
