package dev.bellman.job;

import java.io.PrintWriter;
import java.io.StringWriter;

/** A command line that was run in this process: its exit code and its output. */
record CommandLineRun(ExitCode code, String out, String err) {
    static CommandLineRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        ExitCode code = Main.execute(new PrintWriter(out), new PrintWriter(err), arguments);
        return new CommandLineRun(code, out.toString(), err.toString());
    }
}
