/**
 * The main class. The commands are in {@link dev.bellman.job.cli}, and every other room of the job is below them:
 * {@code run} uses {@code rows}, {@code input} and {@code spec}, and those use {@code format}, {@code table} and
 * {@code text}.
 */
package dev.bellman.job;
