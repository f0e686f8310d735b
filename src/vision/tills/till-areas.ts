import { Area } from '../../catalogue/zones/polygon.ts';
import type { Point, Till } from '../types.ts';

/** The tills of a scene as places. */
export class TillAreas {
  readonly #tills: readonly { readonly id: string; readonly area: Area; readonly staff: Area | null }[];

  constructor(tills: readonly Till[]) {
    this.#tills = tills.map(({ id, points, staffPoints }) => ({
      ...{ id, area: new Area(points), staff: staffPoints ? new Area(staffPoints) : null },
    }));
  }

  /**
   * The till at which a customer stands; null at none. Nobody is served where the person who serves stands.
   * @param before the till of the frame before: where two overlap, nobody goes to and fro
   */
  at(foot: Point, before: string | null = null): string | null {
    if (this.#tills.length === 0 || this.staffAt(foot) !== null) return null;
    const here = this.#tills.filter(({ area }) => area.contains(foot));
    return (here.find(({ id }) => id === before) ?? here[0])?.id ?? null;
  }

  /** The till whose staff side this is; null: of none. */
  staffAt(foot: Point): string | null {
    return this.#tills.find(({ staff }) => staff?.contains(foot))?.id ?? null;
  }
}
