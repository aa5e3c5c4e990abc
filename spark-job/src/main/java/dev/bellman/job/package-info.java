/**
 * The main class. The commands are in {@link dev.bellman.job.cli}, which depends on all other packages of the job
 * runner: {@code run} uses {@code rows}, {@code input} and {@code spec}, which use {@code format}, {@code table} and
 * {@code text}.
 */
package dev.bellman.job;
