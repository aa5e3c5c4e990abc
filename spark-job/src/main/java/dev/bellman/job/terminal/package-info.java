/** Words and tables for the terminal: explained failures, exit codes, text without control characters. Knows no job. */
package dev.bellman.job.terminal;
