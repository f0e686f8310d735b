import './known-language.ts';
import uPlot from 'uplot';
import { number } from '../numbers.ts';
import type { Colours } from './colours.ts';
import {
  type Band,
  dot,
  drawBand,
  drawLevels,
  drawMarks,
  drawSeams,
  hatch,
  type Level,
  type Mark,
  type UsualBand,
} from './paint.ts';
import {
  type Bucket,
  extent,
  isolated,
  middleOf,
  partlySeenSpans,
  type Seam,
  type Span,
  unseenSpans,
} from './points.ts';
import { type TimeTick, timeTicks, type ValueKind, valueTicks } from './ticks.ts';

/** A line of a chart, with one value for each bucket; null where nothing was measured. */
export interface Line {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** A line to compare with is thin and grey. */
  readonly isOther?: boolean;
  /** Drawn as bars: for counts. */
  readonly isBars?: boolean;
  /** Which colour of the tokens, 1-4. */
  readonly colour?: 1 | 2 | 3 | 4;
}

/** What a plot shows. */
export interface Plotted {
  /** Side by side. */
  readonly buckets: readonly Bucket[];
  /** When each of them began. */
  readonly starts: readonly number[];
  readonly seams: readonly Seam[];
  readonly lines: readonly Line[];
  /** Where the values of the first line probably lie; dotted. */
  readonly bands: readonly Band[];
  readonly levels: readonly Level[];
  readonly marks: readonly Mark[];
  readonly usual: UsualBand | undefined;
  readonly kind: ValueKind;
  readonly timezone: string;
  readonly locale: string;
  /** Charts of one group share their crosshair. */
  readonly group?: string | undefined;
  /** Labels of the value axis: short. */
  readonly axisFormat: (value: number) => string;
}

/** Pixels of the time axis for each label. */
const LABEL_WIDTH = 62;
const FONT = '12px system-ui, sans-serif';
/** Fewer points than this are drawn as dots too. */
const FEW_POINTS = 40;

/** What lines are compared with lies below them; beside bars it is a mark upon them. */
const drawn = (lines: readonly Line[]): Line[] => {
  const isBelow = ({ isOther = false, isBars = false }: Line) => isOther && !isBars;
  return [...lines.filter(isBelow), ...lines.filter((line) => !isBelow(line))];
};

export const plotData = ({ buckets, lines }: Plotted): uPlot.AlignedData => [
  buckets.map(middleOf),
  ...drawn(lines).map(({ values }) => [...values]),
];

/** The smallest and largest label of the value axis, and those between. */
function valueAxis({ lines, bands, levels, marks, usual, kind }: Plotted, height: number): number[] {
  const values = [
    ...lines.map((line) => line.values),
    bands.map(({ high }) => high),
    levels.map(({ value }) => value),
    marks.map(({ value }) => value),
    usual?.high ?? [],
  ];
  return valueTicks(...extent(values), kind, Math.max(2, Math.floor(height / 50)));
}

interface Looks {
  readonly colours: Colours;
  readonly width: number;
  readonly height: number;
  readonly onCursor: (index: number | null) => void;
  /** The bucket that was chosen in the chart before; null for none. */
  readonly chosen: number | null;
  /** Undefined where no part can be chosen. */
  readonly onRange: ((span: Span) => void) | undefined;
}

export function plotOptions(plotted: Plotted, looks: Looks): uPlot.Options {
  const { buckets, timezone, locale } = plotted;
  const { colours, width, height } = looks;
  const most = Math.max(2, Math.floor((width - 50) / LABEL_WIDTH));
  const times = timeTicks(plotted.starts, { timezone, locale, most }).flatMap((tick) => {
    const bucket = buckets[plotted.starts.indexOf(tick.ms)];
    return bucket ? [{ ...tick, ms: bucket.fromMs }] : [];
  });
  const values = valueAxis(plotted, height);
  const xRange: [number, number] = [buckets[0]?.fromMs ?? 0, buckets.at(-1)?.toMs ?? 1];
  // Labels begin at their tick, so the last one may be cut.
  const hasRoom = (ms: number) =>
    ((xRange[1] - ms) / (xRange[1] - xRange[0])) * (width - 60) > LABEL_WIDTH * 0.7;
  const axis = { stroke: colours.text, font: FONT, ticks: { show: false } };
  const [chosen, dots] = [buckets[looks.chosen ?? -1], colours.series(1)];
  const hasSecondRow = times.some(({ below }) => below !== '');
  return {
    width,
    height,
    legend: { show: false },
    padding: [8, 12, 0, 0],
    cursor: {
      y: false,
      ...(plotted.group && { sync: { key: plotted.group, setSeries: false } }),
      drag: { x: looks.onRange !== undefined, y: false, setScale: false },
      points: { size: 9 },
    },
    scales: {
      x: { time: false, range: () => xRange },
      y: { range: () => extent([values]) },
    },
    axes: [
      {
        ...axis,
        grid: { stroke: colours.grid, width: 1, dash: [2, 4] },
        size: hasSecondRow ? 44 : 28,
        gap: 6,
        align: 1,
        splits: () => times.map(({ ms }) => ms),
        values: () => times.map((tick) => (hasRoom(tick.ms) ? textOf(tick) : '')),
      },
      {
        ...axis,
        grid: { stroke: colours.grid, width: 1 },
        size: (_, shown) => 14 + 7 * Math.max(2, ...(shown ?? []).map((text) => text.length)),
        splits: () => values,
        values: () => valueLabels(values, plotted),
      },
    ],
    series: [{}, ...drawn(plotted.lines).map((line) => seriesOf(line, buckets, colours))],
    hooks: {
      drawClear: [
        (plot) => {
          hatch(plot, unseenSpans(buckets), colours.hatch, 0.18);
          hatch(plot, partlySeenSpans(buckets), colours.hatch, 0.5);
          if (plotted.usual) drawBand(plot, plotted.usual, buckets, colours.other);
          dot(plot, plotted.bands, dots);
          drawSeams(plot, plotted.seams, colours);
        },
      ],
      draw: [
        (plot) => {
          drawLevels(plot, plotted.levels, colours);
          drawMarks(plot, plotted.marks, colours);
        },
      ],
      ready: [(plot) => chosen && putCursor(plot, chosen)],
      setCursor: [(plot) => looks.onCursor((plot.cursor.left ?? -1) < 0 ? null : (plot.cursor.idx ?? null))],
      setSelect: [(plot) => chosePart(plot, looks.onRange)],
    },
  };
}

/** Puts the cursor on a bucket, as a pointer would. */
export const putCursor = (plot: uPlot, bucket: Span): void =>
  plot.setCursor({ left: plot.valToPos(middleOf(bucket), 'x'), top: 10 });

/** Labels of the value axis. Where the usual digits make two of them equal, they get as many as their distance needs. */
function valueLabels(values: readonly number[], { axisFormat, locale }: Plotted): string[] {
  const labels = values.map(axisFormat);
  const [low, next] = values;
  if (new Set(labels).size === labels.length || low === undefined || next === undefined) return labels;
  const digits = Math.min(12, Math.max(0, Math.ceil(-Math.log10(next - low) - 1e-9)));
  return values.map((value) => number(value, locale, digits));
}

const textOf = ({ label, below }: TimeTick): string => (below === '' ? label : `${label}\n${below}`);

function seriesOf(line: Line, buckets: readonly Bucket[], { series, other }: Colours): uPlot.Series {
  const { label, values, isOther, isBars, colour = 1 } = line;
  const stroke = isOther ? other : series(colour);
  if (isBars && isOther) {
    return { label, stroke, width: 2, paths: levelPaths(buckets), points: { show: false } };
  }
  if (isBars) {
    const bars = uPlot.paths.bars!({ size: [0.7, 40], radius: 0.15 });
    return { label, stroke, fill: stroke, width: 0, paths: bars, points: { show: false } };
  }
  const alone = isolated(values);
  return {
    label,
    stroke,
    width: isOther ? 1.5 : 2.25,
    spanGaps: false,
    points:
      values.length < FEW_POINTS && !isOther
        ? { show: true, size: 6, fill: stroke }
        : { show: alone.length > 0, size: 5, fill: stroke, filter: () => alone },
  };
}

/** A level line across each bucket: what bars are compared with. */
const levelPaths =
  (buckets: readonly Bucket[]): uPlot.Series.PathBuilder =>
  (plot, seriesIndex, first, last) => {
    const stroke = new Path2D();
    for (const [at, { fromMs, toMs }] of buckets.entries()) {
      const value = plot.data[seriesIndex]?.[at];
      if (value == null || at < first || at > last) continue;
      const y = Math.round(plot.valToPos(value, 'y', true));
      stroke.moveTo(plot.valToPos(fromMs, 'x', true), y);
      stroke.lineTo(plot.valToPos(toMs, 'x', true), y);
    }
    return { stroke };
  };

/** Pixels below which a movement of the mouse was a click. */
export const SHORTEST_DRAG = 8;

function chosePart(plot: uPlot, onRange: Looks['onRange']): void {
  const { left, width } = plot.select;
  if (!onRange || width < SHORTEST_DRAG) return;
  const fromMs = plot.posToVal(left, 'x');
  const toMs = plot.posToVal(left + width, 'x');
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  onRange({ fromMs, toMs });
}
