/**
 * Runs jobs in which every row is an instance, from examining the input to writing the report. Also estimates, verifies
 * and previews runs.
 */
package dev.bellman.job.run;
