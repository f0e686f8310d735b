import type { Tuning } from '../footage/tuning.ts';
import { countShop, figuresOf as shopFiguresOf } from '../shop/figures.ts';
import { type ShopBoxes, watchBoxes } from '../simulated/simulated-shop.ts';
import { product } from '../visits/observers.ts';
import { figuresOf, sum } from '../visits/score-zone.ts';
import { countVisits, type JudgedFootage } from '../visits/scored-footage.ts';

/** What every variant is measured on, read and detected once. */
export interface Material {
  /** At 5 frames a second, by camera. */
  readonly static: readonly JudgedFootage[];
  readonly moving: readonly JudgedFootage[];
  /** Static cameras at 3 frames a second. */
  readonly slow: readonly JudgedFootage[];
  readonly shops: readonly ShopBoxes[];
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
  const f1 = (footages: readonly JudgedFootage[]): number | null => {
    const counts = footages.map((judged) =>
      countVisits(judged, product(judged.frames, judged.parameters, tuning)),
    );
    const share = figuresOf(sum(counts)).f1;
    return share === null ? null : Number((100 * share).toFixed(2));
  };
  const shops = material.shops.map((boxes) => {
    const { truth, visits, framesAt } = watchBoxes(boxes, tuning);
    return countShop(truth, visits, framesAt).counts;
  });
  const { inventedPercent, matchedPercent } = shopFiguresOf(shops);
  return {
    ...{ static: f1(material.static), moving: f1(material.moving), slow: f1(material.slow) },
    ...{ invented: inventedPercent, matched: matchedPercent },
  };
}
