/** Less is missing from many files that are whole. */
const LEAST_MISSING_MS = 1_000;
const MISSING_SHARE = 0.02;
/** The last frame is shown for about as long as the one before it. */
const LAST_FRAMES = 2;
/** A frame may lie after the end that the file says by this much. */
const LEAST_LATE_MS = 10_000;
/** Smaller steps back are a few frames in the wrong order, which are left out. */
const LEAST_STEP_BACK_MS = 10_000;

export interface RecordingEnd {
  /** Presentation time of the last frame. */
  readonly readUntilMs: number;
  /** By how much a frame was older than a frame before it. */
  readonly wentBackMs: number;
  /** Between the last two frames. */
  readonly lastStepMs: number;
  /** What the file says; 0 if it does not. */
  readonly durationMs: number;
}

/** What is wrong with a recording that was read to its end, one sentence; null when it is whole. */
export function faultOfRecording({
  readUntilMs,
  wentBackMs,
  lastStepMs,
  durationMs,
}: RecordingEnd): string | null {
  if (wentBackMs >= LEAST_STEP_BACK_MS) {
    return `The time of the video jumps back by ${clock(wentBackMs)}, and what repeats an earlier time was not analysed: cut the file there and upload the parts.`;
  }
  const missingMs = durationMs - readUntilMs;
  const allowedMs = Math.max(LEAST_MISSING_MS, MISSING_SHARE * durationMs, LAST_FRAMES * lastStepMs);
  if (missingMs <= allowedMs) return null;
  return `The video ends at ${clock(readUntilMs)} of ${clock(durationMs)}: the recording was broken off before it was finished, or the file is damaged. What was found up to there is stored.`;
}

/**
 * What is wrong with a frame after the end that the file says, one sentence; null for all others. Limits and erasures rely on the
 * length of a recording, and one wrong time may lie in another century.
 */
export function faultOfTime(timeMs: number, durationSeconds: number | null): string | null {
  if (durationSeconds === null) return null;
  const durationMs = durationSeconds * 1000;
  if (!isAfterEnd(timeMs, durationMs)) return null;
  return `The video has a frame at ${clock(timeMs)}, after its end at ${clock(durationMs)}. What was found up to there is stored. Repair the file and upload it again: ffmpeg -i FILE -c copy recording.mkv`;
}

/** Whether a time lies after the end that a file says by more than files are inexact. */
export const isAfterEnd = (timeMs: number, durationMs: number): boolean =>
  timeMs > durationMs + Math.max(LEAST_LATE_MS, MISSING_SHARE * durationMs);

/** `1:02:03` or `2:03`. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
