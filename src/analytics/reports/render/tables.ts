import { doubtInWords } from '../../../catalogue/words/doubt.ts';
import { placeName } from '../../../catalogue/words/place-name.ts';
import type { Numbers } from '../numbers.ts';
import type { PlannedSpan, ScenePlan } from '../read-plan.ts';
import type { Compared, Report, ReportedDay, ReportedSpan } from '../read-report.ts';
import { isClosed, isUnseen, PARTLY_PERCENT } from './charts.ts';
import type { Formats } from './formats.ts';
import { html, type SafeHtml } from './safe-html.ts';

/** Most scenes, and most tills, of the document: some mail programs cut what is longer than 100 KB. The CSV file has all scenes. */
const MOST_SCENES = 25;

/** The columns of a table of hours or days, and of one of scenes. */
const SPAN_COLUMNS = ['arrivals', 'before', 'served', 'gaveUp', 'median', 'most', 'coverage'] as const;
const SCENE_COLUMNS = [
  'arrivals',
  'before',
  'served',
  'gaveUp',
  'median',
  'most',
  'service',
  'coverage',
] as const;
type Column = (typeof SCENE_COLUMNS)[number];

/** What stands in a column. */
export function cellOf(column: Column, { current, previous }: Compared, formats: Formats): string {
  switch (column) {
    case 'arrivals':
      return formats.count(current.arrivals);
    case 'before':
      return formats.count(previous?.arrivals ?? null);
    case 'served':
      return formats.count(current.completed);
    case 'gaveUp':
      return formats.count(current.abandoned);
    case 'median':
      return formats.minutes(current.p50WaitSeconds);
    case 'most':
      return formats.minutes(current.p90WaitSeconds);
    case 'service':
      return formats.minutes(current.p50ServiceSeconds);
    case 'coverage':
      return formats.percent(current.coveragePercent);
  }
}

interface Table {
  readonly heads: readonly string[];
  /** Name of the first column; null where the names have rows of their own. */
  readonly first: string | null;
  readonly rows: readonly { readonly name: string | SafeHtml; readonly cells: readonly string[] }[];
}

const table = ({ heads, first, rows }: Table): SafeHtml =>
  html`<table class="numbers" width="100%" cellspacing="0"><thead><tr>${first === null ? null : html`<th scope="col" align="left">${first}</th>`}${heads.map(
    (head) => html`<th scope="col" align="right">${head}</th>`,
  )}</tr></thead><tbody>
${rows.map((row) => {
  const cells = row.cells.map((cell) => html`<td align="right">${cell}</td>`);
  return first === null
    ? html`<tr><th class="name" scope="rowgroup" align="left" colspan="${heads.length}">${row.name}</th></tr><tr>${cells}</tr>
`
    : html`<tr><td align="left">${row.name}</td>${cells}</tr>
`;
})}</tbody></table>`;

/** A table of numbers that are compared. */
const comparedTable = (
  columns: readonly Column[],
  first: string | null,
  rows: readonly (Compared & { readonly name: string | SafeHtml })[],
  formats: Formats,
): SafeHtml =>
  table({
    heads: columns.map((column) => formats.words.table[column]),
    first,
    rows: rows.map((row) => ({
      name: row.name,
      cells: columns.map((column) => cellOf(column, row, formats)),
    })),
  });

/** The hours of a day, or the days of a week, whose numbers are doubtful. */
export const doubtOf = ({ kind, hours, days }: Report, formats: Formats): string | null =>
  doubtInWords(
    (kind === 'day' ? hours : days).map(({ fromMs, toMs, current: { expectedErrorPercent } }) => ({
      ...{ fromMs, toMs, expectedErrorPercent },
    })),
    {
      ...{ language: formats.words.language, locale: formats.locale },
      nameOf: ({ fromMs, toMs }) => {
        const name = kind === 'day' ? formats.time : formats.day;
        const [first, last] = [name(fromMs), name(kind === 'day' ? toMs : toMs - 1)];
        return first === last ? first : `${first}–${last}`;
      },
    },
  );

/** The time of an hour. An hour that the clock repeats has the name of its offset. */
export function hourName(
  { fromMs, localTime }: ReportedSpan,
  hours: readonly ReportedSpan[],
  formats: Formats,
): string {
  const clock = localTime.slice(0, 16);
  const isRepeated = hours.some((other) => other.fromMs !== fromMs && other.localTime.startsWith(clock));
  return formats.time(fromMs, isRepeated);
}

export const hoursTable = (hours: readonly ReportedSpan[], formats: Formats): SafeHtml =>
  comparedTable(
    SPAN_COLUMNS,
    formats.words.table.hour,
    hours.map((span) => ({ ...span, name: hourName(span, hours, formats) })),
    formats,
  );

/** A day with what makes it other than usual: Fri 25, Christmas (closed). */
export const dayName = (day: ReportedDay, { day: shown, words }: Formats): string =>
  `${shown(day.fromMs)}${day.exceptionName ? `, ${day.exceptionName}` : ''}${isClosed(day) ? ` (${words.closed})` : ''}`;

export const daysTable = (days: readonly ReportedDay[], formats: Formats): SafeHtml =>
  comparedTable(
    SPAN_COLUMNS,
    formats.words.table.day,
    days.map((day) => ({ ...day, name: dayName(day, formats) })),
    formats,
  );

type ReportedTill = Report['tills'][number];

/** The tills with most services, the busiest first. */
export const shownTills = ({ tills }: Report): ReportedTill[] =>
  [...tills].sort((a, b) => b.services - a.services).slice(0, MOST_SCENES);

export const tillHeads = ({ words: { tills } }: Formats): string[] => [
  ...[tills.services, tills.average, tills.ninety, tills.utilization],
];

export const tillCells = (till: ReportedTill, formats: Formats): string[] => [
  formats.count(till.services),
  formats.minutes(till.avgServiceSeconds),
  formats.minutes(till.p90ServiceSeconds),
  formats.share(till.utilization),
];

/** The place of a till; null where the site has one alone. */
export const placeOfTill = ({ scene }: ReportedTill, { scenes }: Report): string | null =>
  scenes.length > 1 ? placeName(scene.deviceName, scene.name) : null;

export const tillsTable = (report: Report, formats: Formats): SafeHtml =>
  table({
    heads: tillHeads(formats),
    first: formats.words.tills.till,
    rows: shownTills(report).map((till) => {
      const place = placeOfTill(till, report);
      return {
        name: html`<bdi>${till.name}</bdi>${place !== null && html` <span class="muted">· <bdi>${place}</bdi></span>`}`,
        cells: tillCells(till, formats),
      };
    }),
  });

/** The cells of a plan: time, people, tills, share of people who wait too long. */
export const planCells = (span: PlannedSpan, formats: Formats): [string, string, string, string] => [
  formats.time(span.fromMs),
  formats.count(Math.round(span.people)),
  formats.count(span.tills),
  formats.share(span.lateShare),
];

/** How many tills a scene needs by the half hour. */
export function planTable({ halfHours }: ScenePlan, formats: Formats): SafeHtml {
  const { plan: words } = formats.words;
  if (halfHours === null || halfHours.length === 0) return html`<p>${words.learning}</p>`;
  return table({
    heads: [words.people, words.tills, words.late],
    first: words.time,
    rows: halfHours.map((span) => {
      const [name, ...cells] = planCells(span, formats);
      return { name, cells };
    }),
  });
}

/** The scenes with most arrivals, the busiest first. */
export const shownScenes = ({ scenes }: Report): Report['scenes'] =>
  [...scenes].sort((a, b) => (b.current.arrivals ?? -1) - (a.current.arrivals ?? -1)).slice(0, MOST_SCENES);

export function scenesTable(report: Report, formats: Formats): SafeHtml {
  const busiest = shownScenes(report);
  const missing = report.scenes.length - busiest.length;
  const { words } = formats;
  const rows = busiest.map(({ scene, ...numbers }) => ({
    ...numbers,
    name: html`<bdi>${placeName(scene.deviceName, scene.name)}</bdi>`,
  }));
  return html`${comparedTable(SCENE_COLUMNS, null, rows, formats)}${
    missing > 0 ? html`<p class="small muted">${words.table.more(formats.count(missing))}</p>` : null
  }`;
}

const mix = (share: number): string => `rgba(45,125,225,${Math.round(share * 62) / 100})`;

/** Arrivals by weekday and hour of the day, darker where there are more. */
export function weekTable({ days, hours }: Report, formats: Formats): SafeHtml {
  const clocks = [...new Set(shownHours(hours).map(({ localTime }) => localTime.slice(11, 13)))].sort();
  const most = Math.max(1, ...hours.map(({ current }) => current.arrivals ?? 0));
  /** Of a repeated hour both together. */
  const arrivalsAt = (day: ReportedSpan, clock: string): number | null => {
    const found = hours
      .filter(
        ({ fromMs, localTime }) =>
          fromMs >= day.fromMs && fromMs < day.toMs && localTime.slice(11, 13) === clock,
      )
      .flatMap(({ current: { arrivals } }) => (arrivals === null ? [] : [arrivals]));
    return found.length === 0 ? null : found.reduce((sum, each) => sum + each);
  };
  return html`<table class="week" width="100%" cellspacing="0"><thead><tr><th scope="col"></th>${days.map(
    ({ fromMs }) => html`<th scope="col">${formats.weekday(fromMs)}</th>`,
  )}</tr></thead><tbody>
${clocks.map(
  (clock) =>
    html`<tr><th scope="row">${clock}</th>${days.map((day) => {
      const arrivals = arrivalsAt(day, clock);
      const style = arrivals ? html` style="background:${mix(Math.min(1, arrivals / most))}"` : null;
      return html`<td class="heat"${style}>${formats.count(arrivals)}</td>`;
    })}</tr>
`,
)}</tbody></table>`;
}

const isEmpty = ({ current, previous }: ReportedSpan): boolean =>
  isUnseen(current) && (previous === null || isUnseen(previous));

/** The open hours of a report from the first to the last in which something was measured; by the clock, for a week. */
export function shownHours(hours: readonly ReportedSpan[]): readonly ReportedSpan[] {
  const clockOf = ({ localTime }: ReportedSpan) => Number(localTime.slice(11, 13));
  const clocks = hours.filter((span) => !isEmpty(span)).map(clockOf);
  if (clocks.length === 0) return [];
  const [first, last] = [Math.min(...clocks), Math.max(...clocks)];
  return hours.filter((span) => !isClosed(span) && clockOf(span) >= first && clockOf(span) <= last);
}

/** Whether some hour has pictures for a part of its time only. */
export const hasParts = (spans: readonly ReportedSpan[]): boolean =>
  spans.some(
    ({ current }: { current: Numbers }) => !isUnseen(current) && current.coveragePercent < PARTLY_PERCENT,
  );
