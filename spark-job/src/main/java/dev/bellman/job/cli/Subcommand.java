package dev.bellman.job.cli;

import java.util.ServiceLoader;

/** A command of a jar beside the application's, which {@link ServiceLoader} finds. */
public interface Subcommand extends Runnable {}
