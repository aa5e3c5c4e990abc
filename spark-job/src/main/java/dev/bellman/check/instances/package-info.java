/** The command {@code instances}: prints generated instances, for tests in other languages. */
package dev.bellman.check.instances;
