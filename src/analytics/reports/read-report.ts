import { openIn } from '../../cameras/sites/open-hours.ts';
import { hoursOn, type OpenSpan, openWithin } from '../../catalogue/hours/opening-hours.ts';
import type { ComparedName } from '../../catalogue/metrics/all.ts';
import type { Sums } from '../../catalogue/metrics/sums.ts';
import { NO_TIME, NO_VISITS, timeOfScenes } from '../../metrics/sums.ts';
import type { Context } from '../../platform/context.ts';
import { hasZone } from '../../vision/scene-zones.ts';
import type { GroupedSpan } from '../history/group-sums.store.ts';
import { onlyOpen } from '../history/open-hours.ts';
import { readTills, type TillBucket } from '../history/tills/read-tills.ts';
import { type Change, changesOf, type Numbers, numbersFor } from './numbers.ts';
import { type ComparedPeriods, localTime, type Period, type PeriodKind, type Span } from './period.ts';
import { type DayPlan, readPlan } from './read-plan.ts';
import {
  countArrivalsByLevel,
  type Level,
  NONE,
  type ReportedScene,
  type ReportedSite,
  type ReportSpan,
  sumDecidedByLevel,
  sumTimeByLevel,
} from './report.store.ts';

/** The numbers of now, and those of the period before at the same place; null where that period has no such time. */
export interface Compared {
  readonly current: Numbers;
  readonly previous: Numbers | null;
}

/** An hour or a day of the period. */
export interface ReportedSpan extends Span, Compared {
  /** Local time of its start with the offset from UTC. */
  readonly localTime: string;
  /** Share of it that is open, 0-100; null where nobody has said. */
  readonly openPercent: number | null;
}

/** A day of the period. */
export interface ReportedDay extends ReportedSpan {
  /** The name of a date with other hours than usual: Christmas. */
  readonly exceptionName: string | null;
}

/** A till of a scene. */
export interface ReportedTill extends TillBucket {
  readonly scene: ReportedScene;
  readonly tillId: string;
}

export interface Report {
  readonly site: { readonly id: string; readonly name: string };
  readonly locale: string | null;
  readonly kind: PeriodKind;
  readonly timezone: string;
  readonly period: Period;
  readonly comparedWith: Period;
  /** The period has not ended: its numbers still change. */
  readonly isUnfinished: boolean;
  readonly summary: { readonly current: Numbers; readonly previous: Numbers };
  /** Null for a period that has not ended: a part would be compared with a whole. */
  readonly change: Readonly<Record<ComparedName, Change>> | null;
  readonly scenes: readonly (Compared & { readonly scene: ReportedScene })[];
  /** In the period; of the scenes that have tills. */
  readonly tills: readonly ReportedTill[];
  readonly days: readonly ReportedDay[];
  readonly hours: readonly ReportedSpan[];
  /** The hours with most arrivals, the busiest first. */
  readonly busiestHours: readonly ReportedSpan[];
  /** Of the day after the period. */
  readonly plan: DayPlan | null;
}

const BUSIEST = 3;

/** The report of a site. Three statements, whatever the number of scenes, and six for each scene with tills. */
export async function readReport(
  context: Pick<Context, 'db' | 'clock'>,
  site: ReportedSite,
  { kind, timezone, current, previous }: ComparedPeriods,
): Promise<Report> {
  const nowMs = context.clock.now().getTime();
  const open = openIn(site.hours, { fromMs: previous.fromMs, toMs: current.toMs });
  const [{ before, now, scenes }, tills, plan] = await Promise.all([
    readNumbers(context.db, site, { previous, current, nowMs, open }),
    tillsOf(context, site, { ...current, timezone }),
    readPlan(context, site, current, timezone),
  ]);
  const spansOf = (name: 'days' | 'hours'): ReportedSpan[] => {
    const earlier = new Map(keyed(before[name], timezone).map(({ key, numbers }) => [key, numbers]));
    return keyed(now[name], timezone).map(({ span, key, numbers }) => ({
      ...span,
      localTime: localTime(span.fromMs, timezone),
      openPercent: open && Math.round((openWithin(open, span) / (span.toMs - span.fromMs)) * 1_000) / 10,
      current: numbers,
      previous: earlier.get(key) ?? null,
    }));
  };
  const hours = spansOf('hours');
  const isUnfinished = nowMs < current.toMs;
  return {
    site: { id: site.id, name: site.name },
    locale: site.locale,
    ...{ kind, timezone, isUnfinished, hours, plan },
    period: current,
    comparedWith: previous,
    summary: { current: now.whole, previous: before.whole },
    change: isUnfinished ? null : changesOf(now.whole, before.whole),
    scenes,
    tills,
    days: spansOf('days').map((day) => ({
      ...day,
      exceptionName: exceptionOn(site, day.localTime.slice(0, 10)),
    })),
    busiestHours: hours
      .filter((hour) => arrivalsIn(hour) > 0)
      .sort((a, b) => arrivalsIn(b) - arrivalsIn(a) || a.fromMs - b.fromMs)
      .slice(0, BUSIEST),
  };
}

const arrivalsIn = ({ current: { arrivals } }: ReportedSpan): number => arrivals ?? 0;

const exceptionOn = ({ hours: [own] }: ReportedSite, date: string): string | null =>
  (own && hoursOn(own.hours, date).exception?.name) ?? null;

async function tillsOf(
  context: Pick<Context, 'db' | 'clock'>,
  { scenes, hours }: ReportedSite,
  { fromMs, toMs, timezone }: Span & { readonly timezone: string },
): Promise<ReportedTill[]> {
  const range = { fromMs, toMs, timezone, bucket: '1d' } as const;
  const ofScenes = scenes.map(async (scene): Promise<ReportedTill[]> => {
    if (!hasZone(scene.zones, 'tills')) return [];
    const { tills } = await readTills(context, { scene, hours }, range);
    return tills.map(({ tillId, total }) => ({ ...total, scene, tillId }));
  });
  return (await Promise.all(ofScenes)).flat();
}

/** With names that the same hours, or days, of two weeks share. An hour that the clock repeats is numbered. */
function keyed(spans: readonly SpanNumbers[], timezone: string): (SpanNumbers & { readonly key: string })[] {
  const seen = new Map<string, number>();
  return spans.map((one) => {
    const [date, time] = localTime(one.span.fromMs, timezone).split('T') as [string, string];
    const key = `${new Date(date).getUTCDay()} ${time.slice(0, 5)}`;
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    return { ...one, key: `${key} ${times}` };
  });
}

interface SpanNumbers {
  readonly span: Span;
  readonly numbers: Numbers;
}

interface PeriodNumbers {
  readonly whole: Numbers;
  readonly days: readonly SpanNumbers[];
  readonly hours: readonly SpanNumbers[];
}

/** The numbers of two periods that follow each other. */
async function readNumbers(
  db: Context['db'],
  { scenes }: ReportedSite,
  {
    previous,
    current,
    nowMs,
    open,
  }: { previous: Period; current: Period; nowMs: number; open: readonly OpenSpan[] | null },
): Promise<{ before: PeriodNumbers; now: PeriodNumbers; scenes: Report['scenes'] }> {
  const spans = spansOfAll([previous, current], open);
  const ids = scenes.map(({ id }) => id);
  const [decided, arrivals, coverage] = await Promise.all([
    sumDecidedByLevel(db, ids, spans),
    countArrivalsByLevel(db, ids, spans),
    sumTimeByLevel(db, ids, spans),
  ]);
  const visits = byLevel(decided);
  const entries = byLevel(arrivals.map((row) => ({ day: null, ...row })));
  const frames = byLevel(coverage);
  const elapsedIn = ({ fromMs, toMs }: Span) => {
    const untilMs = Math.min(toMs, nowMs);
    return Math.max(0, open ? openWithin(open, { fromMs, toMs: untilMs }) : untilMs - fromMs);
  };
  const sumsOf = (key: string, span: Span): Sums => ({
    ...NO_TIME,
    ...NO_VISITS,
    ...frames.get(key),
    ...visits.get(key),
    arrivals: entries.get(key)?.arrivals ?? 0,
    elapsedMs: elapsedIn(span),
  });
  const ofSite = numbersFor(scenes.map(({ zones }) => zones));
  const sumsOfScene = ({ id }: ReportedScene, period: Period) =>
    sumsOf(`scene ${id} ${period === previous ? 0 : 1}`, period);
  let [dayAt, hourAt] = [0, 0];
  const numbersOf = (period: Period, at: number): PeriodNumbers => {
    const hours = period.hours.map((span) => ({ span, sums: sumsOf(`hour ${hourAt++}`, span) }));
    const enteredIn = ({ fromMs, toMs }: Span) =>
      hours
        .filter(({ span }) => span.fromMs >= fromMs && span.fromMs < toMs)
        .reduce((all, { sums }) => all + sums.arrivals, 0);
    const days = period.days.map((span) => ({
      span,
      sums: { ...sumsOf(`day ${dayAt++}`, span), arrivals: enteredIn(span) },
    }));
    const whole: Sums = {
      ...NO_VISITS,
      ...timeOfScenes(scenes.map((scene) => sumsOfScene(scene, period))),
      ...visits.get(`period ${at}`),
      arrivals: enteredIn(period),
      elapsedMs: elapsedIn(period),
    };
    const shown = ({ span, sums }: { span: Span; sums: Sums }) => ({ span, numbers: ofSite(sums) });
    return { whole: ofSite(whole), days: days.map(shown), hours: hours.map(shown) };
  };
  return {
    before: numbersOf(previous, 0),
    now: numbersOf(current, 1),
    scenes: scenes.map((scene) => {
      const ofScene = (period: Period) => numbersFor([scene.zones])(sumsOfScene(scene, period));
      return { scene, current: ofScene(current), previous: ofScene(previous) };
    }),
  };
}

/** The open hours of all periods, and the time between, as adjoining spans. */
function spansOfAll(periods: readonly Period[], open: readonly OpenSpan[] | null): ReportSpan[] {
  const spans: GroupedSpan[] = [];
  const places: { hour: number; day: number; period: number }[] = [];
  let firstDay = 0;
  for (const [period, { hours, days, toMs }] of periods.entries()) {
    for (const hour of hours) {
      const day = firstDay + days.findIndex((one) => hour.fromMs < one.toMs);
      spans.push({ ...hour, group: places.length });
      places.push({ hour: places.length, day, period });
    }
    firstDay += days.length;
    const next = periods[period + 1];
    if (next && next.fromMs > toMs) spans.push({ fromMs: toMs, toMs: next.fromMs, group: NONE });
  }
  const between = { hour: NONE, day: NONE, period: NONE };
  return onlyOpen(spans, open).map(({ fromMs, toMs, group }) => ({
    ...{ fromMs, toMs },
    ...(places[group] ?? between),
  }));
}

const byLevel = <Row extends Level>(rows: readonly Row[]) => new Map(rows.map((row) => [keyOf(row), row]));

function keyOf({ hour, day, period, sceneId }: Level): string {
  if (hour !== null) return `hour ${hour}`;
  if (day !== null) return `day ${day}`;
  return sceneId === null ? `period ${period}` : `scene ${sceneId} ${period}`;
}
