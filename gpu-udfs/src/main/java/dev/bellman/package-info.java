/**
 * What every problem family shares: errors, strategies and the options a function is called with.
 */
package dev.bellman;
