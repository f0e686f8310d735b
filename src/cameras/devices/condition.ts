import { z } from 'zod';
import { id, timestamp } from '../../http/fields.ts';
import { STREAM_FAULT_REASONS } from '../../video/stream-error.ts';

/**
 * What is wrong with a camera, in the words of lanes, nodes, the device's row and the API. While a fault lasts, no frames are
 * analysed and the metrics are null. With a warning there are metrics, but they may be wrong.
 */
const FAULT_REASONS = [
  ...STREAM_FAULT_REASONS,
  'no_frames',
  'damaged_video',
  'blank_picture',
  'node_silent',
] as const;
const WARNING_REASONS = [
  'unchanging_picture',
  'view_changed',
  'picture_turned',
  'overloaded',
  'slow_camera',
  'analysis_stream_differs',
  'analysis_stream_offline',
  'people_beside_zone',
] as const;

/** As lanes and nodes report it. `sinceMs` is frame time; `message` is one sentence for people, without credentials. */
interface Reported<Reason extends string> {
  readonly reason: Reason;
  readonly message: string;
  readonly sinceMs: number;
}
export type Fault = Reported<(typeof FAULT_REASONS)[number]>;
export interface Warning extends Reported<(typeof WARNING_REASONS)[number]> {
  /** Of a warning about one scene of the camera. */
  readonly sceneId?: string;
}

/** What lanes and nodes report about a camera. */
export interface DeviceCondition {
  readonly fault: Fault | null;
  readonly warnings: readonly Warning[];
}

const message = z.string().meta({ description: 'What is wrong and what to do, in one sentence' });
const since = timestamp().meta({ description: 'When it began' });

/** As the API shows it and the device's row stores it. */
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
      sceneId: id()
        .optional()
        .meta({ description: 'The scene that it is about; left out where it is about the camera' }),
    }),
  )
  .meta({
    description:
      'What may make the metrics of the device wrong now; the metrics are still computed. Several may have the same reason, each about another scene',
  });

/** What the API shows. */
export interface ShownCondition {
  readonly fault: z.infer<typeof cameraFault>;
  readonly warnings: z.infer<typeof cameraWarnings>;
}

export const NO_FAULT: ShownCondition = { fault: null, warnings: [] };

/**
 * The condition of a row for the API.
 * @param row `silentSince`: since when the node that streams the device has written neither a frame nor a fault
 */
export function presentCondition(row: {
  fault: unknown;
  warnings: unknown;
  silentSince?: Date | null;
}): ShownCondition {
  const fault = cameraFault.parse(row.fault);
  const silent = row.silentSince && {
    reason: 'node_silent' as const,
    message:
      'Its compute node does not answer: its runs continue on this or another node when their leases end.',
    since: row.silentSince.toISOString(),
  };
  return { fault: fault ?? (silent || null), warnings: cameraWarnings.parse(row.warnings) };
}

/** The condition as a row stores it. */
export function storedCondition({ fault, warnings }: DeviceCondition) {
  const stored = <Of extends Fault | Warning>({ sinceMs, ...of }: Of) => ({
    ...of,
    since: new Date(sinceMs).toISOString(),
  });
  return { fault: fault && stored(fault), warnings: warnings.map(stored) };
}
