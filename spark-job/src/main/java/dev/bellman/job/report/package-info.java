/** What a report shows beside numbers: what ran when, how results are distributed, the page. Knows Spark, and no jobs. */
package dev.bellman.job.report;
