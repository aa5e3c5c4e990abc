/**
 * Formats text and tables for the terminal: explanations of failures, exit codes, and text without control characters.
 * Independent of jobs.
 */
package dev.bellman.job.terminal;
