/**
 * Reads and writes tables that have their own commits, as opposed to folders of files. Depends on Spark's data sources
 * and catalogues, but not on the classes for jobs.
 */
package dev.bellman.job.table;
