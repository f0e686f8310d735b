import type { Tx } from '../platform/database/db.ts';
import { Prisma } from '../platform/prisma-client/client.ts';
import type { AttributeKey, SensitiveGroup } from '../vision/attributes/keys.ts';
import { type AttributesSummary, type CapturedPerson, SUMMED_KEYS } from './capture.ts';
import { type People, peopleBytes, peopleOf } from './stored-people.ts';

export interface CapturePlace {
  readonly userId: string;
  readonly deviceId: string;
  readonly sceneId: string;
  readonly taskId: string;
  readonly computeNodeId: string;
}

export interface NewRecord extends CapturePlace {
  readonly capturedAt: Date;
  /** The sensitive groups that are determined. */
  readonly groups: readonly SensitiveGroup[];
  readonly coveredKeys: readonly AttributeKey[];
  readonly persons: readonly CapturedPerson[];
  readonly insightId: string | null;
}

/**
 * Inserts a record of a LEVEL_02 device. If a record of the same scene and moment exists, it only gets the insight's
 * id.
 * @returns its id and whether it is new; null where the device's plan has no attributes
 */
export async function insertRecord(
  tx: Tx,
  record: NewRecord,
): Promise<{ id: string; isNew: boolean } | null> {
  const { userId, deviceId, sceneId, taskId, computeNodeId, capturedAt, persons, insightId } = record;
  const device = Prisma.sql`d.id = ${deviceId}::uuid AND d."userId" = ${userId}::uuid AND d.plan = 'LEVEL_02'
    AND d."deletedAt" IS NULL`;
  const [inserted] = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO "AttributeRecord" ("userId", "deviceId", "sceneId", "taskId", "computeNodeId", "insightId", "capturedAt",
      "totalPersons", people, "coveredKeys", "updatedAt")
    SELECT ${userId}::uuid, d.id, ${sceneId}::uuid, ${taskId}::uuid, ${computeNodeId}::uuid, ${insightId}::uuid,
      ${capturedAt}, ${persons.length}, ${peopleBytes(record, record.groups)}, NULL, clock_timestamp()
    FROM "Device" d WHERE ${device}
    ON CONFLICT ("sceneId", "capturedAt") DO NOTHING RETURNING id`;
  if (inserted) return { id: inserted.id, isNew: true };
  // One statement could tell new rows by their xmax, which PostgreSQL does not give of tables with partitions.
  const [existing] = await tx.$queryRaw<{ id: string }[]>`
    UPDATE "AttributeRecord" r SET "insightId" = coalesce(r."insightId", ${insightId}::uuid) FROM "Device" d
    WHERE r."sceneId" = ${sceneId}::uuid AND r."capturedAt" = ${capturedAt} AND ${device} RETURNING r.id`;
  return existing ? { id: existing.id, isNew: false } : null;
}

export async function removeRecord(
  tx: Tx,
  { sceneId, capturedAt }: Pick<NewRecord, 'sceneId' | 'capturedAt'>,
): Promise<void> {
  await tx.attributeRecord.deleteMany({ where: { sceneId, capturedAt } });
}

/**
 * Adds a record to the sums of its hour. Each track of a run counts once, in the hour of its first capture. A gender or
 * age that becomes known later is added to that same hour, and so are the keys that become known.
 */
export async function rollUp(
  tx: Tx,
  { userId, deviceId, sceneId, taskId }: CapturePlace,
  {
    capturedAt,
    persons,
    coveredKeys,
    switchedOff,
  }: Pick<NewRecord, 'capturedAt' | 'persons' | 'coveredKeys'> & {
    readonly switchedOff: readonly SensitiveGroup[];
  },
): Promise<void> {
  const rows = persons
    .map(({ trackId, attributes, known }) => ({
      trackId,
      known: known.filter((key) => SUMMED_KEYS.includes(key)),
      gender: attributes.find((key) => key === 'female' || key === 'male') ?? null,
      age: attributes.find((key) => key.startsWith('age')) ?? null,
    }))
    .sort((a, b) => a.trackId - b.trackId);
  await tx.$executeRaw`
    WITH n AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n("trackId" int, gender text, age text, known text[])),
    before AS (
      SELECT t."trackId", t."capturedAt", t.gender, t.age, t."knownKeys" FROM "AttributeTrack" t JOIN n USING ("trackId")
      WHERE t."taskId" = ${taskId}::uuid),
    written AS (
      INSERT INTO "AttributeTrack" AS t ("taskId", "trackId", "capturedAt", gender, age, "knownKeys")
      SELECT ${taskId}::uuid, "trackId", ${capturedAt}, gender, age, known FROM n
      ON CONFLICT ("taskId", "trackId") DO UPDATE
        SET gender = coalesce(t.gender, EXCLUDED.gender), age = coalesce(t.age, EXCLUDED.age),
          "knownKeys" = ARRAY(SELECT unnest(t."knownKeys") UNION SELECT unnest(EXCLUDED."knownKeys") ORDER BY 1)
      RETURNING "trackId"),
    added AS (
      SELECT date_trunc('hour', coalesce(b."capturedAt", ${capturedAt}::timestamptz), 'UTC') AS hour,
        (b."trackId" IS NULL)::int AS persons,
        CASE WHEN b.gender IS NULL THEN n.gender END AS gender, CASE WHEN b.age IS NULL THEN n.age END AS age,
        ARRAY(SELECT unnest(n.known) EXCEPT SELECT unnest(b."knownKeys")) AS known
      FROM n JOIN written USING ("trackId") LEFT JOIN before b USING ("trackId")
      UNION ALL SELECT date_trunc('hour', ${capturedAt}::timestamptz, 'UTC'), 0, NULL, NULL, '{}')
    INSERT INTO "AttributeHour" AS h ("userId", "deviceId", "sceneId", hour, "totalRecords", "totalPersons", female, male,
      "ageLess18", "age18To60", "ageOver60", "knownFemale", "knownMale", "knownAgeLess18", "knownAge18To60",
      "knownAgeOver60", "coveredKeys", "switchedOff")
    SELECT ${userId}::uuid, ${deviceId}::uuid, ${sceneId}::uuid, hour,
      (hour = date_trunc('hour', ${capturedAt}::timestamptz, 'UTC'))::int, sum(persons),
      count(*) FILTER (WHERE gender = 'female'), count(*) FILTER (WHERE gender = 'male'),
      count(*) FILTER (WHERE age = 'ageLess18'), count(*) FILTER (WHERE age = 'age18To60'),
      count(*) FILTER (WHERE age = 'ageOver60'),
      count(*) FILTER (WHERE 'female' = ANY(known)), count(*) FILTER (WHERE 'male' = ANY(known)),
      count(*) FILTER (WHERE 'ageLess18' = ANY(known)), count(*) FILTER (WHERE 'age18To60' = ANY(known)),
      count(*) FILTER (WHERE 'ageOver60' = ANY(known)), ${SUMMED_KEYS.filter((key) => coveredKeys.includes(key))}::text[],
      CASE WHEN hour = date_trunc('hour', ${capturedAt}::timestamptz, 'UTC') THEN ${[...switchedOff]}::text[] ELSE '{}' END
    FROM added GROUP BY hour ORDER BY hour
    ON CONFLICT ("sceneId", hour) DO UPDATE SET
      "totalRecords" = h."totalRecords" + EXCLUDED."totalRecords",
      "totalPersons" = h."totalPersons" + EXCLUDED."totalPersons",
      female = h.female + EXCLUDED.female, male = h.male + EXCLUDED.male,
      "ageLess18" = h."ageLess18" + EXCLUDED."ageLess18", "age18To60" = h."age18To60" + EXCLUDED."age18To60",
      "ageOver60" = h."ageOver60" + EXCLUDED."ageOver60",
      "knownFemale" = h."knownFemale" + EXCLUDED."knownFemale", "knownMale" = h."knownMale" + EXCLUDED."knownMale",
      "knownAgeLess18" = h."knownAgeLess18" + EXCLUDED."knownAgeLess18",
      "knownAge18To60" = h."knownAge18To60" + EXCLUDED."knownAge18To60",
      "knownAgeOver60" = h."knownAgeOver60" + EXCLUDED."knownAgeOver60",
      "coveredKeys" = CASE WHEN h."coveredKeys" @> EXCLUDED."coveredKeys" THEN h."coveredKeys" ELSE
        ARRAY(SELECT unnest(h."coveredKeys") UNION SELECT unnest(EXCLUDED."coveredKeys") ORDER BY 1) END,
      "switchedOff" = CASE WHEN h."switchedOff" @> EXCLUDED."switchedOff" THEN h."switchedOff" ELSE
        ARRAY(SELECT unnest(h."switchedOff") UNION SELECT unnest(EXCLUDED."switchedOff") ORDER BY 1 DESC) END`;
}

/** Stores the summary of a record in insights near it that have no attributes yet. */
export async function summariseInsights(
  tx: Tx,
  { userId, sceneId }: Pick<CapturePlace, 'userId' | 'sceneId'>,
  { at, radiusMs, summary }: { at: Date; radiusMs: number; summary: AttributesSummary },
): Promise<void> {
  const [from, to] = [at.getTime() - radiusMs, at.getTime() + radiusMs].map((ms) => new Date(ms));
  await tx.$executeRaw`
    UPDATE "Insight" SET "hasAttributes" = true, "attributesSummary" = ${JSON.stringify(summary)}::jsonb
    WHERE "userId" = ${userId}::uuid AND "sceneId" = ${sceneId}::uuid AND "triggeredAt" BETWEEN ${from} AND ${to}
      AND NOT "hasAttributes" AND "deletedAt" IS NULL`;
}

/** The newest record of a scene in the time before a moment. */
export async function findRecordBefore(
  tx: Tx,
  sceneId: string,
  { at, radiusMs }: { at: Date; radiusMs: number },
): Promise<(People & { totalPersons: number }) | null> {
  const row = await tx.attributeRecord.findFirst({
    where: { sceneId, capturedAt: { gte: new Date(at.getTime() - radiusMs), lte: at } },
    orderBy: { capturedAt: 'desc' },
    select: { totalPersons: true, people: true, attributes: true, known: true, coveredKeys: true },
  });
  return row && { ...peopleOf(row), totalPersons: row.totalPersons };
}
