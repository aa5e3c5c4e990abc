/**
 * Formats text for the terminal: explanations of failures, tables, and text in which control characters are escaped.
 * Also defines the exit codes. Independent of jobs.
 */
package dev.bellman.job.terminal;
