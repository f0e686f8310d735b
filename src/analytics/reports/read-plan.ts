import { DateTime } from 'luxon';
import { findEffectiveTarget } from '../../cameras/scenes/effective-target.store.ts';
import { type Target, USUAL_TARGET } from '../../catalogue/waits/target.ts';
import type { Context } from '../../platform/context.ts';
import { daysBefore } from '../../platform/database/remove-old.ts';
import { localMoment } from '../../platform/jobs/local-clock.ts';
import type { PlannedHalfHour } from '../../waits/day-plan.ts';
import { HISTORY_DAYS, MOST_VISITS, SceneHistory } from '../advice/make-advice.ts';
import { findArrivals, findVisits } from '../advice/staffing.store.ts';
import { localTime, type Period, type Span } from './period.ts';
import type { ReportedScene, ReportedSite } from './report.store.ts';

/** A half hour of the day that is planned. */
export interface PlannedSpan extends Span, Omit<PlannedHalfHour, 'number'> {
  readonly localTime: string;
}

export interface ScenePlan {
  readonly scene: ReportedScene;
  readonly target: Target;
  /** Null: too little is known. */
  readonly halfHours: readonly PlannedSpan[] | null;
}

/** How many tills the day after a report needs. */
export interface DayPlan {
  readonly date: string;
  readonly fromMs: number;
  readonly scenes: readonly ScenePlan[];
}

const HALF_HOUR_MINUTES = 30;

/** The plan of the day after a period for the scenes with several tills; null where there are none, or that day is over. */
export async function readPlan(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { scenes, hours }: ReportedSite,
  { toMs: fromMs }: Period,
  timezone: string,
): Promise<DayPlan | null> {
  const now = clock.now();
  const day = localMoment(fromMs, timezone);
  const staffed = scenes.flatMap((scene) => {
    const tills = scene.zones.tills?.length ?? 0;
    return tills > 1 ? [{ scene, tills }] : [];
  });
  if (staffed.length === 0 || day.plus({ days: 1 }) <= DateTime.fromJSDate(now)) return null;
  const plans: ScenePlan[] = [];
  // One after the other: a plan is computed here.
  for (const { scene, tills } of staffed) {
    const since = { sceneId: scene.id, from: daysBefore(now, HISTORY_DAYS), to: now };
    const [arrivals, visits, own] = await Promise.all([
      findArrivals(db, { ...since, timezone, hours }),
      findVisits(db, { ...since, most: MOST_VISITS }),
      findEffectiveTarget(db, scene.id),
    ]);
    const target = own ?? USUAL_TARGET;
    const history = new SceneHistory(now, { timezone, hours }, arrivals, visits);
    const planned = history.planDay(day, tills, target);
    plans.push({ scene, target, halfHours: planned?.map((one) => spanOf(one, day, timezone)) ?? null });
  }
  return { date: day.toISODate(), fromMs, scenes: plans };
}

/** By the clock on the wall; of a half hour that it leaves out, the one after. */
function spanOf({ number, ...plan }: PlannedHalfHour, day: DateTime, timezone: string): PlannedSpan {
  const at = (half: number) =>
    day.plus({ days: Math.floor(half / 48) }).set({
      hour: Math.floor((half % 48) / 2),
      minute: (half % 2) * HALF_HOUR_MINUTES,
    });
  const fromMs = at(number).toMillis();
  return { ...plan, fromMs, toMs: at(number + 1).toMillis(), localTime: localTime(fromMs, timezone) };
}
