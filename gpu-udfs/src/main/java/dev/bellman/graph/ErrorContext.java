package dev.bellman.graph;

import java.io.Serializable;

/** Defines how error messages refer to the caller and to the vertices of the caller's graph. */
public interface ErrorContext extends Serializable {
    /** Returns the text with which messages begin. */
    String caller();

    /** Returns the name of a vertex, such as {@code vertex 3}. */
    String vertex(int vertex);

    /** Returns a sentence, without its full stop, that explains what to do about an invalid graph. */
    String correction();

    /** Returns text that explains what to do about a path whose length does not fit in 64 bits. */
    String narrowing();

    /** Returns the context for a function, whose vertices are numbers. */
    static ErrorContext ofFunction(String function) {
        return new OfFunction(function);
    }

    /** The context for a function. Not a record, because Kryo cannot serialize records. */
    final class OfFunction implements ErrorContext {
        private static final long serialVersionUID = 1L;

        private final String caller;

        private OfFunction(String caller) {
            this.caller = caller;
        }

        @Override
        public String caller() {
            return caller;
        }

        @Override
        public String vertex(int vertex) {
            return "vertex " + vertex;
        }

        @Override
        public String correction() {
            return "Correct the row, or use try_%s, which returns NULL".formatted(caller);
        }

        @Override
        public String narrowing() {
            return "use smaller weights, DOUBLE, or try_%s, which returns NULL".formatted(caller);
        }
    }
}
