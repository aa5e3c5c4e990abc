/**
 * The main class. The commands are in {@link dev.bellman.job.cli}, and all other packages of the job are below them:
 * {@code run} uses {@code rows}, {@code input} and {@code spec}, and those use {@code format}, {@code table} and
 * {@code text}.
 */
package dev.bellman.job;
