package dev.bellman.cuda;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Converts between a record and the C++ struct with the same members in the same order. Each member is placed at the
 * next multiple of its alignment, and the total size is a multiple of the largest alignment. The members are
 * {@code long} (also used for pointers), {@code double}, {@code int}, {@code float}, {@code short}, {@code byte} and
 * records of such members. A test compares these layouts with those that the kernels export ({@code common/host.cuh}).
 */
public final class Struct<R extends Record> {
    private record Member(int offset, MethodHandle accessor, Class<?> type, Struct<?> struct) {}

    private static final Map<Class<?>, Integer> SIZES =
            Map.of(long.class, 8, double.class, 8, int.class, 4, float.class, 4, short.class, 2, byte.class, 1);

    private static final ClassValue<Struct<?>> STRUCTS = new ClassValue<>() {
        @Override
        protected Struct<?> computeValue(Class<?> type) {
            return new Struct<>(type.asSubclass(Record.class));
        }
    };

    private final Map<String, Member> members = new LinkedHashMap<>();
    private final MethodHandle constructor;
    private final int bytes;
    private final int alignment;

    private Struct(Class<R> type) {
        try {
            RecordComponent[] components = type.getRecordComponents();
            Class<?>[] types = new Class<?>[components.length];
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            int end = 0;
            int largest = 1;
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                Struct<?> struct = types[i].isRecord() ? STRUCTS.get(types[i]) : null;
                if (struct == null && !SIZES.containsKey(types[i])) {
                    throw new IllegalArgumentException("%s.%s has the type %s, which structs do not support"
                            .formatted(type.getSimpleName(), components[i].getName(), types[i].getSimpleName()));
                }
                int size = struct == null ? SIZES.get(types[i]) : struct.bytes;
                int own = struct == null ? size : struct.alignment;
                int offset = roundUp(end, own);
                components[i].getAccessor().setAccessible(true);
                members.put(
                        components[i].getName(),
                        new Member(offset, lookup.unreflect(components[i].getAccessor()), types[i], struct));
                end = offset + size;
                largest = Math.max(largest, own);
            }
            var canonical = type.getDeclaredConstructor(types);
            canonical.setAccessible(true);
            constructor = lookup.unreflectConstructor(canonical);
            bytes = roundUp(end, largest);
            alignment = largest;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("unchecked")
    public static <R extends Record> Struct<R> of(Class<R> type) {
        return (Struct<R>) STRUCTS.get(type);
    }

    private static int roundUp(int value, int multiple) {
        return (value + multiple - 1) / multiple * multiple;
    }

    /** Returns the size of a value, as {@code sizeof} does. */
    public int bytes() {
        return bytes;
    }

    int alignment() {
        return alignment;
    }

    Set<String> members() {
        return members.keySet();
    }

    /** Returns the offset of a member, as {@code offsetof} does. */
    int offset(String member) {
        return members.get(member).offset();
    }

    /** Returns a value in the GPU's layout. */
    public static byte[] bytes(Record value) {
        Struct<?> struct = STRUCTS.get(value.getClass());
        ByteBuffer buffer = ByteBuffer.allocate(struct.bytes).order(ByteOrder.LITTLE_ENDIAN);
        struct.write(value, buffer, 0);
        return buffer.array();
    }

    private void write(Object value, ByteBuffer to, int at) {
        for (Member member : members.values()) {
            Object of = get(member, value);
            int place = at + member.offset();
            if (member.struct() != null) {
                member.struct().write(of, to, place);
            } else if (of instanceof Long number) {
                to.putLong(place, number);
            } else if (of instanceof Integer number) {
                to.putInt(place, number);
            } else if (of instanceof Double number) {
                to.putDouble(place, number);
            } else if (of instanceof Float number) {
                to.putFloat(place, number);
            } else if (of instanceof Short number) {
                to.putShort(place, number);
            } else {
                to.put(place, (Byte) of);
            }
        }
    }

    /** Reads a value at a position of the little-endian bytes that the GPU wrote. */
    @SuppressWarnings("unchecked")
    public R read(ByteBuffer from, int at) {
        return (R) value(from, at);
    }

    private Object value(ByteBuffer from, int at) {
        Object[] values = new Object[members.size()];
        int i = 0;
        for (Member member : members.values()) {
            int place = at + member.offset();
            Class<?> type = member.type();
            if (member.struct() != null) {
                values[i++] = member.struct().value(from, place);
            } else if (type == long.class) {
                values[i++] = from.getLong(place);
            } else if (type == int.class) {
                values[i++] = from.getInt(place);
            } else if (type == double.class) {
                values[i++] = from.getDouble(place);
            } else if (type == float.class) {
                values[i++] = from.getFloat(place);
            } else if (type == short.class) {
                values[i++] = from.getShort(place);
            } else {
                values[i++] = from.get(place);
            }
        }
        try {
            return constructor.invokeWithArguments(values);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the members of a value, in order. */
    static Object[] values(Record value) {
        return STRUCTS.get(value.getClass()).members.values().stream()
                .map(member -> get(member, value))
                .toArray();
    }

    private static Object get(Member member, Object value) {
        try {
            return member.accessor().invoke(value);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
