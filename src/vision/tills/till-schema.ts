import { z } from 'zod';
import { coversWhole } from '../../catalogue/zones/cover.ts';
import { MOST_TILL_NAME, MOST_TILLS, overlappingTills } from '../../catalogue/zones/tills.ts';
import { cornersSchema, refusePolygon } from '../polygon-schema.ts';
import type { Point } from '../types.ts';

export const tillIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,40}$/, 'must be 1-40 letters, digits, - and _')
  .describe('names the till over all changes of its name and polygon');

const tillSchema = z.strictObject({
  id: tillIdSchema,
  name: z.string().trim().min(1).max(MOST_TILL_NAME).describe('what people call the till'),
  type: z.literal('polygon'),
  points: cornersSchema,
  staffPoints: cornersSchema
    .optional()
    .describe(
      'corners of the place where the person who serves stands; left out where the camera does not see it',
    ),
});

export const tillsSchema = z
  .array(tillSchema)
  .min(1, 'must hold 1-12 tills; leave it out in a scene without tills')
  .max(MOST_TILLS, `must hold at most ${MOST_TILLS} tills; make a second scene for the others`)
  .describe(
    'the tills: who stands in the polygon of one is in service there. With them `checkoutZone` may be left out; a person in it and at no till is in service at no till',
  );

export const queueFeedsSchema = z
  .strictObject({
    tillIds: z.array(tillIdSchema).min(1).max(MOST_TILLS).describe('ids of tills of this scene, each once'),
  })
  .describe('the tills to which the people of the queue zone go; left out: all');

type Drawn = z.output<typeof tillSchema>;

interface TillZones {
  readonly tills: readonly Drawn[] | undefined;
  readonly queueFeeds: z.output<typeof queueFeedsSchema> | undefined;
  readonly hasQueue: boolean;
}

interface Fault {
  readonly path: (string | number)[];
  readonly message: string;
}

/** What is wrong with tills that the schema accepts, each alone and together. */
export function tillFaults({ tills = [], queueFeeds, hasQueue }: TillZones): Fault[] {
  const shapes = tills.flatMap(shapeFaults);
  // Only valid polygons can be compared.
  const pairs = shapes.length === 0 ? overlaps(tills) : [];
  return [...shapes, ...repeated(tills), ...pairs, ...feedFaults(tills, queueFeeds, hasQueue)];
}

function shapeFaults({ name, points, staffPoints }: Drawn, at: number): Fault[] {
  const refusal = refusePolygon(points);
  if (refusal) return [{ path: ['tills', at, 'points'], message: refusal }];
  if (!staffPoints) return [];
  const path = ['tills', at, 'staffPoints'];
  const message = refusePolygon(staffPoints);
  if (message) return [{ path, message }];
  if (!coversWhole(points as Point[], staffPoints as Point[])) return [];
  const covered = `covers the whole till "${name}", so customers there would be taken for staff: draw it around the place of the staff alone`;
  return [{ path, message: covered }];
}

/** Ids and names must tell tills apart. */
function repeated(tills: readonly Drawn[]): Fault[] {
  return (['id', 'name'] as const).flatMap((key) =>
    tills.flatMap((till, at) => {
      const first = tills.findIndex((other) => other[key] === till[key]);
      if (first === at) return [];
      return [
        { path: ['tills', at, key], message: `"${till[key]}" is the ${key} of till ${first + 1} already` },
      ];
    }),
  );
}

function overlaps(tills: readonly Drawn[]): Fault[] {
  return overlappingTills(tills).map(({ till, at, other }) => ({
    path: ['tills', at, 'points'],
    message: `till "${till.name}" and till "${other.name}" overlap by more than a tenth: a person there would be at both`,
  }));
}

function feedFaults(tills: readonly Drawn[], feeds: TillZones['queueFeeds'], hasQueue: boolean): Fault[] {
  if (!feeds) return [];
  const path = ['queueFeeds'];
  if (!hasQueue) return [{ path, message: 'needs a queueZone: its people go to these tills' }];
  return feeds.tillIds.flatMap((id, at) => {
    const where = [...path, 'tillIds', at];
    if (feeds.tillIds.indexOf(id) !== at) return [{ path: where, message: `names till "${id}" twice` }];
    if (tills.some((till) => till.id === id)) return [];
    return [{ path: where, message: `names till "${id}", which is not in tills` }];
  });
}
