/** A capture is made at every full ten seconds of frame time, so whichever node works. */
const CAPTURE_MS = 10_000;
/** So long after it everybody of that moment has been looked at: pictures are kept a little longer. */
export const SETTLE_MS = 2_500;

/** Whether a moment of capture lies between two frames. @param lastMs null before the first frame */
export const isCaptureTime = (lastMs: number | null, timeMs: number): boolean =>
  lastMs !== null && Math.floor(timeMs / CAPTURE_MS) > Math.floor(lastMs / CAPTURE_MS);
