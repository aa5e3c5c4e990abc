/**
 * Contains the components of a report: provenance, the timeline, the distributions of results, and the page. Except for
 * the provenance, independent of jobs.
 */
package dev.bellman.job.report;
