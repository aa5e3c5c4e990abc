package dev.bellman.columns;

import ai.rapids.cudf.BaseDeviceMemoryBuffer;
import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import dev.bellman.cuda.Struct;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Copies arrays, such as counters and size classes, between host and device. Reading waits until all work in the
 * thread's stream is done.
 */
public final class DeviceArrays {
    private DeviceArrays() {}

    /** Returns all bytes of a buffer, in the little-endian order in which the GPU wrote them. */
    public static ByteBuffer read(BaseDeviceMemoryBuffer buffer) {
        return read(buffer, 0, Math.toIntExact(buffer.getLength()));
    }

    /** Returns structs, starting at index {@code first}. */
    public static <R extends Record> List<R> readStructs(
            BaseDeviceMemoryBuffer buffer, int first, int count, Class<R> type) {
        Struct<R> struct = Struct.of(type);
        ByteBuffer read = read(buffer, (long) struct.bytes() * first, Math.multiplyExact(struct.bytes(), count));
        return IntStream.range(0, count)
                .mapToObj(i -> struct.read(read, struct.bytes() * i))
                .toList();
    }

    static ByteBuffer read(BaseDeviceMemoryBuffer buffer, long from, int length) {
        byte[] bytes = new byte[length];
        try (HostMemoryBuffer host = HostMemoryBuffer.allocate(Math.max(1, length), false)) {
            host.copyFromMemoryBuffer(0, buffer, from, length, Cuda.DEFAULT_STREAM);
            host.getBytes(bytes, 0, 0, length);
        }
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    public static int[] readInts(BaseDeviceMemoryBuffer buffer, int first, int count) {
        int[] values = new int[count];
        try (HostMemoryBuffer host = HostMemoryBuffer.allocate(Math.max(1, 4L * count), false)) {
            host.copyFromMemoryBuffer(0, buffer, 4L * first, 4L * count, Cuda.DEFAULT_STREAM);
            host.getInts(values, 0, 0, count);
        }
        return values;
    }

    public static long[] readLongs(BaseDeviceMemoryBuffer buffer, int first, int count) {
        long[] values = new long[count];
        try (HostMemoryBuffer host = HostMemoryBuffer.allocate(Math.max(1, 8L * count), false)) {
            host.copyFromMemoryBuffer(0, buffer, 8L * first, 8L * count, Cuda.DEFAULT_STREAM);
            host.getLongs(values, 0, 0, count);
        }
        return values;
    }

    public static DeviceMemoryBuffer writeInts(Scratch scratch, int... values) {
        DeviceMemoryBuffer buffer = scratch.allocateInts(values.length);
        try (HostMemoryBuffer host = HostMemoryBuffer.allocate(Math.max(1, 4L * values.length), false)) {
            host.setInts(0, values, 0, values.length);
            buffer.copyFromMemoryBuffer(0, host, 0, 4L * values.length, Cuda.DEFAULT_STREAM);
        }
        return buffer;
    }

    public static DeviceMemoryBuffer writeLongs(Scratch scratch, long... values) {
        DeviceMemoryBuffer buffer = scratch.allocateLongs(values.length);
        try (HostMemoryBuffer host = HostMemoryBuffer.allocate(Math.max(1, 8L * values.length), false)) {
            host.setLongs(0, values, 0, values.length);
            buffer.copyFromMemoryBuffer(0, host, 0, 8L * values.length, Cuda.DEFAULT_STREAM);
        }
        return buffer;
    }

    public static DeviceMemoryBuffer writeDoubles(Scratch scratch, double... values) {
        return writeLongs(
                scratch,
                Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray());
    }

    /** Writes strings, one after another. */
    public static DeviceMemoryBuffer writeBytes(Scratch scratch, List<byte[]> strings) {
        long length = strings.stream().mapToLong(bytes -> bytes.length).sum();
        DeviceMemoryBuffer buffer = scratch.allocate(length);
        try (HostMemoryBuffer host = HostMemoryBuffer.allocate(Math.max(1, length), false)) {
            long end = 0;
            for (byte[] bytes : strings) {
                host.setBytes(end, bytes, 0, bytes.length);
                end += bytes.length;
            }
            buffer.copyFromMemoryBuffer(0, host, 0, length, Cuda.DEFAULT_STREAM);
        }
        return buffer;
    }

    /** Writes structs, one after another. */
    public static <R extends Record> DeviceMemoryBuffer writeStructs(Scratch scratch, Class<R> type, List<R> values) {
        byte[] all = new byte[Math.multiplyExact(Struct.of(type).bytes(), values.size())];
        ByteBuffer bytes = ByteBuffer.wrap(all);
        values.forEach(value -> bytes.put(Struct.bytes(value)));
        return writeBytes(scratch, List.of(all));
    }
}
