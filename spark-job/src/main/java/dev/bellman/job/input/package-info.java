/**
 * Inputs as rows: files and tables, and the arguments and conditions of a job file. Bad input becomes an error or a bad
 * row.
 */
package dev.bellman.job.input;
