package dev.bellman;

/** Implemented by exceptions of other types that carry a {@link BellmanException}. */
public interface BellmanCause {
    BellmanException exception();
}
