import { z } from 'zod';
import type { Device } from '../../../platform/prisma-client/client.ts';

/** Why it is not known what a second stream saves. */
const UNKNOWN_SAVINGS = ['no_second_stream', 'main_not_measured', 'second_not_measured'] as const;
type UnknownSaving = (typeof UNKNOWN_SAVINGS)[number];

const percent = (of: string) =>
  z
    .number()
    .nullable()
    .meta({
      description: `What decoding ${of} costs, in percent of a core, when it was analysed last; null until the compute node has measured it, which takes a minute`,
    });

/** What decoding the streams of a device costs. */
export const decodingCosts = z
  .strictObject({
    mainPercent: percent('`streamUrl`'),
    secondPercent: percent('`analysisStreamUrl`'),
    savedPercent: z.number().nullable().meta({
      description:
        'What the second stream saves, in percent of a core; below 0 where it costs more; null: see `unknown`',
    }),
    unknown: z.enum(UNKNOWN_SAVINGS).nullable().meta({
      description:
        'Why it is not known what a second stream saves; null where it is. A stream is measured while it is analysed',
    }),
  })
  .meta({
    description:
      'CPU time that decoding takes on a core of the compute node, as it measured it with these streams. Another address has no costs yet',
  });

type DecodedDevice = Pick<
  Device,
  'mainDecodingPercent' | 'secondDecodingPercent' | 'analysisStreamUrlEncrypted'
>;

export function presentDecoding(device: DecodedDevice): z.input<typeof decodingCosts> {
  const { mainDecodingPercent: main, secondDecodingPercent: second } = device;
  const unknown = whyUnknown(device);
  const isKnown = unknown === null && main !== null && second !== null;
  return {
    mainPercent: tenths(main),
    secondPercent: tenths(second),
    savedPercent: isKnown ? tenths(main - second) : null,
    unknown,
  };
}

function whyUnknown(device: DecodedDevice): UnknownSaving | null {
  if (device.analysisStreamUrlEncrypted === null) return 'no_second_stream';
  if (device.mainDecodingPercent === null) return 'main_not_measured';
  return device.secondDecodingPercent === null ? 'second_not_measured' : null;
}

const tenths = (value: number | null): number | null => (value === null ? null : Math.round(value * 10) / 10);
