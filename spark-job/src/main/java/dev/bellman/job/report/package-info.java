/**
 * The parts of a report besides numbers: the timeline, the distributions of results, the page. Depends on Spark, but
 * not on jobs.
 */
package dev.bellman.job.report;
