import { openIn } from '../../cameras/sites/open-hours.ts';
import { hoursOn, type OpenSpan, openWithin } from '../../catalogue/hours/opening-hours.ts';
import type { ComparedName } from '../../catalogue/metrics/all.ts';
import type { Sums } from '../../catalogue/metrics/sums.ts';
import { NO_TIME, NO_VISITS, timeOfScenes } from '../../metrics/sums.ts';
import type { Context } from '../../platform/context.ts';
import { hasZone } from '../../vision/scene-zones.ts';
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
  type ReportSpans,
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
  const [numbers, tills, plan] = await Promise.all([
    readNumbers(context.db, site, { periods: [previous, current], nowMs, open }),
    tillsOf(context, site, { ...current, timezone }),
    readPlan(context, site, current, timezone),
  ]);
  const [before, now] = numbers as [PeriodNumbers, PeriodNumbers];
  const spansOf = (name: 'days' | 'hours'): ReportedSpan[] => {
    const earlier = new Map(
      keysOf(previous[name], timezone).map((key, at) => [key, before[name][at]!] as const),
    );
    const keys = keysOf(current[name], timezone);
    return current[name].map((span, at) => ({
      ...span,
      localTime: localTime(span.fromMs, timezone),
      openPercent: open && Math.round((openWithin(open, span) / (span.toMs - span.fromMs)) * 1_000) / 10,
      current: now[name][at]!,
      previous: earlier.get(keys[at]!) ?? null,
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
    scenes: site.scenes.map((scene, at) => ({
      scene,
      current: now.scenes[at]!,
      previous: before.scenes[at]!,
    })),
    tills,
    days: spansOf('days').map((day) => ({
      ...day,
      exceptionName: exceptionOn(site, day.localTime.slice(0, 10)),
    })),
    busiestHours: hours
      .filter(({ current: { arrivals } }) => (arrivals ?? 0) > 0)
      .sort((a, b) => b.current.arrivals! - a.current.arrivals! || a.fromMs - b.fromMs)
      .slice(0, BUSIEST),
  };
}

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
    const { tills } = await readTills(context, { scenes: [scene], timezone, hours }, range);
    return tills.map(({ tillId, total }) => ({ ...total, scene, tillId }));
  });
  return (await Promise.all(ofScenes)).flat();
}

/** Names that the same hours, or days, of two weeks share. An hour that the clock repeats is numbered. */
function keysOf(spans: readonly Span[], timezone: string): string[] {
  const seen = new Map<string, number>();
  return spans.map(({ fromMs }) => {
    const [date, time] = localTime(fromMs, timezone).split('T') as [string, string];
    const key = `${new Date(date).getUTCDay()} ${time.slice(0, 5)}`;
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    return `${key} ${times}`;
  });
}

interface PeriodNumbers {
  readonly whole: Numbers;
  readonly days: readonly Numbers[];
  readonly hours: readonly Numbers[];
  readonly scenes: readonly Numbers[];
}

/** The numbers of periods that follow each other. */
async function readNumbers(
  db: Context['db'],
  { scenes }: ReportedSite,
  { periods, nowMs, open }: { periods: readonly Period[]; nowMs: number; open: readonly OpenSpan[] | null },
): Promise<PeriodNumbers[]> {
  const spans = spansOfAll(periods, open);
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
  let [dayAt, hourAt] = [0, 0];
  return periods.map((period, at) => {
    const ofScenes = scenes.map(({ id }) => sumsOf(`scene ${id} ${at}`, period));
    const firstHour = hourAt;
    const hours = period.hours.map((span) => sumsOf(`hour ${hourAt++}`, span));
    let hourOfDay = 0;
    const days = period.days.map((span) => {
      let entered = 0;
      for (; (period.hours[hourOfDay]?.fromMs ?? span.toMs) < span.toMs; hourOfDay += 1)
        entered += entries.get(`hour ${firstHour + hourOfDay}`)?.arrivals ?? 0;
      return { ...sumsOf(`day ${dayAt++}`, span), arrivals: entered };
    });
    const whole: Sums = {
      ...NO_VISITS,
      ...timeOfScenes(ofScenes),
      ...visits.get(`period ${at}`),
      arrivals: hours.reduce((all, sums) => all + sums.arrivals, 0),
      elapsedMs: elapsedIn(period),
    };
    return {
      whole: ofSite(whole),
      days: days.map(ofSite),
      hours: hours.map(ofSite),
      scenes: ofScenes.map((sums, index) => numbersFor([scenes[index]!.zones])(sums)),
    };
  });
}

/** The open hours of all periods, and the time between, as adjoining spans. */
function spansOfAll(periods: readonly Period[], open: readonly OpenSpan[] | null): ReportSpans {
  const edges: number[] = [];
  const groups: number[] = [];
  const places: { hour: number; day: number; period: number }[] = [];
  let day = 0;
  for (const [period, { hours, days, toMs }] of periods.entries()) {
    let inPeriod = 0;
    for (const { fromMs } of hours) {
      if (fromMs >= days[inPeriod]!.toMs) inPeriod += 1;
      edges.push(fromMs);
      groups.push(places.length);
      places.push({ hour: places.length, day: day + inPeriod, period });
    }
    day += days.length;
    const next = periods[period + 1];
    if (next && next.fromMs > toMs) {
      edges.push(toMs);
      groups.push(NONE);
    }
  }
  edges.push(periods.at(-1)!.toMs);
  const counted = onlyOpen({ edges, groups }, open);
  const numbersOf = (name: 'hour' | 'day' | 'period') =>
    counted.groups.map((group) => places[group]?.[name] ?? NONE);
  return {
    edges: counted.edges,
    hours: numbersOf('hour'),
    days: numbersOf('day'),
    periods: numbersOf('period'),
  };
}

const byLevel = <Row extends Level>(rows: readonly Row[]) => new Map(rows.map((row) => [keyOf(row), row]));

function keyOf({ hour, day, period, sceneId }: Level): string {
  if (hour !== null) return `hour ${hour}`;
  if (day !== null) return `day ${day}`;
  return sceneId === null ? `period ${period}` : `scene ${sceneId} ${period}`;
}
