import { QUARTER_MS, QUARTER_SECONDS } from '../../catalogue/metrics/quarter.ts';
import type { TillSecond } from '../../vision/tills/till-watch.ts';
import type { Till } from '../../vision/types.ts';
import { codeOf, decodeSpans, encodeSpans, sumsOf, type TillSums } from './encode-spans.ts';
import { lostAt } from './till-numbers.ts';

/** A quarter of an hour of a till, as stored. Storing it replaces its row. */
export interface TillQuarter extends TillSums {
  /** Start of the UTC quarter. */
  readonly quarterMs: number;
  readonly tillId: string;
  readonly name: string;
  readonly spans: Uint8Array;
}

/** Frame time after which a quarter in progress is stored again. */
const STORE_MS = 60_000;
/** Quarters that wait while the database refuses writes; the oldest are dropped first. */
const MOST_QUARTERS = 4 * 24 * 2;

interface Quarter {
  /** In the order of the scene, with the codes of their seconds. */
  readonly tills: readonly { readonly id: string; readonly name: string; readonly codes: Uint8Array }[];
  version: number;
  storedVersion: number;
}

/** The states of the tills of a run by the second, and which quarters of an hour are to be stored. */
export class RunTills {
  readonly #tills: readonly Pick<Till, 'id' | 'name'>[];
  readonly #quarters = new Map<number, Quarter>();
  #takenMs = Number.NEGATIVE_INFINITY;
  /** Seconds whose states nobody knew before. */
  #uncounted: TillSecond[] = [];
  #inFlight = new Map<number, number>();

  /** @param stored the current quarter and the one before, of earlier runs or of this one on another node */
  constructor(tills: readonly Pick<Till, 'id' | 'name'>[], stored: readonly TillQuarter[] = []) {
    this.#tills = tills;
    for (const { quarterMs, tillId, spans } of stored)
      this.#quarterAt(quarterMs)
        .tills.find(({ id }) => id === tillId)
        ?.codes.set(decodeSpans(spans));
  }

  add(seconds: readonly TillSecond[]): void {
    for (const second of seconds) {
      const quarterMs = Math.floor(second.timeMs / QUARTER_MS) * QUARTER_MS;
      const quarter = this.#quarterAt(quarterMs);
      const at = (second.timeMs - quarterMs) / 1000;
      const lost = lostAt(second);
      // After a move to another node some come again.
      if (quarter.tills.every(({ codes }) => codes[at] === 0)) this.#uncounted.push(second);
      quarter.tills.forEach(({ codes }, till) => {
        codes[at] = codeOf(second.states[till]!, till === lost);
      });
      quarter.version++;
    }
  }

  /**
   * The quarters to store now. The next call returns them again unless `stored` is called before.
   * @param timeMs of the last frame; null: everything is due
   */
  take(timeMs: number | null): TillQuarter[] {
    const isDue = timeMs === null || this.#inFlight.size > 0 || timeMs - this.#takenMs >= STORE_MS;
    if (!isDue) return [];
    if (timeMs !== null) this.#takenMs = timeMs;
    const changed = [...this.#quarters].filter(([, { version, storedVersion }]) => version > storedVersion);
    this.#inFlight = new Map(changed.map(([quarterMs, { version }]) => [quarterMs, version]));
    return changed.flatMap(([quarterMs, { tills }]) =>
      tills.map(({ id, name, codes }) => ({
        ...{ quarterMs, tillId: id, name, spans: encodeSpans(codes) },
        ...sumsOf(codes),
      })),
    );
  }

  /** The seconds that no sum has: those of a stored row were counted. They are to be stored with the rows of the last `take`. */
  takeUncounted(): readonly TillSecond[] {
    const uncounted = this.#uncounted;
    this.#uncounted = [];
    return uncounted;
  }

  /** What the last `take` returned is in the database. */
  stored(): void {
    for (const [quarterMs, version] of this.#inFlight) {
      const quarter = this.#quarters.get(quarterMs);
      if (quarter) quarter.storedVersion = version;
    }
    this.#inFlight.clear();
    // States are final after half a minute, so the quarter before may still grow.
    const newestFirst = [...this.#quarters].sort(([a], [b]) => b - a);
    newestFirst.slice(2).forEach(([quarterMs, { version, storedVersion }], at) => {
      if (version === storedVersion || at >= MOST_QUARTERS) this.#quarters.delete(quarterMs);
    });
  }

  #quarterAt(quarterMs: number): Quarter {
    const known = this.#quarters.get(quarterMs);
    if (known) return known;
    const tills = this.#tills.map(({ id, name }) => ({ id, name, codes: new Uint8Array(QUARTER_SECONDS) }));
    const quarter: Quarter = { tills, version: 0, storedVersion: 0 };
    this.#quarters.set(quarterMs, quarter);
    return quarter;
  }
}
