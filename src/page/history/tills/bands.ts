import type { Resource } from '../../api/client.ts';
import type { Bucket } from '../../kit/chart/points.ts';
import { TILL_STATES, type TillState } from '../../kit/tills/till-state.ts';

export type TillHistory = Resource<'TillHistory'>;
export type TillOfHistory = TillHistory['tills'][number];

export interface StateSpan {
  readonly state: TillState;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Size of the drawing of a band, which is stretched to its place. */
export const BAND = { width: 1000, height: 24 } as const;

/**
 * From where to where each state reaches, as shares of the height of the band, so that colours are not needed to tell them apart: all of
 * it, its lower half, a line at its bottom, a line in its middle.
 */
const REACH: Readonly<Record<TillState, readonly [top: number, bottom: number]>> = {
  ...{ serving: [0, 1], free: [0.5, 1], closed: [0.86, 1], unknown: [0.43, 0.57] },
};

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
const box = (x: number, y: number, width: number, height: number): string =>
  `M${rounded(x)} ${rounded(y)}h${rounded(width)}v${rounded(height)}h${rounded(-width)}z`;

export const spansOf = ({ spans }: Pick<TillOfHistory, 'spans'>): StateSpan[] =>
  (spans ?? []).map(({ state, from, to }) => ({ state, fromMs: Date.parse(from), toMs: Date.parse(to) }));

/** One path for each state: a day of a till has hundreds of spans. */
export function spanPaths(spans: readonly StateSpan[], { fromMs, toMs }: Range): Record<TillState, string> {
  const scale = BAND.width / (toMs - fromMs);
  const pathOf = (state: TillState) => {
    const [top, bottom] = REACH[state].map((share) => share * BAND.height) as [number, number];
    return spans
      .filter((span) => span.state === state)
      .map((span) =>
        box((span.fromMs - fromMs) * scale, top, (span.toMs - span.fromMs) * scale, bottom - top),
      )
      .join('');
  };
  return byState(pathOf);
}

/** Of a longer range: each bucket as a column, in which the height of a state is its share of the time. Unknown times stay empty. */
export function sharePaths(
  { series }: Pick<TillOfHistory, 'series'>,
  buckets: readonly Bucket[],
  { fromMs, toMs }: Range,
): Record<TillState, string> {
  const scale = BAND.width / (toMs - fromMs);
  const boxes = byState((): string[] => []);
  buckets.forEach((bucket, at) => {
    const seconds = TILL_STATES.map((state) => [state, series[`${state}Seconds`][at] ?? 0] as const);
    const all = seconds.reduce((sum, [, each]) => sum + each, 0);
    if (all === 0) return;
    let top: number = BAND.height;
    seconds.forEach(([state, each]) => {
      const height = (each / all) * BAND.height;
      top -= height;
      if (height === 0 || state === 'unknown') return;
      const width = (bucket.toMs - bucket.fromMs) * scale;
      boxes[state].push(box((bucket.fromMs - fromMs) * scale, top, width, height));
    });
  });
  return byState((state) => boxes[state].join(''));
}

function byState<Value>(of: (state: TillState) => Value): Record<TillState, Value> {
  return Object.fromEntries(TILL_STATES.map((state) => [state, of(state)])) as Record<TillState, Value>;
}

/** The span of a moment; undefined outside of all. */
export const spanAt = (spans: readonly StateSpan[], ms: number): StateSpan | undefined =>
  spans.find(({ fromMs, toMs }) => fromMs <= ms && ms < toMs);
