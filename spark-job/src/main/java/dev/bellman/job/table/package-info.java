/**
 * Reads and writes tables that have their own commits, rather than folders of files. Depends on Spark's sources and
 * catalogues, but not on jobs.
 */
package dev.bellman.job.table;
