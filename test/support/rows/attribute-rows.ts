import type { Db } from '../../../src/platform/database/db.ts';
import type { AttributeRecord, Prisma } from '../../../src/platform/prisma-client/client.ts';
import { ALL_ATTRIBUTE_KEYS, type AttributeKey } from '../../../src/vision/attributes/keys.ts';
import type { Place } from './alert-rows.ts';

type Counts = Partial<Record<AttributeKey, number>>;

/** All 27 keys, 0 where not given. */
export const countsOf = (counts: Counts): Record<AttributeKey, number> =>
  Object.fromEntries(ALL_ATTRIBUTE_KEYS.map((key) => [key, counts[key] ?? 0])) as Record<
    AttributeKey,
    number
  >;

/** A capture of a scene, with one person per count of a gender. @param known what could be told; by default what was counted */
export function addAttributeRecord(
  db: Db,
  { userId, deviceId, sceneId }: Place,
  {
    capturedAt,
    counts = {},
    known = counts,
    ...columns
  }: { capturedAt: Date; counts?: Counts; known?: Counts } & Partial<
    Pick<Prisma.AttributeRecordUncheckedCreateInput, 'insightId' | 'computeNodeId' | 'coveredKeys'>
  >,
): Promise<AttributeRecord> {
  const persons = (['female', 'male'] as const).flatMap((gender) =>
    Array.from({ length: counts[gender] ?? 0 }, (_, n) => ({
      trackId: n + 1,
      box: { left: 0.1, top: 0.2, right: 0.3, bottom: 0.9 },
      confidence: 0.9,
      attributes: [gender],
      known: [gender],
    })),
  );
  return db.attributeRecord.create({
    data: {
      userId,
      deviceId,
      sceneId,
      capturedAt,
      totalPersons: persons.length,
      attributes: countsOf(counts),
      known: countsOf(known),
      persons,
      ...columns,
    },
  });
}

/** An hour of a scene as the roll-up keeps it. */
export async function addAttributeHour(
  db: Db,
  { userId, deviceId, sceneId }: Place,
  hour: Date,
  sums: Partial<Omit<Prisma.AttributeHourUncheckedCreateInput, 'userId' | 'deviceId' | 'sceneId' | 'hour'>>,
): Promise<void> {
  const known = { knownFemale: 0, knownMale: 0, knownAgeLess18: 0, knownAge18To60: 0, knownAgeOver60: 0 };
  await db.attributeHour.create({ data: { userId, deviceId, sceneId, hour, ...known, ...sums } });
}
