import { type Compared, figuresOf } from '../../../src/cameras/scenes/checks/check-figures.ts';
import type { Ranged } from '../../../src/cameras/scenes/checks/ratio-range.ts';
import { draw, momentOf, slotsOf, stratumOf } from '../../../src/cameras/scenes/checks/sample-moments.ts';
import type { Second } from './watch-counts.ts';

/** The stills of one check of a scene, drawn as the service draws them. */
export function drawCheck(seconds: readonly Second[], wantedStills: number, seed: number): Compared[] {
  const endsAt = new Date(seconds.length * 1000);
  const plan = { startedAt: new Date(0), endsAt, wantedStills, seed };
  const stills = new Map<number, { second: Second; drawWeight: number; weightSum: number }>();
  let before: number | null = null;
  for (let slot = 0; slot < slotsOf(plan); slot++) {
    const second = seconds[Math.floor(momentOf(plan, slot) / 1000)]!;
    const stratum = stratumOf(slot);
    const { weightSum = 0 } = stills.get(stratum) ?? {};
    const drawn = draw({ weightSum }, before !== null && before !== second.ours, plan, slot);
    const kept = drawn.isKept ? { second, ...drawn } : stills.get(stratum)!;
    stills.set(stratum, { ...kept, weightSum: drawn.weightSum });
    before = second.ours;
  }
  return [...stills.values()].map(({ second: { ours, theirs }, drawWeight, weightSum }) => ({
    ...{ weight: weightSum / drawWeight, ours, theirs: [theirs] },
  }));
}

const RANGES = ['exactPercent', 'withinOnePercent', 'bias'] as const;

export interface MethodFigures {
  readonly exactPercent: number;
  readonly withinOnePercent: number;
  readonly bias: number;
  /** In how many percent of the checks the range has the true figure, and how wide it is on average. */
  readonly held: Readonly<
    Record<(typeof RANGES)[number], { readonly percent: number; readonly width: number }>
  >;
  /** Mean of the checks minus the true figure. */
  readonly off: Readonly<Record<(typeof RANGES)[number], number>>;
}

/** Many checks of the same hours: how often their ranges have the true figure. */
export function resample(
  seconds: readonly Second[],
  { checks, stills, seed }: { checks: number; stills: number; seed: number },
): MethodFigures {
  const share = (isSo: (second: Second) => boolean) => (seconds.filter(isSo).length / seconds.length) * 100;
  const truth = {
    exactPercent: share(({ ours, theirs }) => ours === theirs),
    withinOnePercent: share(({ ours, theirs }) => Math.abs(ours - theirs) <= 1),
    bias: seconds.reduce((sum, { ours, theirs }) => sum + ours - theirs, 0) / seconds.length,
  };
  const drawn = Array.from(
    { length: checks },
    (_, n) => figuresOf(drawCheck(seconds, stills, seed * 10_000 + n))!,
  );
  const mean = (of: (ranged: Ranged) => number, name: (typeof RANGES)[number]) =>
    drawn.reduce((sum, figures) => sum + of(figures[name]), 0) / checks;
  const each = <Value>(of: (name: (typeof RANGES)[number]) => Value) =>
    Object.fromEntries(RANGES.map((name) => [name, of(name)])) as Record<(typeof RANGES)[number], Value>;
  return {
    ...truth,
    held: each((name) => ({
      percent: mean(({ from, to }) => (from <= truth[name] && truth[name] <= to ? 100 : 0), name),
      width: mean(({ from, to }) => to - from, name),
    })),
    off: each((name) => mean(({ value }) => value, name) - truth[name]),
  };
}
