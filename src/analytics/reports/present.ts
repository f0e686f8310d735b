import type { z } from 'zod';
import { round } from '../../catalogue/metrics/arithmetic.ts';
import type { CsvRow } from '../../http/route.ts';
import { TILL_NUMBERS } from '../history/tills/schema.ts';
import { NUMBER_NAMES, type Numbers } from './numbers.ts';
import { localTime, type Period, type Span } from './period.ts';
import type { Compared, Report, ReportedSpan } from './read-report.ts';
import { previousName, type report } from './schema.ts';

const iso = (ms: number): string => new Date(ms).toISOString();
const presentTimes = ({ fromMs, toMs }: Span) => ({ from: iso(fromMs), to: iso(toMs) });
const presentPeriod = (period: Period) => ({ ...presentTimes(period), date: period.date });

const presentNumbers = (numbers: Numbers): Numbers =>
  Object.fromEntries(NUMBER_NAMES.map((name) => [name, numbers[name]])) as unknown as Numbers;

const presentCompared = ({ current, previous }: Compared) => ({
  current: presentNumbers(current),
  previous: previous && presentNumbers(previous),
});

const presentSpan = (span: ReportedSpan) => ({
  ...presentTimes(span),
  localTime: span.localTime,
  openPercent: span.openPercent,
  ...presentCompared(span),
});

/** A report as the API shows it. */
export const presentReport = (row: Report): z.input<typeof report> => ({
  siteId: row.site.id,
  siteName: row.site.name,
  period: row.kind,
  timezone: row.timezone,
  current: presentPeriod(row.period),
  previous: presentPeriod(row.comparedWith),
  isUnfinished: row.isUnfinished,
  summary: {
    current: presentNumbers(row.summary.current),
    previous: presentNumbers(row.summary.previous),
  },
  change: row.change && { ...row.change },
  scenes: row.scenes.map(({ scene, ...numbers }) => ({
    sceneId: scene.id,
    sceneName: scene.name,
    deviceId: scene.deviceId,
    deviceName: scene.deviceName,
    ...presentCompared(numbers),
  })),
  tills: row.tills.map(({ scene, ...till }) => ({ sceneId: scene.id, sceneName: scene.name, ...till })),
  days: row.days.map((day) => ({ ...presentSpan(day), exceptionName: day.exceptionName })),
  hours: row.hours.map(presentSpan),
  busiestHours: row.busiestHours.map(presentSpan),
  plan: row.plan && {
    date: row.plan.date,
    scenes: row.plan.scenes.map(({ scene, target, halfHours }) => ({
      ...{ sceneId: scene.id, sceneName: scene.name, target },
      halfHours:
        halfHours?.map((span) => ({
          ...presentTimes(span),
          localTime: span.localTime,
          people: round(span.people),
          tills: span.tills,
          lateShare: round(span.lateShare),
        })) ?? null,
    })),
  },
});

const NO_NUMBERS = namesAsNull(NUMBER_NAMES);
const NO_TILL = { tillId: null, tillName: null, ...namesAsNull(Object.keys(TILL_NUMBERS)) };

/** The rows of the CSV: the site, its scenes, the days, the hours and the tills. */
export function* reportRows(row: Report): Generator<CsvRow> {
  const { site, period, timezone } = row;
  const whole = { ...period, localTime: localTime(period.fromMs, timezone) };
  const rowOf = (
    level: 'site' | 'scene' | 'day' | 'hour' | 'till',
    span: Span & { readonly localTime: string },
    { current, previous }: Compared,
    scene?: Report['scenes'][number]['scene'],
  ): CsvRow => ({
    level,
    ...presentTimes(span),
    localTime: span.localTime,
    siteName: site.name,
    sceneId: scene?.id ?? null,
    sceneName: scene?.name ?? null,
    deviceName: scene?.deviceName ?? null,
    ...presentNumbers(current),
    ...Object.fromEntries(NUMBER_NAMES.map((name) => [previousName(name), previous?.[name] ?? null])),
    ...NO_TILL,
  });
  yield rowOf('site', whole, row.summary);
  for (const { scene, ...numbers } of row.scenes) yield rowOf('scene', whole, numbers, scene);
  for (const span of row.days) yield rowOf('day', span, span);
  for (const span of row.hours) yield rowOf('hour', span, span);
  for (const { scene, current: ofScene } of row.scenes) {
    const current = { ...NO_NUMBERS, coveragePercent: ofScene.coveragePercent };
    for (const { scene: _, tillId, name: tillName, ...numbers } of row.tills.filter(
      (till) => till.scene === scene,
    ))
      yield { ...rowOf('till', whole, { current, previous: null }, scene), tillId, tillName, ...numbers };
  }
}

function namesAsNull<Name extends string>(names: readonly Name[]): Record<Name, null> {
  return Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>;
}
