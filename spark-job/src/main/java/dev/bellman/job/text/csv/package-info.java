/** CSV and JSON as rows that keep what is malformed. */
package dev.bellman.job.text.csv;
