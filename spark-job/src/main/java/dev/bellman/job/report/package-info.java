/**
 * The parts of a report other than numbers: the timeline, the distributions of results, and the page. Depends on Spark,
 * but not on jobs.
 */
package dev.bellman.job.report;
