import { type Change, changesOf, type Numbers, tilesOf } from '../numbers.ts';
import type { DayPlan } from '../read-plan.ts';
import type { Report, ReportedSpan } from '../read-report.ts';
import { arrivalsChart, hasGaps, waitsChart } from './charts.ts';
import type { Formats } from './formats.ts';
import { headlineOf } from './headline.ts';
import { type HtmlValue, html, type SafeHtml } from './safe-html.ts';
import { PLAIN, STYLE } from './style.ts';
import {
  daysTable,
  doubtOf,
  hasParts,
  hourName,
  hoursTable,
  planTable,
  scenesTable,
  shownHours,
  tillsTable,
  weekTable,
} from './tables.ts';

/** Coverages that differ by more points make numbers of two periods unequal. */
const UNEQUAL_POINTS = 10;

/** Plans of the document: some mail programs cut what is longer than 100 KB. The JSON has all of them. */
const MOST_PLANS = 5;

/** Addresses for a reader who has the report by e-mail. */
export interface ReportLinks {
  /** The page with the numbers. */
  readonly numbers?: string;
  readonly unsubscribe?: string;
}

/**
 * The report as one HTML document that loads nothing: for mail programs and browsers. Programs that drop the drawings show the
 * tables, which have all numbers.
 */
export function reportPage(report: Report, formats: Formats, links: ReportLinks = {}): string {
  const { words } = formats;
  const { site, kind, period, comparedWith } = report;
  const title = words.subject({
    title: words.title[kind],
    site: site.name,
    date: formats.shortPeriod(kind, period),
  });
  return html`<!doctype html>
<html lang="${formats.locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style></head>
<body class="ground">
<table class="page" role="presentation" align="center" width="100%" cellspacing="0" cellpadding="0"><tr><td class="ground">
<div class="card">
<div class="kind muted">${words.title[kind]}</div>
<h1><bdi>${site.name}</bdi></h1>
<div class="muted">${formats.period(kind, period)}<br><span class="small">${words.comparedWith(formats.period(kind, comparedWith))}</span></div>
<p class="lead">${headlineOf(report, formats)}</p>
${notesAbove(report, formats)}
${isEmpty(report) ? null : numbersOf(report, formats)}
<div class="small muted" style="margin-top:28px">${words.notes(report.timezone).map((note) => html`<p>${note}</p>`)}</div>
${links.numbers && html`<p><a href="${links.numbers}">${words.open}</a></p>`}
${links.unsubscribe && html`<p class="small muted">${words.why} <a href="${links.unsubscribe}">${words.unsubscribe}</a></p>`}
</div>
</td></tr></table>
</body></html>
`.text;
}

const isEmpty = ({ hours }: Report): boolean => shownHours(hours).length === 0;

function notesAbove(report: Report, formats: Formats): HtmlValue {
  const { words, percent } = formats;
  const doubt = doubtOf(report, formats);
  const { current, previous } = report.summary;
  const [now, then] = [current.coveragePercent, previous.coveragePercent];
  const isUnequal = !report.isUnfinished && then > 0 && Math.abs(now - then) > UNEQUAL_POINTS;
  return [
    report.isUnfinished && html`<p class="note">${words.unfinished}</p>`,
    isUnequal && html`<p class="note">${words.unequalCoverage}</p>`,
    doubt && html`<p class="note">${doubt}</p>`,
    html`<p class="small muted">${words.ofTheTime(percent(now))} (${words.before}: ${percent(then)}).</p>`,
  ];
}

function numbersOf(report: Report, formats: Formats): HtmlValue {
  const { words } = formats;
  const { kind, days, hours } = report;
  const shown = kind === 'day' ? shownHours(hours) : days;
  return [
    html`<div style="margin-top:16px">${tiles(report, formats)}</div>`,
    html`<h2>${words.chart.arrivals[kind]}</h2>`,
    arrivalsChart(shown, {
      label: words.chart.arrivals[kind],
      nameOf: nameOn(report, formats),
      closed: words.closed,
      format: (value) => formats.count(value),
      // A camera that runs by a schedule has pictures for a part of each day.
      showsParts: kind === 'day',
    }),
    arrivalsKey(shown, kind === 'day' && hasParts(shown), formats),
    html`<h2>${words.chart.waits[kind]}</h2>`,
    waitsChart(shown, {
      label: words.chart.waits[kind],
      nameOf: nameOn(report, formats),
      closed: words.closed,
      format: (value) => formats.count(Math.round(value * 100) / 100),
    }),
    key([
      [PLAIN.main, 'm', words.chart.median],
      [PLAIN.second, 's', words.chart.most],
    ]),
    html`<h2>${words.busiest}</h2>`,
    busiestHours(report, formats),
    kind === 'week' && [html`<h2>${words.chart.week}</h2>`, weekTable(report, formats)],
    html`<h2>${words.table[kind === 'day' ? 'hours' : 'days']}</h2>`,
    kind === 'day' ? hoursTable(shown, formats) : daysTable(days, formats),
    report.scenes.length > 0 && [html`<h2>${words.table.scenes}</h2>`, scenesTable(report, formats)],
    report.tills.length > 0 && [html`<h2>${words.tills.title}</h2>`, tillsTable(report, formats)],
    report.plan && planOf(report.plan, formats),
  ];
}

const planOf = ({ fromMs, scenes }: DayPlan, formats: Formats): HtmlValue => [
  html`<h2>${formats.words.plan.title(formats.day(fromMs))}</h2>`,
  scenes
    .slice(0, MOST_PLANS)
    .map((plan) => [
      scenes.length > 1 && html`<h3><bdi>${plan.scene.name}</bdi></h3>`,
      planTable(plan, formats),
    ]),
];

const nameOn =
  ({ kind }: Report, formats: Formats) =>
  ({ fromMs, localTime }: ReportedSpan): string =>
    kind === 'day' ? localTime.slice(11, 13) : formats.weekday(fromMs);

function tiles({ summary: { current, previous }, isUnfinished }: Report, formats: Formats): HtmlValue {
  const changes: Readonly<Record<string, Change>> = isUnfinished ? {} : changesOf(current, previous);
  return tilesOf(current, previous).map(({ unit, name, tile }) => {
    const change = formats.change(changes[name]);
    const share =
      name === 'abandoned' && current.abandonmentRate !== null
        ? `${formats.share(current.abandonmentRate)} · `
        : '';
    const shown = (numbers: Numbers) => formats.number(unit, numbers[name]);
    const before = `${share}${formats.words.before}: ${shown(previous)}`;
    return html`<div class="tile"><span class="small muted">${tile[formats.words.language]}</span><div><b>${shown(current)}</b>${change && html` <span class="small muted change">${change}</span>`}</div><span class="small muted">${before}</span></div>`;
  });
}

function busiestHours({ busiestHours: busiest, hours, kind }: Report, formats: Formats): SafeHtml {
  const { words } = formats;
  if (busiest.length === 0) return html`<p>${words.nobody}</p>`;
  return html`<p>${busiest.map((span, at) => {
    const name = hourName(span, hours, formats);
    const day = kind === 'week' ? `${formats.day(span.fromMs)}, ` : '';
    const wait = span.current.p90WaitSeconds;
    return [
      at > 0 && html`<br>`,
      html`<b>${day}${name} – ${formats.time(span.toMs)}</b>: ${words.people(formats.count(span.current.arrivals))}${
        wait === null ? null : `, ${words.chart.most} ${formats.duration(wait)}`
      }`,
    ];
  })}</p>`;
}

const key = (entries: readonly (readonly [string, string, string])[]): SafeHtml =>
  html`<p class="small muted">${entries.map(
    ([colour, name, label]) =>
      html`<span class="key"><span class="swatch ${name}-box" style="background:${colour}"></span>${label}</span> `,
  )}</p>`;

function arrivalsKey(spans: readonly ReportedSpan[], showsParts: boolean, { words }: Formats): SafeHtml {
  return key([
    [PLAIN.main, 'm', words.chart.thisPeriod],
    [PLAIN.before, 'b', words.before],
    ...(showsParts ? ([[PLAIN.main, 'h', words.chart.partly]] as const) : []),
    ...(hasGaps(spans) ? ([[PLAIN.soft, 'n', words.chart.noPictures]] as const) : []),
  ]);
}
