/**
 * An instance of a recurrence: its elements, its operator, the folding of its candidates, and a row of a batch on the
 * GPU.
 */
package dev.bellman.recurrence.instance;
