/**
 * Inputs as rows: files and tables, the arguments and conditions that a job file gives. Bad input ends here, as an
 * error or as a bad row.
 */
package dev.bellman.job.input;
