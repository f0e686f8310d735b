import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { localeNow } from '../../text/text.ts';
import { number } from '../numbers.ts';
import styles from './chart.module.css';
import { ticksOf } from './ticks.ts';

export interface Line {
  readonly label: string;
  /** One for each bucket; null where nothing was measured. */
  readonly values: readonly (number | null)[];
  /** A line to compare with is dashed. */
  readonly isOther?: boolean;
  /** Which colour of the tokens, 1-4. */
  readonly colour?: 1 | 2 | 3 | 4;
}

interface ChartProps {
  /** What the chart shows, for screen readers. */
  readonly label: string;
  /** Beginnings of the server's buckets, ISO. */
  readonly starts: readonly string[];
  readonly lines: readonly Line[];
  readonly timezone: string;
  /** Share of each bucket that was measured, 0-100; below 80 the bucket is hatched. */
  readonly coverage?: readonly (number | null)[];
  /** Horizontal lines, for example the threshold of a rule. */
  readonly levels?: readonly { readonly value: number; readonly label: string }[];
  readonly format?: (value: number | null) => string;
  readonly height?: number;
  /** A bucket was chosen by mouse, touch or keyboard. */
  readonly onPick?: (index: number) => void;
}

const POOR_COVERAGE = 80;
const PIXELS_PER_LABEL = 80;

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Computed colours: canvas does not know `light-dark()`. */
function resolved(token: string): string {
  const probe = document.createElement('span');
  probe.style.color = colour(token);
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

/** Lines over time, drawn by uPlot. Its own time axis is wrong across changes of the clock: labels come from `ticksOf`. */
export function Chart(props: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current!;
    let plot: uPlot | undefined;
    const draw = () => {
      plot?.destroy();
      plot = new uPlot(optionsOf(props, element.clientWidth), dataOf(props), element);
    };
    draw();
    const resized = new ResizeObserver(([entry]) => {
      if (entry && Math.abs(entry.contentRect.width - (plot?.width ?? 0)) > 1) draw();
    });
    resized.observe(element);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', draw);
    return () => {
      resized.disconnect();
      dark.removeEventListener('change', draw);
      plot?.destroy();
    };
  }, [props]);
  return (
    <figure className={styles.chart}>
      <div ref={host} role="img" aria-label={props.label} style={{ minHeight: props.height ?? 240 }} />
    </figure>
  );
}

const dataOf = ({ starts, lines }: ChartProps): uPlot.AlignedData => [
  starts.map((start) => Date.parse(start) / 1000),
  ...lines.map(({ values }) => [...values]),
];

function optionsOf(props: ChartProps, width: number): uPlot.Options {
  const { starts, lines, timezone, coverage, levels = [], height = 240, onPick } = props;
  const locale = localeNow();
  const format = props.format ?? ((value) => number(value, locale));
  const ticks = ticksOf(
    starts.map((start) => Date.parse(start)),
    Math.max(2, Math.floor(width / PIXELS_PER_LABEL)),
    { locale, timezone },
  );
  const axis = {
    stroke: resolved('--muted'),
    grid: { stroke: resolved('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: Math.max(100, width),
    height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 8 } },
    scales: {
      x: { time: false },
      y: {
        range: (_plot, _low, high) => [0, Math.max(1, ...levels.map(({ value }) => value), high ?? 0) * 1.08],
      },
    },
    axes: [
      {
        ...axis,
        splits: () => ticks.at.map((ms) => ms / 1000),
        values: () => [...ticks.labels],
      },
      { ...axis, size: 56, values: (_plot, values) => values.map((value) => format(value)) },
    ],
    series: [
      {},
      ...lines.map(({ label, isOther, colour: which = 1 }) => ({
        label,
        stroke: resolved(`--series-${which}`),
        width: isOther ? 1.5 : 2,
        ...(isOther && { dash: [6, 5] }),
        points: { show: starts.length < 60 && !isOther },
        spanGaps: false,
      })),
    ],
    hooks: {
      drawClear: [(plot) => hatch(plot, starts, coverage)],
      draw: [(plot) => drawLevels(plot, levels)],
      ready: [
        (plot) =>
          onPick &&
          plot.over.addEventListener('click', () => {
            if (plot.cursor.idx != null) onPick(plot.cursor.idx);
          }),
      ],
    },
  };
}

function hatch(plot: uPlot, starts: readonly string[], coverage: ChartProps['coverage']): void {
  if (!coverage) return;
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  for (const [at, percent] of coverage.entries()) {
    if (percent !== null && percent >= POOR_COVERAGE) continue;
    const from = Date.parse(starts[at]!) / 1000;
    const to = starts[at + 1] === undefined ? from : Date.parse(starts[at + 1]!) / 1000;
    const left = plot.valToPos(from, 'x', true);
    ctx.rect(left, bbox.top, Math.max(2, plot.valToPos(to, 'x', true) - left), bbox.height);
  }
  ctx.clip();
  ctx.strokeStyle = resolved('--line-strong');
  ctx.globalAlpha = 0.5;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (let x = bbox.left - bbox.height; x < bbox.left + bbox.width; x += 8) {
    ctx.moveTo(x, bbox.top + bbox.height);
    ctx.lineTo(x + bbox.height, bbox.top);
  }
  ctx.stroke();
  ctx.restore();
}

function drawLevels(plot: uPlot, levels: NonNullable<ChartProps['levels']>): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = resolved('--bad');
  ctx.fillStyle = resolved('--bad');
  ctx.setLineDash([4, 4]);
  for (const { value, label } of levels) {
    const y = plot.valToPos(value, 'y', true);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.font = `${12 * devicePixelRatio}px system-ui`;
    ctx.fillText(label, bbox.left + 6, y - 6);
  }
  ctx.restore();
}
