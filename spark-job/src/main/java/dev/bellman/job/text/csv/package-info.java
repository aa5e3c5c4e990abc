/** Reads CSV and JSON files as rows, including malformed records. */
package dev.bellman.job.text.csv;
