/** Reads CSV and JSON files as rows, and also returns malformed records. */
package dev.bellman.job.text.csv;
