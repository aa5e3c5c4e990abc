package dev.bellman;

/** An exception of another kind that stands for one of ours. */
public interface BellmanCause {
    BellmanException exception();
}
