package dev.bellman.large.tiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class ThreadTeamTest {
    @Test
    void aTeamThatFailsEnds() {
        for (int failing = 0; failing < 3; failing++) {
            int bad = failing;
            assertThatThrownBy(() -> ThreadTeam.run(3, (team, member) -> {
                        for (int step = 0; step < 10; step++) {
                            if (member == bad && step == 5) {
                                throw new IllegalStateException("member " + bad);
                            }
                            team.await();
                        }
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("member " + bad);
        }
    }

    @Test
    void aTeamThatIsInterruptedEnds() {
        try {
            assertThatThrownBy(() -> ThreadTeam.run(2, (team, member) -> {
                        if (member == 0) {
                            Thread.currentThread().interrupt();
                            team.await();
                        } else {
                            while (!Thread.currentThread().isInterrupted() && team.size() == 2) {
                                // wait longer than any thread spins
                                sleep();
                                team.await();
                            }
                        }
                    }))
                    .isInstanceOf(CancellationException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(200);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
