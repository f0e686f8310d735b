/** Attributes are captured at every full ten seconds of frame time, whichever node runs the analysis. */
const CAPTURE_MS = 10_000;
/** Time after a capture time in which the crops of that frame are classified; frames are kept a little longer. */
export const SETTLE_MS = 2_500;

/** Whether a capture time lies between two frames. @param lastMs null before the first frame */
export const isCaptureTime = (lastMs: number | null, timeMs: number): boolean =>
  lastMs !== null && Math.floor(timeMs / CAPTURE_MS) > Math.floor(lastMs / CAPTURE_MS);
