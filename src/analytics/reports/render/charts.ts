import type { Numbers } from '../numbers.ts';
import type { ReportedSpan } from '../read-report.ts';
import { type HtmlValue, html, type SafeHtml } from './safe-html.ts';
import { PLAIN } from './style.ts';

/** Less than this share of the time with frames is hatched. */
export const PARTLY_PERCENT = 80;

const WIDTH = 440;
const HEIGHT = 150;
const LEFT = 40;
const BOTTOM = 20;
const TOP = 8;
const PLOT_WIDTH = WIDTH - LEFT - 4;
const PLOT_HEIGHT = HEIGHT - TOP - BOTTOM;
/** Labels on the time axis. */
const MOST_LABELS = 12;

export interface ChartOptions {
  /** Stands for the chart where it is not seen. */
  readonly label: string;
  /** Name of a column on the axis. */
  readonly nameOf: (span: ReportedSpan) => string;
  readonly format: (value: number) => string;
  /** Hatches spans with pictures for a part of their time. */
  readonly showsParts?: boolean;
  /** Stands in a column without opening hours. */
  readonly closed: string;
}

const one = (value: number): string => String(Math.round(value * 10) / 10);

/** The upper end of an axis and the distance of its lines: 1, 2 or 5 times a power of ten. */
export function axisFor(most: number, steps = 3): { top: number; step: number } {
  const rough = Math.max(most, 1e-9) / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough * 0.999) ?? 10) * power;
  return { top: Math.ceil((most / step) * 0.999) * step || step, step };
}

/** Columns side by side: the place of each, and where a value lies. */
function plotOf(columns: number, top: number) {
  const wide = PLOT_WIDTH / columns;
  return {
    wide,
    left: (at: number) => LEFT + at * wide,
    middle: (at: number) => LEFT + (at + 0.5) * wide,
    y: (value: number) => TOP + PLOT_HEIGHT * (1 - value / top),
  };
}

function frame(
  spans: readonly ReportedSpan[],
  axis: { top: number; step: number },
  { label, nameOf, format, closed }: ChartOptions,
  drawn: readonly HtmlValue[],
): SafeHtml {
  const plot = plotOf(spans.length, axis.top);
  const lines = Array.from({ length: Math.round(axis.top / axis.step) + 1 }, (_, at) => at * axis.step);
  const every = Math.ceil(spans.length / MOST_LABELS);
  const text = (x: number, y: number, anchor: string, value: string) =>
    html`<text class="axis" x="${one(x)}" y="${one(y)}" text-anchor="${anchor}" font-size="11" fill="${PLAIN.muted}">${value}</text>`;
  // Mail programs that drop the drawing but keep its texts show them in the size of the box, which is none.
  return html`<!--[if !mso]><!--><div style="font-size:0;line-height:0"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}" xmlns="http://www.w3.org/2000/svg" font-family="Helvetica,Arial,sans-serif">
${spans.map((span, at) =>
  isMissing(span)
    ? html`<rect class="none" x="${one(plot.left(at))}" y="${TOP}" width="${one(plot.wide)}" height="${PLOT_HEIGHT}" fill="${PLAIN.soft}"/>`
    : null,
)}
${lines.map((value) => [
  html`<line class="grid" x1="${LEFT}" x2="${WIDTH - 4}" y1="${one(plot.y(value))}" y2="${one(plot.y(value))}" stroke="${PLAIN.line}"/>`,
  text(LEFT - 6, plot.y(value) + 4, 'end', format(value)),
])}
${drawn}
${spans.map((span, at) => (isClosed(span) ? text(plot.middle(at), TOP + PLOT_HEIGHT / 2, 'middle', closed) : null))}
${spans.map((span, at) => (at % every === 0 ? text(plot.middle(at), HEIGHT - 5, 'middle', nameOf(span)) : null))}
</svg></div><!--<![endif]-->`;
}

export const isUnseen = ({ coveragePercent, arrivals, completed, abandoned }: Numbers): boolean =>
  coveragePercent === 0 && !arrivals && !completed && !abandoned;

export const isClosed = ({ openPercent }: ReportedSpan): boolean => openPercent === 0;
/** Nobody expects pictures of closed hours. */
const isMissing = (span: ReportedSpan): boolean => isUnseen(span.current) && !isClosed(span);

/** Whether some span has no pictures. */
export const hasGaps = (spans: readonly ReportedSpan[]): boolean => spans.some(isMissing);

const isPartly = ({ coveragePercent }: Numbers): boolean => coveragePercent < PARTLY_PERCENT;

const HATCH = html`<defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="5" stroke="${PLAIN.card}" stroke-width="4"/></pattern></defs>`;

/** Bars of the arrivals of each span, with a mark at the height of the week before. */
export function arrivalsChart(spans: readonly ReportedSpan[], options: ChartOptions): SafeHtml {
  const values = spans.flatMap(({ current, previous }) => [current.arrivals ?? 0, previous?.arrivals ?? 0]);
  // People are counted: no line between two numbers of people.
  const found = axisFor(Math.max(...values));
  const axis = found.step < 1 ? { top: Math.max(1, Math.ceil(found.top)), step: 1 } : found;
  const plot = plotOf(spans.length, axis.top);
  const bar = plot.wide * 0.62;
  return frame(spans, axis, options, [
    HATCH,
    spans.map(({ current, previous }, at) => {
      const [x, y] = [plot.middle(at) - bar / 2, plot.y(current.arrivals ?? 0)];
      const box = { x: one(x), y: one(y), width: one(bar), height: one(TOP + PLOT_HEIGHT - y) };
      const before = plot.y(previous?.arrivals ?? 0);
      return [
        current.arrivals
          ? html`<rect class="m-fill" x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="1.5" fill="${PLAIN.main}"/>`
          : null,
        options.showsParts && current.arrivals && isPartly(current)
          ? html`<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" fill="url(#hatch)"/>`
          : null,
        previous?.arrivals == null
          ? null
          : html`<line class="b-line" x1="${one(x - plot.wide * 0.12)}" x2="${one(x + bar + plot.wide * 0.12)}" y1="${one(before)}" y2="${one(before)}" stroke="${PLAIN.before}" stroke-width="2"/>`,
      ];
    }),
  ]);
}

/** Lines of the waits; a line breaks where nobody's wait was measured. */
export function waitsChart(spans: readonly ReportedSpan[], options: ChartOptions): SafeHtml {
  const minutesOf = (name: 'p50WaitSeconds' | 'p90WaitSeconds') =>
    spans.map(({ current }) => (current[name] === null ? null : current[name] / 60));
  const [median, most] = [minutesOf('p50WaitSeconds'), minutesOf('p90WaitSeconds')];
  const axis = axisFor(Math.max(...most.map((value) => value ?? 0), 0.1));
  const plot = plotOf(spans.length, axis.top);
  const draw = (values: readonly (number | null)[], { name, colour }: { name: string; colour: string }) => {
    const points = values.map((value, at) =>
      value === null ? null : ([one(plot.middle(at)), one(plot.y(value))] as const),
    );
    const path = points
      .map((point, at) => (point ? `${points[at - 1] ? 'L' : 'M'}${point[0]} ${point[1]}` : ''))
      .join('');
    return [
      html`<path class="${name}-line" d="${path}" fill="none" stroke="${colour}" stroke-width="2" stroke-linejoin="round"/>`,
      points.map(
        (point) =>
          point &&
          html`<circle class="${name}-fill" cx="${point[0]}" cy="${point[1]}" r="2.6" fill="${colour}"/>`,
      ),
    ];
  };
  return frame(spans, axis, options, [
    ...draw(most, { name: 's', colour: PLAIN.second }),
    ...draw(median, { name: 'm', colour: PLAIN.main }),
  ]);
}
