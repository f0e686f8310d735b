import type { LineSigns } from '../../catalogue/metrics/counted.ts';
import { Area } from '../../catalogue/zones/polygon.ts';
import { footPoint } from '../geometry.ts';
import type { SeenPeople } from '../people-watch.ts';
import type { Box, Detection, QueueZones } from '../types.ts';

export interface LineFrame {
  readonly detections: readonly Detection[];
  readonly people: SeenPeople;
  /** People who are counted as waiting after this frame. */
  readonly counted: number;
  readonly isCounted: (personId: number) => boolean;
}

/** Looks at how well the line of one scene is seen. */
export class LineWatch {
  readonly #zone: Area;
  readonly #least: number;
  #sure = 0;

  /** @param least score of a sure detection */
  constructor({ points }: NonNullable<QueueZones['queueZone']>, least: number) {
    this.#zone = new Area(points);
    this.#least = least;
  }

  see({ detections, people, counted, isCounted }: LineFrame): LineSigns {
    const isInside = ({ box }: { readonly box: Box }) => this.#zone.contains(footPoint(box));
    const sure = detections.filter((one) => one.score >= this.#least && isInside(one)).length;
    const steps = Math.abs(sure - this.#sure);
    this.#sure = sure;
    const seen = people.paths.filter(({ personId }) => isCounted(personId)).length;
    const followed = people.tracks.filter(isInside).length;
    return { sure, steps, followed, unseen: Math.max(0, counted - seen) };
  }
}
