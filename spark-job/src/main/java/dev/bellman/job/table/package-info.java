/**
 * Inputs and outputs that are tables with commits of their own, not folders of files. Knows Spark's sources and
 * catalogues; knows no job.
 */
package dev.bellman.job.table;
