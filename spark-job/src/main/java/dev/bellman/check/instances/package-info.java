/** The command {@code instances}: what the generators of instances make, for tests in other languages. */
package dev.bellman.check.instances;
