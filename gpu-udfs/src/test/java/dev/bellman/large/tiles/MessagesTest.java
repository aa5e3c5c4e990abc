package dev.bellman.large.tiles;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MessagesTest {
    @Test
    void wave() {
        Messages messages = new Messages();
        messages.accept(List.of(new Task(TileKernel.A, new Tile(0, 0))));
        assertThat(messages.inSequence()).isZero();
        // one tile is sent to one node; then, one tile is sent to three nodes in two steps, because the first receiver
        // helps with the second step
        messages.accept(List.of(new Task(TileKernel.B, new Tile(0, 1), new Tile(0, 0))));
        assertThat(messages.inSequence()).isEqualTo(1);
        messages.accept(List.of(
                new Task(TileKernel.B, new Tile(0, 1), new Tile(0, 0)),
                new Task(TileKernel.B, new Tile(0, 2), new Tile(0, 0)),
                new Task(TileKernel.B, new Tile(0, 3), new Tile(0, 0))));
        assertThat(messages.inSequence()).isEqualTo(3);
        // three tiles are sent to the same node
        messages.accept(
                List.of(new Task(TileKernel.A, new Tile(1, 1), new Tile(0, 1), new Tile(1, 0), new Tile(0, 0))));
        assertThat(messages.inSequence()).isEqualTo(6);
        messages.accept(List.of(new Task(TileKernel.D, new Tile(1, 1), new Tile(1, 1), new Tile(1, 0))));
        assertThat(messages.inSequence()).isEqualTo(7);
    }

    /**
     * Compares the number of messages on the critical path with table 1: on p nodes, it is on the order of sqrt(p) log
     * p.
     */
    @ParameterizedTest
    @EnumSource
    void asTable1(Pattern pattern) {
        for (int side : new int[] {4, 16, 64}) {
            Messages messages = new Messages();
            Schedule.blocked(side).run(pattern, side, messages);
            assertThat(messages.inSequence() / (side * 2 * Math.log(side) / Math.log(2)))
                    .as("%d nodes", side * side)
                    .isBetween(0.2, 3.0);
        }
    }
}
