package dev.bellman.proof;

/**
 * Contains what is needed to check one overload of a function, called with all its parameters.
 *
 * @param function the SQL name of the function
 * @param overload the index of the overload among the function's overloads
 * @param generator generates instances that are hard to solve correctly
 * @param oracle defines the answers
 * @param leeway defines how strategies may deviate from the oracle
 */
public record Proof(String function, int overload, InstanceGenerator generator, Oracle oracle, Leeway leeway) {
    public Proof(String function, int overload, InstanceGenerator generator, Oracle oracle) {
        this(function, overload, generator, oracle, Leeway.NONE);
    }

    /** Creates the proof for a function with one overload. */
    public Proof(String function, InstanceGenerator generator, Oracle oracle) {
        this(function, 0, generator, oracle);
    }

    /**
     * Returns the same proof with a leeway, for strategies that do not solve every instance or that deviate from the
     * oracle.
     */
    public Proof with(Leeway its) {
        return new Proof(function, overload, generator, oracle, its);
    }
}
