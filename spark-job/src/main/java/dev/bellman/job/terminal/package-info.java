/**
 * Text and tables for the terminal: explained failures, exit codes, text without control characters. Independent of
 * jobs.
 */
package dev.bellman.job.terminal;
