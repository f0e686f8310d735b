import { placeName } from '../../../catalogue/words/place-name.ts';
import { type Numbers, tilesOf } from '../numbers.ts';
import type { Report } from '../read-report.ts';
import type { Formats } from './formats.ts';
import { headlineOf } from './headline.ts';
import type { ReportLinks } from './page.ts';
import { oneLine } from './safe-html.ts';
import {
  cellOf,
  dayName,
  doubtOf,
  hourName,
  placeOfTill,
  planCells,
  shownHours,
  shownScenes,
  shownTills,
  tillCells,
  tillHeads,
} from './tables.ts';

const withoutHyphens = (text: string): string => text.replaceAll('\u00ad', '');

/** The report as plain text, for programs that show no HTML. */
export function reportText(report: Report, formats: Formats, links: ReportLinks = {}): string {
  const { words } = formats;
  const { kind, site, period, comparedWith, summary, hours, days, plan } = report;
  const planned = plan?.scenes.map((one) => ({ ...one, fromMs: plan.fromMs })) ?? [];
  const scenes = shownScenes(report);
  const { current, previous } = summary;
  const doubt = doubtOf(report, formats);
  const line = (label: string, now: string, then: string) => `${label}: ${now} (${words.before}: ${then})`;
  const rows = (heads: readonly string[], cells: readonly (readonly string[])[]) => {
    const all = [heads, ...cells];
    const widthOf = (at: number) => Math.max(...all.map((row) => row[at]?.length ?? 0));
    return all.map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widthOf(at)) : cell.padStart(widthOf(at))))
        .join('  ')
        .trimEnd(),
    );
  };
  const columns = ['arrivals', 'before', 'served', 'gaveUp', 'median', 'most'] as const;
  const heads = columns.map((column) => withoutHyphens(words.table[column]));
  const spans =
    kind === 'day'
      ? shownHours(hours).map((span) => ({ ...span, name: hourName(span, hours, formats) }))
      : days.map((day) => ({ ...day, name: oneLine(dayName(day, formats)) }));
  return [
    `${words.title[kind]}: ${oneLine(site.name)}`,
    `${formats.period(kind, period)}, ${words.comparedWith(formats.period(kind, comparedWith))}`,
    '',
    headlineOf(report, formats),
    ...(report.isUnfinished ? [words.unfinished] : []),
    ...(doubt ? [doubt] : []),
    '',
    ...tilesOf(current, previous).map(({ unit, name, tile }) => {
      const shown = (numbers: Numbers) =>
        `${formats.number(unit, numbers[name])}${
          name === 'abandoned' ? `, ${formats.share(numbers.abandonmentRate)}` : ''
        }`;
      return line(tile[words.language], shown(current), shown(previous));
    }),
    line(words.coverage, formats.percent(current.coveragePercent), formats.percent(previous.coveragePercent)),
    ...(spans.length === 0
      ? []
      : [
          '',
          ...rows(
            [words.table[kind === 'day' ? 'hour' : 'day'], ...heads],
            spans.map((span) => [span.name, ...columns.map((column) => cellOf(column, span, formats))]),
          ),
        ]),
    ...(scenes.length === 0
      ? []
      : [
          '',
          ...rows(
            [words.table.scene, ...heads],
            scenes.map(({ scene, ...numbers }) => [
              oneLine(placeName(scene.deviceName, scene.name)),
              ...columns.map((column) => cellOf(column, numbers, formats)),
            ]),
          ),
        ]),
    ...(report.tills.length === 0
      ? []
      : [
          '',
          ...rows(
            [words.tills.till, ...tillHeads(formats).map(withoutHyphens)],
            shownTills(report).map((till) => [
              [till.name, placeOfTill(till, report) ?? []].flat().map(oneLine).join(' · '),
              ...tillCells(till, formats),
            ]),
          ),
        ]),
    ...planned.flatMap(({ fromMs, scene, halfHours }) =>
      halfHours === null || halfHours.length === 0
        ? []
        : [
            '',
            `${words.plan.title(formats.day(fromMs))}: ${oneLine(scene.name)}`,
            ...rows(
              [words.plan.time, words.plan.people, words.plan.tills, words.plan.late],
              halfHours.map((span) => planCells(span, formats)),
            ),
          ],
    ),
    '',
    ...words.notes(report.timezone),
    ...(links.numbers ? ['', `${words.open}: ${links.numbers}`] : []),
    ...(links.unsubscribe ? ['', '-- ', words.why, `${words.unsubscribe}: ${links.unsubscribe}`] : []),
    '',
  ].join('\n');
}
