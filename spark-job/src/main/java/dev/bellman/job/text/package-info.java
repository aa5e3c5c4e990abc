/**
 * Text formats as file sources of Spark: FASTA and FASTQ by the names {@code fasta} and {@code fastq}. Spark itself
 * handles globs, folders, multiple paths, partition columns, Hadoop file systems and the packing of small files into
 * tasks; file contents and compression are read by this package, to the last byte or to an error.
 */
package dev.bellman.job.text;
