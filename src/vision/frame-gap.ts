/**
 * Frames further apart than this have a gap between them: nothing is known of the time between, nobody ages in it
 * and it counts as not covered. Twice the interval of the lowest frame rate (1 a second).
 */
export const FRAME_GAP_MS = 2_000;
