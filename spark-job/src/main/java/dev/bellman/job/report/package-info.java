/**
 * Contains the components of a report: provenance, the timeline, the distributions of results, and the page. Depends on
 * Spark, but not on the classes for jobs.
 */
package dev.bellman.job.report;
