/**
 * Manages output folders, which are either complete or absent ({@link dev.bellman.job.output.StagedOutput}), and checks
 * the rules for writing and replacing files ({@link dev.bellman.job.output.OutputRules}). Does not depend on jobs or
 * rows.
 */
package dev.bellman.job.output;
