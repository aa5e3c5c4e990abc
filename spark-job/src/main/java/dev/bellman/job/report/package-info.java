/**
 * Contains the parts of a report: provenance, the timeline, the distributions of results, and the page. Depends on
 * Spark, but not on jobs.
 */
package dev.bellman.job.report;
