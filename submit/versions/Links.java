import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.apache.xbean.asm9.ClassReader;
import org.apache.xbean.asm9.ClassVisitor;
import org.apache.xbean.asm9.FieldVisitor;
import org.apache.xbean.asm9.Handle;
import org.apache.xbean.asm9.MethodVisitor;
import org.apache.xbean.asm9.Opcodes;
import org.apache.xbean.asm9.Type;

/**
 * Checks that each class, method and field that a jar uses exists on the classpath with the same types, and that the jar's classes implement all abstract
 * methods: {@code java -cp 'jars/*' Links.java JAR PREFIX...}, where PREFIX is a prefix of names to omit. Java itself reports a missing name only when it is
 * used. Prints the missing names and the classes that use them; the exit code is 1 if any name is missing.
 */
class Links {
    /** The part of a class that matters for linking. Members have a name, a descriptor and access flags. */
    private record Declared(
            int access, String superName, List<String> interfaces, Map<String, Integer> members) {}

    private final Map<String, Optional<Declared>> classes = new HashMap<>();
    private final Map<String, TreeSet<String>> missing = new TreeMap<>();
    private final Map<String, byte[]> own = new LinkedHashMap<>();

    public static void main(String[] arguments) throws IOException {
        Links links = new Links();
        try (JarFile jar = new JarFile(arguments[0])) {
            for (var entry : jar.stream().filter(e -> e.getName().matches("(?!META-INF/).*[.]class")).toList()) {
                try (InputStream in = jar.getInputStream(entry)) {
                    links.own.put(entry.getName().replace(".class", ""), in.readAllBytes());
                }
            }
        }
        List<String> left = List.of(arguments).subList(1, arguments.length);
        links.own.forEach((name, bytes) -> {
            if (left.stream().noneMatch(name::startsWith)) {
                links.check(name, bytes, left);
            }
        });
        links.missing.forEach((what, users) -> System.out.println(what + " <- " + String.join(" ", users)));
        System.exit(links.missing.isEmpty() ? 0 : 1);
    }

    private void check(String user, byte[] bytes, List<String> left) {
        new ClassReader(bytes).accept(new References(user, left), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        checkImplementations(user);
    }

    /** Checks that a concrete class implements each inherited abstract method and overrides no final method. */
    private void checkImplementations(String user) {
        Declared self = declared(user).orElseThrow();
        Map<String, String> implemented = new HashMap<>();
        for (String name = self.superName(); name != null; name = superOf(name)) {
            String owner = name;
            declared(name).ifPresent(parent -> parent.members().forEach((member, access) -> {
                if ((access & Opcodes.ACC_FINAL) != 0
                        && (access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) == 0
                        && member.contains("(")
                        && self.members().containsKey(member)) {
                    miss(owner + "." + member + " is final", user);
                }
            }));
        }
        if ((self.access() & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE)) != 0) {
            return;
        }
        for (String name = user; name != null; name = superOf(name)) {
            declared(name).ifPresent(type -> type.members().forEach((member, access) -> {
                if ((access & Opcodes.ACC_ABSTRACT) == 0) {
                    implemented.put(member, member);
                }
            }));
        }
        List<String> types = supertypes(user);
        for (String name : types) {
            Declared type = declared(name).orElseThrow();
            if ((type.access() & Opcodes.ACC_INTERFACE) != 0) {
                type.members().forEach((member, access) -> {
                    if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_STATIC)) == 0) {
                        implemented.put(member, member);
                    }
                });
            }
        }
        for (String name : types) {
            declared(name).orElseThrow().members().forEach((member, access) -> {
                // methods that Scala generates for traits that call their parent are synthetic
                if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_SYNTHETIC)) == Opcodes.ACC_ABSTRACT
                        && !implemented.containsKey(member)) {
                    miss(name + "." + member + " is not implemented", user);
                }
            });
        }
    }

    private String superOf(String name) {
        return declared(name).map(Declared::superName).orElse(null);
    }

    /** Returns the class and all existing classes and interfaces that it extends and implements. */
    private List<String> supertypes(String name) {
        List<String> all = new ArrayList<>();
        List<String> open = new ArrayList<>(List.of(name));
        while (!open.isEmpty()) {
            String next = open.remove(open.size() - 1);
            if (all.contains(next)) {
                continue;
            }
            declared(next).ifPresent(type -> {
                all.add(next);
                Optional.ofNullable(type.superName()).ifPresent(open::add);
                open.addAll(type.interfaces());
            });
        }
        return all;
    }

    private void miss(String what, String user) {
        missing.computeIfAbsent(what, any -> new TreeSet<>()).add(user.replaceFirst(".*/", ""));
    }

    private Optional<Declared> declared(String name) {
        return classes.computeIfAbsent(name, this::read);
    }

    private Optional<Declared> read(String name) {
        try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
            byte[] bytes = own.containsKey(name) ? own.get(name) : in == null ? null : in.readAllBytes();
            if (bytes == null) {
                return Optional.empty();
            }
            ClassReader reader = new ClassReader(bytes);
            Map<String, Integer> members = new HashMap<>();
            reader.accept(
                    new ClassVisitor(Opcodes.ASM9) {
                        @Override
                        public MethodVisitor visitMethod(
                                int access, String method, String descriptor, String signature, String[] thrown) {
                            members.put(method + descriptor, access);
                            return null;
                        }

                        @Override
                        public FieldVisitor visitField(
                                int access, String field, String descriptor, String signature, Object value) {
                            members.put(field + ":" + descriptor, access);
                            return null;
                        }
                    },
                    ClassReader.SKIP_CODE);
            return Optional.of(new Declared(
                    reader.getAccess(), reader.getSuperName(), List.of(reader.getInterfaces()), members));
        } catch (IOException e) {
            throw new IllegalStateException(name, e);
        }
    }

    /** Looks up each name that the code of a class uses. */
    private final class References extends ClassVisitor {
        private final String user;
        private final List<String> left;

        References(String user, List<String> left) {
            super(Opcodes.ASM9);
            this.user = user;
            this.left = left;
        }

        @Override
        public void visit(
                int version, int access, String name, String signature, String superName, String[] interfaces) {
            type(superName);
            Stream.of(interfaces).forEach(this::type);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] thrown) {
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitMethodInsn(int code, String owner, String method, String types, boolean isInterface) {
                    member(owner, method + types);
                }

                @Override
                public void visitFieldInsn(int code, String owner, String field, String type) {
                    member(owner, field + ":" + type);
                }

                @Override
                public void visitTypeInsn(int code, String type) {
                    type(type);
                }

                @Override
                public void visitLdcInsn(Object value) {
                    constant(value);
                }

                @Override
                public void visitInvokeDynamicInsn(String method, String types, Handle maker, Object... arguments) {
                    Stream.of(arguments).forEach(this::constant);
                }

                private void constant(Object value) {
                    if (value instanceof Type type && type.getSort() == Type.OBJECT) {
                        type(type.getInternalName());
                    } else if (value instanceof Handle handle) {
                        boolean field = handle.getTag() <= Opcodes.H_PUTSTATIC;
                        member(handle.getOwner(), handle.getName() + (field ? ":" : "") + handle.getDesc());
                    }
                }
            };
        }

        private void type(String name) {
            if (name.startsWith("[")) {
                Type element = Type.getObjectType(name).getElementType();
                if (element.getSort() == Type.OBJECT) {
                    type(element.getInternalName());
                }
            } else if (left.stream().noneMatch(name::startsWith) && declared(name).isEmpty()) {
                miss(name, user);
            }
        }

        private void member(String owner, String member) {
            type(owner);
            if (owner.startsWith("[")
                    || left.stream().anyMatch(owner::startsWith)
                    || declared(owner).isEmpty()) {
                return;
            }
            // MethodHandle.invoke and similar methods accept any types
            if (supertypes(owner).stream()
                    .noneMatch(type -> declared(type).orElseThrow().members().containsKey(member)
                            || type.startsWith("java/lang/invoke/"))) {
                miss(owner + "." + member, user);
            }
        }
    }
}
