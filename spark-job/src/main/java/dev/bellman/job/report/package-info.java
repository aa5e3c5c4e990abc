/** What a report shows beside numbers: what ran when, how results are distributed, the page. Knows Spark, but not jobs. */
package dev.bellman.job.report;
