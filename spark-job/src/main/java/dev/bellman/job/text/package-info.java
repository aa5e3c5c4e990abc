/**
 * Text formats as Spark file sources, of which FASTA and FASTQ have the names {@code fasta} and {@code fastq}. Spark
 * itself handles globs, folders, multiple paths, partition columns, Hadoop file systems and the packing of small files
 * into tasks. This package reads file contents and compression formats, either to the last byte or to an error.
 */
package dev.bellman.job.text;
