import { z } from 'zod';
import { id, time, timestamp } from '../../http/fields.ts';
import { FLOOR_CELLS, FLOOR_COLUMNS, FLOOR_ROWS } from '../../vision/floor/grid.ts';

const DAY_MS = 86_400_000;
/** Longest range of one call. */
const MOST_DAYS = 400;
const isTooLong = (from: Date, to: Date): boolean => to.getTime() - from.getTime() > MOST_DAYS * DAY_MS;

export const floorQuery = z
  .object({
    from: time().meta({
      description: 'Start of the range, included; rounded down to a whole UTC hour',
      example: '2026-01-31T08:00:00.000Z',
    }),
    to: time().meta({
      description: `End of the range, not included; rounded up to a whole UTC hour. At most ${MOST_DAYS} days after \`from\``,
      example: '2026-01-31T20:00:00.000Z',
    }),
  })
  .superRefine(({ from, to }, context) => {
    const refuse = (path: 'from' | 'to', message: string) =>
      context.addIssue({ code: 'custom', path: [path], message, params: { code: 'INVALID_DATE_RANGE' } });
    if (from > to) refuse('from', `must not lie after to, ${to.toISOString()}`);
    else if (isTooLong(from, to)) {
      refuse('to', `must lie at most ${MOST_DAYS} days after from: ask for a shorter range`);
    }
  });

const cells = (description: string) =>
  z.array(z.number().nullable()).length(FLOOR_CELLS).meta({ description });

export const floorMap = z
  .strictObject({
    sceneId: id(),
    from: timestamp().meta({ description: 'Start of the first hour of the map, UTC' }),
    to: timestamp().meta({ description: 'End of the last hour of the map, UTC' }),
    columns: z.literal(FLOOR_COLUMNS).meta({ description: 'Cells across the picture' }),
    rows: z.literal(FLOOR_ROWS).meta({ description: 'Cells down the picture' }),
    coveredSeconds: z.number().meta({ description: 'Seconds with frames in the range, rounded to tenths' }),
    seconds: cells(
      'Person-seconds of presence in each cell, row by row from the top left: the time that the foot points of people were there; staff is left out. Null where nothing was analysed, 0 where nobody was seen. To get the mean number of people, divide it by `coveredSeconds`',
    ),
    dx: cells(
      'Mean movement to the right of the people in each cell, in picture widths per second: the sum of their movements, each person counted by time. Null where nobody was seen, and where people stand still or walk as much one way as the other (less than 0.002 picture widths per second)',
    ),
    dy: cells('The same downwards, also in picture widths per second'),
  })
  .meta({ id: 'FloorMap' });
