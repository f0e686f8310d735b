import { findHoursOfDevice } from '../../cameras/sites/site.store.ts';
import { adviceSentence } from '../../catalogue/advice/advice-words.ts';
import { QUARTER_MS } from '../../catalogue/metrics/quarter.ts';
import { USUAL_TARGET } from '../../catalogue/waits/target.ts';
import { emit } from '../../delivery/events/emit.ts';
import type { Context } from '../../platform/context.ts';
import { alone } from '../../platform/database/alone.ts';
import type { Db } from '../../platform/database/db.ts';
import { daysBefore, removeOld } from '../../platform/database/remove-old.ts';
import type { StaffingAdvice } from '../../platform/prisma-client/client.ts';
import type { Advice } from '../../waits/advise-tills.ts';
import { countService, serviceLevel } from '../../waits/service-level.ts';
import {
  countOutcomes,
  decideAdvice,
  findCurrent,
  findUndecided,
  holdAdvice,
  insertAdvice,
} from './advice.store.ts';
import { HISTORY_DAYS, MOST_VISITS, SceneHistory, TOLD_DAYS } from './make-advice.ts';
import { outcomeOf } from './outcome.ts';
import { presentAdvice } from './present.ts';
import {
  findArrivals,
  findPresent,
  findStaffedScenes,
  findVisits,
  meanTills,
  type StaffedScene,
} from './staffing.store.ts';

type JobContext = Pick<Context, 'config' | 'db' | 'clock' | 'logger'>;

/** Advice comes every minute; what was said holds a little longer, because numbers swing. */
const HELD_MS = 3 * 60_000;
/** Whoever joined at the end of the time of an advice has been served by then. */
const DECIDED_AFTER_MS = 20 * 60_000;
const MOST_DECIDED = 500;
const MOST_JOINED = 100_000;
/** Of a scene with so much decided advice, only one whose advice was mostly right is told. */
const LEAST_DECIDED = 10;
const NOT_ADVISED = 'advice of a scene has failed';

/** Advises each scene with several tills, and decides what became of advice whose time is over. */
export async function adviseScenes(context: JobContext): Promise<void> {
  const { db, clock, logger } = context;
  const now = clock.now();
  for (const scene of await findStaffedScenes(db, now))
    await alone(logger, scene.id, NOT_ADVISED, () => adviseScene(context, scene, now));
  for (const advice of await findUndecided(db, new Date(now.getTime() - DECIDED_AFTER_MS), MOST_DECIDED))
    await alone(logger, advice.sceneId, NOT_ADVISED, () => decide(context, advice));
}

/** Advice goes with the visits that it was made of. */
export const removeOldAdvice = ({ config, db, clock }: JobContext): Promise<void> =>
  removeOld(db, {
    ...{ table: 'StaffingAdvice', column: 'madeAt' },
    before: daysBefore(clock.now(), config.visitRetentionDays),
  });

async function adviseScene({ db }: JobContext, scene: StaffedScene, now: Date): Promise<void> {
  const { id: sceneId, timezone } = scene;
  const states = scene.tillIds.map((id) => scene.tills.find(({ tillId }) => tillId === id)?.state);
  // Who does not see a till cannot know whether it can open or close.
  if (states.some((state) => state === undefined || state === 'unknown')) return;
  const openTills = states.filter((state) => state !== 'closed').length;
  if (openTills === 0) return;
  const target = scene.target ?? USUAL_TARGET;
  const [history, people] = await Promise.all([historyOf(db, scene, now), findPresent(db, sceneId)]);
  const advice = history.advise({ now, target, people, openTills, mostTills: states.length });
  if (!advice?.change) return;
  const { change } = advice;
  const heldUntil = new Date(now.getTime() + HELD_MS);
  const current = await findCurrent(db, sceneId, now);
  // The same advice is not given twice, even where its times would have moved a little.
  if (current && current.tills > 0 === change.tills > 0)
    return void (await holdAdvice(db, current.id, heldUntil));
  const isShadow = history.days < TOLD_DAYS || !(await isMostlyRight(db, sceneId));
  await db.$transaction(async (tx) => {
    const stored = await insertAdvice(tx, {
      ...{ sceneId, madeAt: now, heldUntil, isShadow, openTills },
      ...{ targetWaitSeconds: target.waitSeconds, targetShare: target.share },
      ...timesOf(advice, change, now),
    });
    if (!stored || isShadow) return;
    const given = presentAdvice(stored);
    const { userId, deviceId } = scene;
    await emit(tx, {
      ...{ userId, deviceId, sceneId, type: 'staffing_advice', occurredAt: now },
      dedupeKey: `staffing_advice:${stored.id}`,
      data: {
        ...{ sceneId, sceneName: scene.name, deviceId, adviceId: stored.id, timezone },
        ...{ tills: given.tills, openTills: given.openTills, startsAt: given.startsAt, endsAt: given.endsAt },
        ...{ lateShare: given.lateShare, lateShareWithIt: given.lateShareWithIt, target: given.target },
        message: `${adviceSentence(given, 'en', timezone)}.`,
      },
    });
  });
}

/** What is known of the scenes by this quarter of an hour; each program reads it once. */
const histories = new WeakMap<Db, { readonly quarter: number; readonly of: Map<string, SceneHistory> }>();

async function historyOf(
  db: Db,
  { id: sceneId, deviceId, timezone }: StaffedScene,
  now: Date,
): Promise<SceneHistory> {
  const quarter = Math.floor(now.getTime() / QUARTER_MS);
  const kept = histories.get(db);
  const { of } = kept?.quarter === quarter ? kept : { of: new Map<string, SceneHistory>() };
  histories.set(db, { quarter, of });
  const known = of.get(sceneId);
  if (known) return known;
  const since = { sceneId, from: daysBefore(now, HISTORY_DAYS), to: now };
  const place = { timezone, hours: await findHoursOfDevice(db, deviceId) };
  const [arrivals, visits] = await Promise.all([
    findArrivals(db, { ...since, ...place }),
    findVisits(db, { ...since, most: MOST_VISITS }),
  ]);
  const history = new SceneHistory(now, place, arrivals, visits);
  of.set(sceneId, history);
  return history;
}

function timesOf(
  { lateAsItIs, lateWithChange }: Advice,
  { tills, from, to }: NonNullable<Advice['change']>,
  now: Date,
) {
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  return {
    tills,
    startsAt: at(from),
    endsAt: at(to),
    lateShare: lateAsItIs,
    lateShareWithIt: lateWithChange,
  };
}

async function isMostlyRight(db: Context['db'], sceneId: string): Promise<boolean> {
  const { helpful = 0, needless = 0 } = await countOutcomes(db, sceneId);
  return helpful + needless < LEAST_DECIDED || helpful >= needless;
}

async function decide({ db }: JobContext, advice: StaffingAdvice): Promise<void> {
  const { id, sceneId, startsAt, endsAt, tills, openTills } = advice;
  const range = { sceneId, from: startsAt, to: endsAt };
  const target = { waitSeconds: advice.targetWaitSeconds, share: advice.targetShare };
  const [visits, seen] = await Promise.all([
    findVisits(db, { ...range, to: new Date(endsAt.getTime() + DECIDED_AFTER_MS), most: MOST_JOINED }),
    meanTills(db, range),
  ]);
  const joined = visits.flatMap(({ outcome, joinedAt, wait }) => {
    if (wait === null) return [];
    const isIn = joinedAt * 1000 >= startsAt.getTime() && joinedAt * 1000 < endsAt.getTime();
    return isIn ? [{ outcome, waitSeconds: wait }] : [];
  });
  const level = serviceLevel(countService(joined, target.waitSeconds));
  const happened = { ...seen, lateShare: level === null ? null : 1 - level };
  await decideAdvice(db, id, {
    outcome: outcomeOf({ tills, openTills, target }, happened),
    people: joined.length,
    actualLateShare: happened.lateShare,
    actualOpenTills: seen.openTills,
  });
}
