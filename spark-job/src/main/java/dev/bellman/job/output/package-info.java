/**
 * Where results go: an output folder that appears complete or not at all ({@link dev.bellman.job.output.StagedOutput}),
 * and what may be written and replaced ({@link dev.bellman.job.output.OutputRules}). Knows only files, not jobs or
 * rows.
 */
package dev.bellman.job.output;
