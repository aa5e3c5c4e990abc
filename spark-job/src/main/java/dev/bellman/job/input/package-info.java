/**
 * Reads files and tables as rows, and evaluates the arguments and conditions of a job file. Invalid input becomes
 * either an error or a bad row.
 */
package dev.bellman.job.input;
