/**
 * Formats text for the terminal: explanations of failures, tables, and text from which control characters are removed.
 * Also defines the exit codes. Independent of jobs.
 */
package dev.bellman.job.terminal;
