import { DateTime } from 'luxon';
import { z } from 'zod';
import { unusualSentence } from '../../catalogue/advice/unusual-words.ts';
import { grouped } from '../../catalogue/grouped.ts';
import { round } from '../../catalogue/metrics/arithmetic.ts';
import { emit } from '../../delivery/events/emit.ts';
import type { Context } from '../../platform/context.ts';
import { alone } from '../../platform/database/alone.ts';
import type { Db } from '../../platform/database/db.ts';
import { daysBefore, removeOld } from '../../platform/database/remove-old.ts';
import type { UnusualActivity } from '../../platform/prisma-client/client.ts';
import {
  type Deviation,
  deviationsNow,
  isBack,
  JUDGED_MINUTES,
  LEVEL_MINUTES,
  UNUSUAL_METRICS,
  type UsualMinute,
  unusualOf,
} from '../../waits/usual/unusual-now.ts';
import { UsualDays } from '../../waits/usual/usual-days.ts';
import {
  endUnseen,
  endUnusual,
  findMinutes,
  findQuarters,
  findUnusual,
  findWatchedScenes,
  insertUnusual,
  keepUnusual,
  type MinuteRow,
  type WatchedScene,
} from './unusual.store.ts';

type JobContext = Pick<Context, 'config' | 'db' | 'clock' | 'logger'>;

const MINUTE_MS = 60_000;
const HISTORY_DAYS = 28;
/** Earlier days with frames: fewer do not say what is usual. */
const LEAST_DAYS = 14;
const LEAST_COVERED_MS = 54_000;
/** The last minutes may not be stored yet. */
const STORED_AFTER_MS = 2 * MINUTE_MS;
/** What could not be seen for so long has ended. */
const FORGOTTEN_MS = 60 * MINUTE_MS;
const NOT_WATCHED = 'a scene was not compared with what is usual';
/** Scenes of one statement: the minutes of all of a large installation would be too much at once. */
const MOST_TOGETHER = 50;

const bySceneId = ({ sceneId }: { readonly sceneId: string }): string => sceneId;

/** Notices where a scene leaves what is usual for 20 minutes, once, and when it is back. Two statements read many scenes. */
export async function watchScenes(context: JobContext): Promise<void> {
  const { db, clock, logger } = context;
  const now = clock.now();
  const scenes = await findWatchedScenes(db, now);
  const toMs = Math.floor((now.getTime() - STORED_AFTER_MS) / MINUTE_MS) * MINUTE_MS;
  const fromMs = toMs - (JUDGED_MINUTES + LEVEL_MINUTES) * MINUTE_MS;
  for (let first = 0; first < scenes.length; first += MOST_TOGETHER) {
    const some = scenes.slice(first, first + MOST_TOGETHER);
    const range = { sceneIds: some.map(({ id }) => id), from: new Date(fromMs), to: new Date(toMs) };
    const [minutes, unusual] = await Promise.all([findMinutes(db, range), findUnusual(db, range)]);
    const [minutesOf, unusualIn] = [grouped(minutes, bySceneId), grouped(unusual, bySceneId)];
    for (const scene of some)
      await alone(logger, scene.id, NOT_WATCHED, () => {
        const known = { rows: minutesOf.get(scene.id) ?? [], known: unusualIn.get(scene.id) ?? [] };
        return watchScene(db, scene, { ...known, now, fromMs, toMs });
      });
  }
  await endUnseen(db, new Date(now.getTime() - FORGOTTEN_MS));
}

/** It goes with the visits that it was made of. */
export const removeOldUnusual = ({ config, db, clock }: JobContext): Promise<void> =>
  removeOld(db, {
    ...{ table: 'UnusualActivity', column: 'beganAt' },
    before: daysBefore(clock.now(), config.visitRetentionDays),
  });

interface Watched {
  readonly now: Date;
  readonly fromMs: number;
  readonly toMs: number;
  readonly rows: readonly MinuteRow[];
  readonly known: readonly UnusualActivity[];
}

/** What of an open one tells whether it is over. */
const storedDeviations = z.array(z.object({ metric: z.enum(UNUSUAL_METRICS) }));

async function watchScene(
  db: Db,
  scene: WatchedScene,
  { now, fromMs, toMs, rows, known }: Watched,
): Promise<void> {
  const usual = await usualOf(db, scene, now);
  if (usual.days < LEAST_DAYS) return;
  const byStart = new Map(rows.map((row) => [row.startMs, row]));
  const minutes: UsualMinute[] = [];
  for (let startMs = fromMs; startMs < toMs; startMs += MINUTE_MS) {
    const { hour, minute, weekday } = DateTime.fromMillis(startMs, { zone: scene.timezone });
    const row = byStart.get(startMs) ?? NOTHING;
    minutes.push({
      ...row,
      ...{ weekday: weekday % 7, quarter: hour * 4 + Math.floor(minute / 15) },
      isSeen: row.coveredMs >= LEAST_COVERED_MS,
      isUnusual: known.some(
        ({ beganAt, endedAt }) => startMs >= beganAt.getTime() && startMs < (endedAt?.getTime() ?? toMs),
      ),
    });
  }
  const deviations = deviationsNow(usual, minutes);
  const open = known.find(({ endedAt }) => endedAt === null);
  if (open) {
    const metrics = storedDeviations.parse(open.deviations).map(({ metric }) => metric);
    if (isBack(deviations, metrics)) await endUnusual(db, open.id, now);
    else if (deviations.length > 0) await keepUnusual(db, open.id, now);
    return;
  }
  const found = unusualOf(deviations);
  if (found.length > 0) await notice(db, scene, now, found, new Date(toMs - JUDGED_MINUTES * MINUTE_MS));
}

async function notice(
  db: Db,
  scene: WatchedScene,
  now: Date,
  found: readonly Deviation[],
  beganAt: Date,
): Promise<void> {
  const deviations = found.map(({ metric, ...numbers }) => ({
    metric,
    value: round(numbers.value),
    low: round(numbers.low),
    high: round(numbers.high),
  }));
  const { id: sceneId, name: sceneName, userId, deviceId, timezone } = scene;
  await db.$transaction(async (tx) => {
    const stored = await insertUnusual(tx, {
      ...{ sceneId, beganAt, noticedAt: now, lastUnusualAt: now },
      deviations,
    });
    if (!stored) return;
    const facts = { beganAt: beganAt.toISOString(), deviations };
    await emit(tx, {
      ...{ userId, deviceId, sceneId, type: 'unusual_activity', occurredAt: now },
      dedupeKey: `unusual_activity:${stored.id}`,
      data: {
        ...{ sceneId, sceneName, deviceId, unusualId: stored.id, ...facts, timezone },
        message: `${unusualSentence(facts, 'en', timezone)}.`,
      },
    });
  });
}

const NOTHING = { coveredMs: 0, arrivals: 0, services: 0, logSum: 0, openTills: null };

/** What each scene usually does, by its local day: read once a day by each program. */
const known = new WeakMap<Db, Map<string, { readonly day: string; readonly usual: UsualDays }>>();

async function usualOf(db: Db, { id: sceneId, timezone }: WatchedScene, now: Date): Promise<UsualDays> {
  const today = DateTime.fromJSDate(now, { zone: timezone }).startOf('day');
  const day = `${today.toISODate()} ${timezone}`;
  const ofDb = known.get(db) ?? new Map<string, { day: string; usual: UsualDays }>();
  known.set(db, ofDb);
  const kept = ofDb.get(sceneId);
  if (kept?.day === day) return kept.usual;
  const from = today.minus({ days: HISTORY_DAYS }).toJSDate();
  const usual = new UsualDays(
    await findQuarters(db, { sceneIds: [sceneId], timezone, from, to: today.toJSDate() }),
  );
  ofDb.set(sceneId, { day, usual });
  return usual;
}
