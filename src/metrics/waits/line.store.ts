import type { Db, Tx } from '../../platform/database/db.ts';
import { timezoneOf } from '../../platform/jobs/schedule.ts';
import type { Prisma } from '../../platform/prisma-client/client.ts';
import type { LineVisit } from '../../waits/line-moments.ts';
import { LEARNED_SERVICES } from '../../waits/wait-predictor.ts';
import { visitOfRow } from '../visit-of-row.ts';
import { lineVisitOf } from './line-visit-of.ts';
import type { LearnedVisit, Said, StoredLine } from './line-waits.ts';
import { localTimeIn } from './local-time.ts';

const DAY_MS = 86_400_000;
/** Visits of the last weeks, and at most so many: the predictor remembers 2,048 services. */
const LEARNED_DAYS = 28;
const MOST_LEARNED = 3_000;
/** Of another scene of the site: so few that the scene's own visits soon count for more. */
const MOST_OF_SITE = 300;
/** No service takes longer: somebody has fallen asleep, or the clock of a camera was wrong. */
const LONGEST_SECONDS = 86_400;

export interface SceneSaid {
  readonly taskId: string;
  readonly said: readonly Said[];
}

/** Stores what people were told. The visits must be stored before, in the same transaction or earlier. */
export async function writeSaid(tx: Tx, scenes: readonly SceneSaid[]): Promise<void> {
  const ms = (seconds: number): number => Math.round(seconds * 1000);
  const rows = scenes.flatMap(({ taskId, said }) =>
    said.map(({ number, ahead, median, low, high }) => ({
      ...{ taskId, number, ahead: Math.min(ahead, 32_767) },
      ...{ median: ms(median), low: ms(low), high: ms(high) },
    })),
  );
  if (rows.length === 0) return;
  await tx.$executeRaw`
    UPDATE "Visit" v SET "predictedAhead" = n.ahead, "predictedWaitMs" = n.median, "predictedLowMs" = n.low,
      "predictedHighMs" = n.high
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS n("taskId" uuid, number int, ahead smallint, median int, low int, high int)
    WHERE v."taskId" = n."taskId" AND v.number = n.number`;
}

interface LoadLine {
  readonly sceneId: string;
  readonly taskId: string;
  /** Frame time. */
  readonly nowMs: number;
  readonly lastFrameMs: number | null;
}

/** What the waits of a scene are learned from, and how many of its visits cannot be true. */
export async function loadLine(
  db: Db,
  { sceneId, taskId, nowMs, lastFrameMs }: LoadLine,
): Promise<{ readonly line: StoredLine; readonly refused: number }> {
  const scene = await db.scene.findUniqueOrThrow({
    where: { id: sceneId },
    select: { device: { select: { timezone: true, schedule: true } } },
  });
  const since = new Date(nowMs - LEARNED_DAYS * DAY_MS);
  const ended = await endedVisits(db, sceneId, since, MOST_LEARNED);
  const open = await db.visit.findMany({ where: { taskId, outcomeDecidedAt: null } });
  const own = [...ended, ...open].map((row) => learnedVisit(row, nowMs));
  const visits = own.filter((visit) => visit !== null);
  const services = visits.filter(({ endedAt }) => endedAt !== null).length;
  const other = services < LEARNED_SERVICES ? await busiestOfSite(db, sceneId, since) : null;
  const ofSite = other === null ? [] : await endedVisits(db, other, since, MOST_OF_SITE);
  return {
    line: {
      visits,
      ofSite: ofSite.flatMap((row) => learnedVisit(row, nowMs) ?? []),
      local: localTimeIn(timezoneOf(scene.device) ?? 'UTC'),
      lastFrameMs,
    },
    refused: own.length - visits.length,
  };
}

const endedVisits = (db: Db, sceneId: string, since: Date, take: number) =>
  db.visit.findMany({
    where: { sceneId, state: 'closed', outcomeDecidedAt: { gte: since } },
    orderBy: { outcomeDecidedAt: 'desc' },
    take,
  });

/** Another scene at a device of the same site: the one with the most services. */
async function busiestOfSite(db: Db, sceneId: string, since: Date): Promise<string | null> {
  const [busiest] = await db.$queryRaw<{ id: string }[]>`
    SELECT other.id FROM "Scene" s
    JOIN "Scene" other ON other."userId" = s."userId" AND other.id <> s.id AND other."deletedAt" IS NULL
      AND EXISTS (SELECT 1 FROM "SiteDevice" own JOIN "SiteDevice" its ON its."siteId" = own."siteId"
        WHERE own."deviceId" = s."deviceId" AND its."deviceId" = other."deviceId")
    CROSS JOIN LATERAL (
      SELECT count(*) AS services FROM (
        SELECT 1 FROM "Visit" v
        WHERE v."sceneId" = other.id AND v."outcomeDecidedAt" >= ${since} AND v.outcome = 'completed'
        LIMIT ${MOST_OF_SITE}) v) counted
    WHERE s.id = ${sceneId}::uuid AND counted.services >= ${LEARNED_SERVICES}
    ORDER BY counted.services DESC, other.id LIMIT 1`;
  return busiest?.id ?? null;
}

type VisitRow = Prisma.VisitGetPayload<object>;

/** Null where the times of the visit cannot be true. */
function learnedVisit(row: VisitRow, nowMs: number): LearnedVisit | null {
  const visit = visitOfRow(row);
  const line = lineVisitOf(visit);
  if (!isTrue(line, nowMs / 1000)) return null;
  const isOpen = row.outcomeDecidedAt === null;
  return {
    ...line,
    person: isOpen ? line.person : row.id,
    number: isOpen ? row.number : null,
    said: saidOf(row),
  };
}

function saidOf({ predictedWaitMs, predictedLowMs, predictedHighMs }: VisitRow): LearnedVisit['said'] {
  if (predictedWaitMs === null || predictedLowMs === null || predictedHighMs === null) return null;
  const [median, low, high] = [predictedWaitMs / 1000, predictedLowMs / 1000, predictedHighMs / 1000];
  return low >= 0 && low <= high ? { median, low, high, reason: null } : null;
}

function isTrue({ joinedAt, leftAt, startedAt, endedAt, lostAt }: LineVisit, now: number): boolean {
  const order = [joinedAt, leftAt, startedAt, endedAt ?? lostAt ?? null].filter((at) => at !== null);
  return order.every((at, place) => {
    const before = order[place - 1] ?? at;
    return at >= before && at - before <= LONGEST_SECONDS && at <= now + 1;
  });
}
