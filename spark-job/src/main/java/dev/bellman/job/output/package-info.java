/**
 * Where results go: an output folder that appears whole or not at all ({@link dev.bellman.job.output.StagedOutput}), and what
 * may be written and replaced ({@link dev.bellman.job.output.OutputRules}). Knows files alone, no jobs and no rows.
 */
package dev.bellman.job.output;
