import { z } from 'zod';
import { timestamp } from '../http/fields.ts';
import { STREAM_FAULT_REASONS } from '../video/stream-error.ts';

/**
 * What is wrong with a camera: the one vocabulary of lanes, nodes, the device's row and the API. A fault keeps its pictures
 * from being analysed: its numbers are null until it is over. A warning makes numbers doubtful that are made all the same.
 */
const FAULT_REASONS = [
  ...STREAM_FAULT_REASONS,
  'no_frames',
  'damaged_video',
  'blank_picture',
  'node_silent',
] as const;
const WARNING_REASONS = ['unchanging_picture', 'view_changed', 'overloaded', 'slow_camera'] as const;

/** As lanes and nodes tell it: `sinceMs` is frame time. `message`: one sentence for people, without credentials. */
interface Reported<Reason extends string> {
  readonly reason: Reason;
  readonly message: string;
  readonly sinceMs: number;
}
export type Fault = Reported<(typeof FAULT_REASONS)[number]>;
export type Warning = Reported<(typeof WARNING_REASONS)[number]>;

/** How a camera is now. */
export interface DeviceCondition {
  readonly fault: Fault | null;
  readonly warnings: readonly Warning[];
}

const message = z.string().meta({ description: 'What is wrong and what to do, in one sentence' });
const since = timestamp().meta({ description: 'When it began' });

/** As the API shows it and as the device's row holds it. */
export const cameraFault = z
  .strictObject({
    reason: z.enum(FAULT_REASONS).meta({ description: 'Reason as a code' }),
    message,
    since,
  })
  .nullable()
  .meta({ description: 'Why the frames of the device cannot be analysed now; null if they can' });
export const cameraWarnings = z
  .array(
    z.strictObject({
      reason: z.enum(WARNING_REASONS).meta({ description: 'Reason as a code' }),
      message,
      since,
    }),
  )
  .meta({ description: 'What may make the metrics of the device wrong now; the metrics are still computed' });

/** As the API shows them. */
export interface ShownCondition {
  readonly fault: z.infer<typeof cameraFault>;
  readonly warnings: z.infer<typeof cameraWarnings>;
}

export const NO_FAULT: ShownCondition = { fault: null, warnings: [] };

/**
 * What a row holds, as the API shows it.
 * @param row `silentSince`: since when the node that is to tell its fault has told nothing, no frame either
 */
export function presentCondition(row: {
  fault: unknown;
  warnings: unknown;
  silentSince?: Date | null;
}): ShownCondition {
  const told = cameraFault.parse(row.fault);
  const silent = row.silentSince && {
    reason: 'node_silent' as const,
    message:
      'Its compute node says nothing: its runs go on at this or another node once their leases are over.',
    since: row.silentSince.toISOString(),
  };
  return { fault: told ?? (silent || null), warnings: cameraWarnings.parse(row.warnings) };
}

/** What a row is to hold. */
export function storedCondition({ fault, warnings }: DeviceCondition) {
  const stored = <Of extends Fault | Warning>({ sinceMs, ...of }: Of) => ({
    ...of,
    since: new Date(sinceMs).toISOString(),
  });
  return { fault: fault && stored(fault), warnings: warnings.map(stored) };
}
