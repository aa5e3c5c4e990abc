package dev.bellman.cuda;

import static jcuda.driver.JCudaDriver.cuEventCreate;
import static jcuda.driver.JCudaDriver.cuEventDestroy;
import static jcuda.driver.JCudaDriver.cuEventRecord;
import static jcuda.driver.JCudaDriver.cuEventSynchronize;

import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;

/** A point in a stream's work for which other streams can wait. */
public final class Event implements AutoCloseable {
    private final CUevent event = new CUevent();

    /** Creates an event. Until the event is recorded for the first time, waiting for it returns immediately. */
    public Event() {
        Driver.currentDevice();
        Driver.check(cuEventCreate(event, CUevent_flags.CU_EVENT_DISABLE_TIMING), "create an event");
    }

    /** Records the event after all work that the stream contains so far. */
    public void record(Stream stream) {
        Driver.check(cuEventRecord(event, stream.stream()), "record an event");
    }

    /** Waits until all work before the event is complete. */
    public void await() {
        Driver.check(cuEventSynchronize(event), "wait for an event");
    }

    CUevent event() {
        return event;
    }

    @Override
    public void close() {
        cuEventDestroy(event);
    }
}
