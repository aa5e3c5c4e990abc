/**
 * Output folders, which are either complete or absent ({@link dev.bellman.job.output.StagedOutput}), and the rules for
 * writing and replacing files ({@link dev.bellman.job.output.OutputRules}). Independent of jobs and rows.
 */
package dev.bellman.job.output;
