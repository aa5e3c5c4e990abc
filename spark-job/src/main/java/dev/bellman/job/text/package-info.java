/**
 * Provides text formats as Spark file sources. FASTA and FASTQ are registered as {@code fasta} and {@code fastq}. Spark
 * itself handles globs, folders, multiple paths, partition columns, Hadoop file systems and the packing of small files
 * into tasks. This package reads file contents and compression formats. It reads a file to its last byte, or fails.
 */
package dev.bellman.job.text;
