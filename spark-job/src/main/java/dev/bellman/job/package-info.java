/**
 * The job: its command line ({@link dev.bellman.job.Main}), the job file ({@link dev.bellman.job.JobFile}), the run
 * ({@link dev.bellman.job.JobRun}) and its report.
 */
package dev.bellman.job;
