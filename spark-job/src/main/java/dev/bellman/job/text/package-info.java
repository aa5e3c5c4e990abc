/**
 * Provides text formats as Spark file sources. FASTA and FASTQ are registered under the names {@code fasta} and
 * {@code fastq}. Spark itself handles globs, folders, multiple paths, partition columns, Hadoop file systems, and the
 * distribution of small files among tasks. This package reads the contents of files, including compressed files. It
 * either reads a file to its last byte or fails.
 */
package dev.bellman.job.text;
