/**
 * Text formats as file sources of Spark: FASTA and FASTQ by the names {@code fasta} and {@code fastq}. Globs, folders, many
 * paths, partition columns, Hadoop file systems and the packing of small files into tasks are Spark's own; what is in a file,
 * and how it is compressed, is read here, to its last byte or to an error.
 */
package dev.bellman.job.text;
