/**
 * Represents an instance of a recurrence: its elements, its operator, the folding of candidates, and its layout on the
 * GPU.
 */
package dev.bellman.recurrence.instance;
