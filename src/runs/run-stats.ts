import type { AttributeKey } from '../vision/attributes/keys.ts';
import type { StaffCounts } from '../vision/zones/staff.ts';

/** `stats` of a run, as stored and shown: its whole life, over every lane and node it was on. */
export interface RunStats {
  readonly processedFrames: number;
  readonly droppedFrames: number;
  /** Processed frames a second, lately. */
  readonly fps: number;
  readonly avgProcessingTimeMs: number;
  /** Of scenes with a staff zone, from their first frame on. */
  readonly staff?: StaffCounts;
  /** Of LEVEL_02 devices, since the node took the run. */
  readonly attributes?: RunAttributes | null;
}

/** What could be told of the people captured. */
export interface RunAttributes {
  /** In the order in which they own keys. */
  readonly models: readonly string[];
  /** Persons in all captures. */
  readonly persons: number;
  /** Keys that these models can tell at all; missing in what was stored before it was kept. */
  readonly coveredKeys?: readonly AttributeKey[];
  /** Share of them, by key, of whom the key could be told, whether it holds or not. */
  readonly coverage: Readonly<Record<string, number>>;
}
