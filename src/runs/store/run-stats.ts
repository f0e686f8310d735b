import { z } from 'zod';
import type { Decoding } from '../../video/frame-source.ts';
import { ROTATIONS, type Rotation } from '../../video/picture/turn.ts';
import { ALL_ATTRIBUTE_KEYS, type AttributeKey } from '../../vision/attributes/keys.ts';
import type { AnalysedPart } from '../../vision/region.ts';
import { STAFF_REASONS, type StaffCounts } from '../../vision/zones/staff.ts';

/** `stats` of a run, as stored and shown: from its start, over all lanes and nodes that executed it. */
export interface RunStats {
  readonly processedFrames: number;
  /** Of these, frames without a detection, because nothing had changed. */
  readonly skippedFrames: number;
  /** Of the skipped ones, frames in which people stood still; missing in what older versions stored. */
  readonly heldFrames?: number;
  readonly droppedFrames: number;
  /** Processed frames a second over the last ten seconds. */
  readonly fps: number;
  /** Of frames that were not skipped. */
  readonly avgProcessingTimeMs: number;
  /** What is analysed; left out before the first frame, and of recordings. */
  readonly analysed?: AnalysedPart | null;
  /** Which frames are decoded now; left out before the first report. */
  readonly decoding?: Decoding;
  /** Only of recordings: seconds of video analysed in a second, over the last ten seconds; null before it is known. */
  readonly secondsPerSecond?: number | null;
  /** Only of recordings: the rotation with which people are found, where they are found only in a turned picture; otherwise null. */
  readonly wantedRotation?: Rotation | null;
  /** Of scenes with a staff zone from the first frame on; of others once somebody was found to be staff. */
  readonly staff?: StaffCounts;
  /** Only of LEVEL_02 devices, since the present node claimed the run. */
  readonly attributes?: RunAttributes | null;
}

/** How many attributes the models determined of the people in captures. */
export interface RunAttributes {
  /** In the order in which they own keys. */
  readonly models: readonly string[];
  /** People in all captures. */
  readonly persons: number;
  /** Keys that these models can determine. */
  readonly coveredKeys: readonly AttributeKey[];
  /** By key, the share of these people of whom a model determined whether the key holds. */
  readonly coverage: Readonly<Record<string, number>>;
}

const size = { width: z.number(), height: z.number() };
const member = z.object({
  ...{ trackId: z.number(), reason: z.enum(STAFF_REASONS), decidedAtMs: z.number().nullable() },
  ...{ seconds: z.number(), othersServed: z.number().nullable() },
});

/** What is missing was not known when it was stored. */
export const storedStats = z
  .object({
    ...{ processedFrames: z.number(), skippedFrames: z.number(), heldFrames: z.number() },
    ...{ droppedFrames: z.number(), fps: z.number(), avgProcessingTimeMs: z.number() },
    analysed: z
      .object({ region: z.object({ left: z.number(), top: z.number(), ...size }), size: z.object(size) })
      .nullable(),
    decoding: z.enum(['all', 'needed', 'key']),
    secondsPerSecond: z.number().nullable(),
    wantedRotation: z.literal([...ROTATIONS]).nullable(),
    staff: z.object({
      ...{ present: z.number(), people: z.number(), members: z.array(member) },
      ...{ meanDecisionSeconds: z.number().nullable(), longestDecisionSeconds: z.number().nullable() },
    }),
    attributes: z
      .object({
        ...{ models: z.array(z.string()), persons: z.number() },
        coveredKeys: z.array(z.enum(ALL_ATTRIBUTE_KEYS)).nullable(),
        coverage: z.record(z.string(), z.number()),
      })
      .nullable(),
  })
  .partial();
