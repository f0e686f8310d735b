import { grouped } from '../../../src/catalogue/grouped.ts';
import type { Judged, Replayed } from './replay-visits.ts';

const DAY_SECONDS = 86_400;

/** Seconds; null where nothing was to compare. */
export interface WaitFigures {
  readonly count: number;
  readonly meanWait: number | null;
  readonly meanAbsoluteError: number | null;
  /** Above 0: said to be longer than it was. */
  readonly bias: number | null;
  readonly insideBandPercent: number | null;
  readonly meanBandWidth: number | null;
}

type Said = (one: Judged) => number | null;

function figuresOf(
  judged: readonly Judged[],
  said: Said = (one) => one.said.median,
  band = true,
): WaitFigures {
  const pairs = judged.flatMap((one) => {
    const value = said(one);
    return one.served === null || value === null
      ? []
      : [{ one, error: value - one.served, wait: one.served }];
  });
  const mean = (of: (pair: (typeof pairs)[number]) => number): number | null =>
    pairs.length === 0 ? null : round(pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length);
  return {
    count: pairs.length,
    meanWait: mean(({ wait }) => wait),
    meanAbsoluteError: mean(({ error }) => Math.abs(error)),
    bias: mean(({ error }) => error),
    insideBandPercent: band ? mean(({ one }) => (isInside(one) ? 100 : 0)) : null,
    meanBandWidth: band ? mean(({ one }) => one.said.high - one.said.low) : null,
  };
}

const round = (value: number): number => Math.round(value * 100) / 100;
const isInside = ({ said, served }: Judged): boolean =>
  served !== null && served >= said.low && served <= said.high;

/**
 * Who gave up would have waited longer than he did. At least: each who left before the end of his band counts as a miss; at most: as a
 * hit. Who left after it is a miss for sure.
 */
function bandWithGivenUp(judged: readonly Judged[]) {
  const known = judged.filter(({ served, gaveUp }) => served !== null || gaveUp !== null);
  const inside = known.filter(isInside).length;
  const open = known.filter(({ gaveUp, said }) => gaveUp !== null && gaveUp <= said.high).length;
  const percent = (count: number): number | null =>
    known.length === 0 ? null : round((count / known.length) * 100);
  return { count: known.length, atLeastPercent: percent(inside), atMostPercent: percent(inside + open) };
}

export function scoreWaits({ judged, silent }: Replayed) {
  const found = judged.filter(({ said }) => said.ahead > 0);
  // The simple rules are compared where today's estimate exists, all on the same people.
  const compared = found.filter(({ today, lastWait }) => today !== null && lastWait !== null);
  const days = [...grouped(found, ({ said }) => Math.floor(said.at / DAY_SECONDS))];
  return {
    predictions: judged.length,
    withoutPrediction: silent,
    served: judged.filter(({ served }) => served !== null).length,
    gaveUp: judged.filter(({ gaveUp }) => gaveUp !== null).length,
    all: figuresOf(judged),
    foundQueue: figuresOf(found),
    foundQueueWithGivenUp: bandWithGivenUp(found),
    compared: {
      ours: figuresOf(compared),
      today: figuresOf(compared, ({ today }) => today, false),
      lastWait: figuresOf(compared, ({ lastWait }) => lastWait, false),
    },
    days: days.map(([day, ones]) => ({ day, ...figuresOf(ones) })),
  };
}
