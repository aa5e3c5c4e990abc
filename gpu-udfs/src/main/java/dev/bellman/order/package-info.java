/** The order of joins. */
package dev.bellman.order;
