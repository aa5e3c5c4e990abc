package dev.bellman.proof;

/**
 * The material for checking one overload of a function with all of its parameters.
 *
 * @param function the SQL name of the function
 * @param overload the index of the overload among those of the function
 * @param generator generates instances that are hard to get right
 * @param oracle defines the answers
 * @param leeway how strategies may differ from the oracle
 */
public record Proof(String function, int overload, InstanceGenerator generator, Oracle oracle, Leeway leeway) {
    public Proof(String function, int overload, InstanceGenerator generator, Oracle oracle) {
        this(function, overload, generator, oracle, Leeway.NONE);
    }

    /** Creates the proof of a function with one overload. */
    public Proof(String function, InstanceGenerator generator, Oracle oracle) {
        this(function, 0, generator, oracle);
    }

    /** Returns the same proof for strategies that do not solve every instance, or not as the oracle does. */
    public Proof with(Leeway its) {
        return new Proof(function, overload, generator, oracle, its);
    }
}
