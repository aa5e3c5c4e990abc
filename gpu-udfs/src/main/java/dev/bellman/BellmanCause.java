package dev.bellman;

/** Implemented by exceptions of other types that wrap a {@link BellmanException}. */
public interface BellmanCause {
    BellmanException exception();
}
