/**
 * The run of a job in which every row is an instance, from the first look at the input to the report. It also
 * estimates, verifies and previews.
 */
package dev.bellman.job.run;
