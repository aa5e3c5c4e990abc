/**
 * Text and tables for the terminal: explained failures, exit codes, and text without control characters. Independent of
 * jobs.
 */
package dev.bellman.job.terminal;
