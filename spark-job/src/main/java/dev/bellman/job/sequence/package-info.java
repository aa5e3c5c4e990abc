/**
 * FASTA and FASTQ as file sources of Spark, by the names {@code fasta} and {@code fastq}: globs, folders, many paths, partition
 * columns, Hadoop file systems and codecs, and the packing of small files into tasks are Spark's own.
 */
package dev.bellman.job.sequence;
