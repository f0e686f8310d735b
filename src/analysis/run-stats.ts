/** `stats` of a run, as stored and shown: its whole life, over every lane and node it was on. */
export interface RunStats {
  readonly processedFrames: number;
  readonly droppedFrames: number;
  /** Processed frames a second, lately. */
  readonly fps: number;
  readonly avgProcessingTimeMs: number;
}
