/** The best rows of groups. */
package dev.bellman.best;
