/**
 * The parts of a report beside numbers: the timeline, the distributions of results, the page. Knows Spark, but not
 * jobs.
 */
package dev.bellman.job.report;
