/**
 * The run of a job in which every row is an instance, from examining the input to writing the report. It also
 * estimates, verifies and previews.
 */
package dev.bellman.job.run;
