import type { Tuning } from '../footage/tuning.ts';
import { scoreShop, figuresOf as shopFigures } from '../shop/score-shop.ts';
import { type SimulatedShop, watchShop } from '../simulated/simulated-shop.ts';
import { product } from '../visits/observers.ts';
import { addVisits, figuresOf } from '../visits/score-zone.ts';
import { countVisits, type ScoredFootage } from '../visits/scored-footage.ts';

/** What every variant is measured on. It is read and detected once. */
export interface Material {
  /** At 5 frames a second, by kind of camera. */
  readonly static: readonly ScoredFootage[];
  readonly moving: readonly ScoredFootage[];
  /** Static cameras at 3 frames a second. */
  readonly slow: readonly ScoredFootage[];
  readonly shops: readonly SimulatedShop[];
}

/** Per cent; null where the material has no visits. */
export interface AblationFigures {
  readonly static: number | null;
  readonly moving: number | null;
  readonly slow: number | null;
  /** Visits that nobody made, over the visits of the script. */
  readonly invented: number | null;
  readonly matched: number | null;
}

export function measure(material: Material, tuning: Tuning): AblationFigures {
  const f1 = (sequences: readonly ScoredFootage[]): number | null => {
    const counts = sequences.map((sequence) =>
      countVisits(sequence, product(sequence.frames, sequence.parameters, tuning)),
    );
    const share = figuresOf(addVisits(counts)).f1;
    return share === null ? null : Number((100 * share).toFixed(2));
  };
  const shops = material.shops.map((shop) => {
    const { truth, visits, framesAt } = watchShop(shop, tuning);
    return scoreShop(truth, visits, framesAt);
  });
  const { inventedPercent, matchedPercent } = shopFigures(shops);
  return {
    ...{ static: f1(material.static), moving: f1(material.moving), slow: f1(material.slow) },
    ...{ invented: inventedPercent, matched: matchedPercent },
  };
}
