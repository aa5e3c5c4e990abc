/** CSV and JSON as rows, including malformed records. */
package dev.bellman.job.text.csv;
