/** An instance of a recurrence: its elements, its operator, what folds its candidates, and a row of a batch on the GPU. */
package dev.bellman.recurrence.instance;
