import { z } from 'zod';
import { timestamp } from '../../../http/fields.ts';
import { filledRange, rangeOf, zone, zoneName } from '../schema.ts';
import { LATEST } from './wait-accuracy.store.ts';

export const waitAccuracyQuery = z.object({ ...rangeOf('28 days'), timezone: zone }).superRefine(filledRange);

const share = z.number().min(0).max(1).nullable();
const seconds = z.number().nullable();

const figures = {
  predictions: z.int().meta({ description: 'People who joined and were told a wait' }),
  served: z.int().meta({ description: 'Those of them whose service began' }),
  gaveUp: z.int().meta({
    description: 'Those who left the line without service: nobody knows how long they would have waited',
  }),
  lost: z.int().meta({ description: 'Those whom the camera lost in the line' }),
  insideBand: z.int().meta({ description: 'Those of the served whose wait lay inside the band' }),
  insideBandShare: share.meta({
    description: '`insideBand` ÷ `served`, 0-1; about 0.8 is right. Null where nobody was served',
  }),
  meanAbsoluteErrorSeconds: seconds.meta({
    description: 'Mean distance of the estimated from the real wait of the served',
  }),
  biasSeconds: seconds.meta({
    description: 'Mean of estimated − real wait of the served: above 0 where too much was told',
  }),
  insideBandShareWithGaveUp: z
    .strictObject({
      atLeast: share.meta({ description: 'If all who gave up within the band had waited longer than it' }),
      atMost: share.meta({ description: 'If all who gave up within the band had been served within it' }),
    })
    .meta({
      description:
        'The share among those who were served or gave up. Who gave up would have waited at least as long: each who left before the end of the band counts as outside in `atLeast` and as inside in `atMost`',
    }),
};

export const waitAccuracy = z
  .strictObject({
    from: timestamp().meta({ description: 'Start of the range' }),
    to: timestamp().meta({ description: 'End of the range' }),
    timezone: zoneName,
    ...figures,
    latest: z
      .strictObject({
        served: z.int().meta({ description: 'How many were served' }),
        insideBand: z.int().meta({ description: 'Those whose wait lay inside the band' }),
      })
      .meta({
        description: `The newest ${LATEST.toLocaleString('en')} of the range whose service began, at most`,
      }),
    hours: z
      .array(
        z.strictObject({ hour: z.int().min(0).max(23).meta({ description: 'Hour of the day' }), ...figures }),
      )
      .meta({
        description:
          'By the hour of the day in which people joined, in the time zone; hours without predictions are left out',
      }),
  })
  .meta({ id: 'WaitAccuracy', description: 'How right the estimated waits were' });
