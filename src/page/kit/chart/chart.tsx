import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import './known-language.ts';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { serverNow } from '../../api/connection.ts';
import { localeNow, useText } from '../../text/text.ts';
import { NOTHING, number, shortDuration } from '../numbers.ts';
import styles from './chart.module.css';
import { ChartTable } from './chart-table.tsx';
import { coloursNow } from './colours.ts';
import type { Level, Mark, UsualBand } from './paint.ts';
import { type Line, type Plotted, plotData, plotOptions, putCursor, SHORTEST_DRAG } from './plot-options.ts';
import {
  type Bucket,
  bandsOf,
  bucketsOf,
  indexAfterKey,
  indexAt,
  middleOf,
  partlySeenSpans,
  type Span,
  sideBySide,
  unseenSpans,
} from './points.ts';
import { seamsOf } from './seams.ts';
import type { ValueKind } from './ticks.ts';
import { spanLabel } from './time-labels.ts';

export type { Line } from './plot-options.ts';

interface ChartProps {
  /** What the chart shows; its heading. */
  readonly label: string;
  /** Shows the heading, not only to screen readers. */
  readonly hasHeading?: boolean;
  /** Beginnings of the server's buckets, ISO. */
  readonly starts: readonly string[];
  /** End of the last bucket, ISO; without it, it is as long as the one before. */
  readonly end?: string | undefined;
  /** Ends of all buckets where closed times between them are left out, ISO. */
  readonly ends?: readonly string[] | undefined;
  /** Share of each bucket that is open, 0-100; null: nobody has said. */
  readonly open?: readonly number[] | null | undefined;
  readonly lines: readonly Line[];
  /** Of the camera. */
  readonly timezone: string;
  /** Share of each bucket that was measured, 0-100; below 80 the bucket is hatched. */
  readonly coverage?: readonly (number | null)[];
  /** By how much percent the values of the first line may be wrong; null where nobody knows. */
  readonly errors?: readonly (number | null)[] | undefined;
  readonly levels?: readonly Level[];
  readonly marks?: readonly Mark[];
  /** What is usual, behind the lines. */
  readonly usual?: UsualBand | undefined;
  /** What the values are, for round numbers on the axis. */
  readonly kind?: ValueKind;
  readonly format?: (value: number) => string;
  readonly height?: number;
  /** Charts of one group share their crosshair. */
  readonly group?: string | undefined;
  /** A bucket was chosen by mouse, touch or keyboard. */
  readonly onPick?: ((index: number) => void) | undefined;
  /** A part was chosen by dragging the mouse. */
  readonly onRange?: ((span: Span) => void) | undefined;
}

const NONE: readonly never[] = [];

/** The end of the last bucket where the API does not tell it. */
function endOf(starts: readonly string[]): string {
  const [before, last] = starts.slice(-2).map((start) => Date.parse(start));
  if (before === undefined) return new Date(0).toISOString();
  return new Date(last === undefined ? before + 60_000 : last + (last - before)).toISOString();
}

const bucketsFor = ({ starts, end, ends, open, coverage }: ChartProps): Bucket[] =>
  bucketsOf(
    {
      t: starts,
      to: end ?? endOf(starts),
      ends,
      openPercent: open,
      coveragePercent: starts.map((_, at) => (coverage ? (coverage[at] ?? 0) : 100)),
    },
    serverNow(),
  );

/**
 * Lines or bars over time, drawn by uPlot. Its own time axis is wrong where clocks change, so all labels are made by
 * `ticks.ts`. The arrow keys move from point to point, Enter picks one, and a table has all values.
 */
export function Chart(props: ChartProps) {
  const { label, hasHeading = false, lines, timezone, levels = NONE, marks = NONE, kind = 'number' } = props;
  const { starts, end, ends, open, coverage, errors, usual, height = 220, group, onPick, onRange } = props;
  const t = useText('chart');
  const locale = localeNow();
  const format = props.format ?? ((value: number) => number(value, locale));
  const formatRef = useRef(format);
  formatRef.current = format;
  const actions = useRef({ onPick, onRange });
  actions.current = { onPick, onRange };
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const canZoom = onRange !== undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the other fields of the props do not change buckets
  const buckets = useMemo(() => bucketsFor(props), [starts, end, ends, open, coverage]);
  const drawn = useMemo(() => sideBySide(buckets), [buckets]);
  // Other buckets have no chosen one; lines and bands that come later leave it.
  const [chosenIn, setChosenIn] = useState<{
    readonly buckets: readonly Bucket[];
    readonly at: number;
  } | null>(null);
  const index = chosenIn?.buckets === buckets ? chosenIn.at : null;
  const indexRef = useRef(index);
  indexRef.current = index;
  const choose = useCallback(
    (at: number | null) => setChosenIn(at === null ? null : { buckets, at }),
    [buckets],
  );
  const { hours } = useText('schedule');
  const seams = useMemo(
    () => seamsOf(buckets, drawn, { timezone, locale, closed: hours.closed, closedDay: hours.closedDay }),
    [buckets, drawn, timezone, locale, hours],
  );
  const bands = useMemo(
    () => (errors ? bandsOf(drawn, lines[0]?.values ?? NONE, errors) : NONE),
    [drawn, lines, errors],
  );
  const plotted = useMemo<Plotted>(
    () => ({
      ...{ buckets: drawn, starts: buckets.map(({ fromMs }) => fromMs), seams },
      ...{ lines, bands, levels, marks, usual, kind, timezone, locale, group },
      axisFormat: (value) => (kind === 'seconds' ? shortDuration(value, locale) : formatRef.current(value)),
    }),
    [buckets, drawn, seams, lines, bands, levels, marks, usual, kind, timezone, locale, group],
  );
  const realRef = useRef((span: Span) => span);
  realRef.current = ({ fromMs, toMs }) => {
    const real = (ms: number) => {
      const at = indexAt(drawn, ms);
      return buckets[at]!.fromMs + ms - drawn[at]!.fromMs;
    };
    return { fromMs: real(fromMs), toMs: real(toMs) };
  };

  useEffect(() => {
    const element = host.current!;
    const draw = () => {
      plot.current?.destroy();
      const looks = {
        ...{ colours: coloursNow(element), width: Math.max(120, element.clientWidth), height },
        ...{ onCursor: choose, chosen: indexRef.current },
        onRange: canZoom ? (span: Span) => actions.current.onRange?.(realRef.current(span)) : undefined,
      };
      plot.current = new uPlot(plotOptions(plotted, looks), plotData(plotted), element);
      listen(plot.current, (at) => actions.current.onPick?.(at));
    };
    draw();
    const resized = new ResizeObserver(() => {
      if (Math.abs(element.clientWidth - (plot.current?.width ?? 0)) > 1) draw();
    });
    resized.observe(element);
    // Paper is always light.
    const media = ['(prefers-color-scheme: dark)', 'print'].map((query) => matchMedia(query));
    for (const each of media) each.addEventListener('change', draw);
    return () => {
      resized.disconnect();
      for (const each of media) each.removeEventListener('change', draw);
      plot.current?.destroy();
      plot.current = null;
    };
  }, [plotted, height, canZoom, choose]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && index !== null) onPick?.(index);
    const next = indexAfterKey(
      event.key,
      index ?? (event.key === 'ArrowRight' ? -1 : buckets.length),
      buckets.length,
    );
    if (next === undefined) return;
    event.preventDefault();
    if (plot.current) putCursor(plot.current, drawn[next]!);
    choose(next);
  };

  const style = { timezone, locale };
  const chosen = index === null ? undefined : buckets[index];
  const valueAt = (line: Line, at: number) => {
    if (buckets[at]?.isClosed) return hours.closed;
    const value = line.values[at] ?? null;
    return value === null ? NOTHING : format(value);
  };
  const usualAt = (at: number): string | undefined => {
    const [low, high] = [usual?.low[at] ?? null, usual?.high[at] ?? null];
    return low === null || high === null ? undefined : t.between(format(low), format(high));
  };
  const told = (at: number) =>
    [
      spanLabel(buckets[at]!, style),
      ...lines.map((line) => `${line.label}: ${valueAt(line, at)}`),
      ...(usualAt(at) ? [`${usual!.label}: ${usualAt(at)}`] : []),
    ].join('; ');
  const Heading = hasHeading ? 'h3' : 'span';
  return (
    <figure className={styles.chart}>
      <figcaption className="spread">
        <Heading className={hasHeading ? undefined : 'only-for-readers'}>{label}</Heading>
      </figcaption>
      <ul className={`legend ${styles.legend}`}>
        {lines.map((line) => (
          <li key={line.label} data-colour={line.colour ?? 1} data-other={line.isOther || undefined}>
            {line.label}
          </li>
        ))}
        {usual && <li className={styles.usual}>{usual.label}</li>}
        {unseenSpans(buckets).length + partlySeenSpans(buckets).length > 0 && (
          <li className={styles.poor}>{t.poor}</li>
        )}
        {bands.length > 0 && <li className={styles.dotted}>{t.dotted}</li>}
      </ul>
      <div className={styles.stage}>
        <div
          ref={host}
          className={styles.plot}
          style={{ minHeight: height }}
          role="slider"
          tabIndex={buckets.length === 0 ? -1 : 0}
          aria-label={onPick ? t.labelWithPick(label) : t.label(label)}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, buckets.length - 1)}
          aria-valuenow={index ?? 0}
          aria-valuetext={index === null || !chosen ? t.noPoint : told(index)}
          onKeyDown={onKeyDown}
        />
        {chosen && index !== null && (
          <Readout at={shareOf(plot.current, drawn[index]!)} title={spanLabel(chosen, style)}>
            {lines.map((line) => (
              <li key={line.label} data-colour={line.colour ?? 1} data-other={line.isOther || undefined}>
                {line.label} <b>{valueAt(line, index)}</b>
              </li>
            ))}
            {usualAt(index) && (
              <li className={styles.usual}>
                {usual!.label} <b>{usualAt(index)}</b>
              </li>
            )}
          </Readout>
        )}
      </div>
      <ChartTable label={label} buckets={buckets} lines={lines} style={style} valueAt={valueAt} />
    </figure>
  );
}

/** Where the middle of a bucket lies, 0 left to 1 right. */
const shareOf = (plot: uPlot | null, bucket: Bucket): number =>
  plot ? (plot.valToPos(middleOf(bucket), 'x') + plot.over.offsetLeft) / plot.width : 0;

/** The values at the pointer, on the side of it that has more room. */
const Readout = ({ at, title, children }: { at: number; title: string; children: ReactNode }) => (
  <div
    className={styles.readout}
    style={at < 0.5 ? { left: `${at * 100}%` } : { right: `${(1 - at) * 100}%` }}
  >
    <strong>{title}</strong>
    <ul className={`legend ${styles.legend}`}>{children}</ul>
  </div>
);

/** A click picks a point; a finger moves from point to point without scrolling the page sideways. */
function listen(plot: uPlot, pick: (index: number) => void): void {
  let pressedAt = 0;
  plot.over.addEventListener('mousedown', (event) => {
    pressedAt = event.clientX;
  });
  plot.over.addEventListener('click', (event) => {
    if (Math.abs(event.clientX - pressedAt) < SHORTEST_DRAG && plot.cursor.idx != null) pick(plot.cursor.idx);
  });
  plot.over.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'touch') {
      const { left, top } = plot.over.getBoundingClientRect();
      plot.setCursor({ left: event.clientX - left, top: event.clientY - top });
    }
  });
}
