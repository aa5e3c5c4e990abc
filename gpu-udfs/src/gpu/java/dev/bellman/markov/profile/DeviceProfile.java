package dev.bellman.markov.profile;

import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import java.util.List;

/**
 * A profile in GPU memory, in the layout of {@code Profile} in {@code markov/profile/profile.cuh}: the addresses of its
 * arrays, and its sizes.
 */
record DeviceProfile(
        long moves, long ends, long skips, long upper, long lower, long codes, int steps, int nodes, int last) {
    private static final int CHARACTERS = 128;

    static DeviceProfile of(ProfileModel model, CudaModule module, Scratch scratch) {
        double[][] ofNode = {
            model.begin,
            model.skipToMatch,
            model.matchToMatch,
            model.insertToMatch,
            model.deleteToMatch,
            model.insertToInsert,
            model.matchToDelete,
            model.deleteToDelete
        };
        int letters = module.constant("PROFILE_LETTERS");
        int padding = module.constant(
                model.steps > module.constant("PROFILE_SMALL") ? "PROFILE_LARGE_PADDING" : "PROFILE_PADDING");
        int steps = (model.steps + padding - 1) / padding * padding;
        int width = ProfileModel.PARTS * steps;
        double[] moves = new double[ofNode.length * width];
        double[] ends = new double[width];
        int[] upper = new int[letters * width];
        int[] lower = new int[letters * width];
        for (int at = model.width; at < width; at++) {
            // padding passes the part's last delete state on
            int place = at % ProfileModel.PARTS * steps + at / ProfileModel.PARTS;
            moves[ofNode.length * place + ofNode.length - 1] = 1;
        }
        for (int at = 0; at < model.width; at++) {
            // in this layout, the nodes of a part are contiguous, followed by padding
            int place = at % ProfileModel.PARTS * steps + at / ProfileModel.PARTS;
            for (int move = 0; move < ofNode.length; move++) {
                moves[ofNode.length * place + move] = ofNode[move][at];
            }
            ends[place] = model.ends[at];
            for (int letter = 0; letter < model.residues.letterCount(); letter++) {
                long odds = Double.doubleToRawLongBits(model.odds[letter * model.width + at]);
                upper[letters * place + letter] = (int) (odds >>> Integer.SIZE);
                lower[letters * place + letter] = (int) odds;
            }
        }
        byte[] codes = new byte[CHARACTERS];
        for (int i = 0; i < CHARACTERS; i++) {
            codes[i] = (byte) model.residues.code((byte) i);
        }
        return new DeviceProfile(
                DeviceArrays.writeDoubles(scratch, moves).getAddress(),
                DeviceArrays.writeDoubles(scratch, ends).getAddress(),
                DeviceArrays.writeDoubles(scratch, model.skips).getAddress(),
                DeviceArrays.writeInts(scratch, upper).getAddress(),
                DeviceArrays.writeInts(scratch, lower).getAddress(),
                DeviceArrays.writeBytes(scratch, List.of(codes)).getAddress(),
                steps,
                model.nodes,
                model.steps - 1);
    }
}
