import type { QueueParameters, QueueZones } from '../vision/types.ts';
import { FRAME_HEIGHT, FRAME_WIDTH } from './camera.ts';
import { seenShares } from './coverage.ts';
import type { DrawnPerson } from './draw/shop-renderer.ts';
import type { Shop } from './open-shop.ts';
import type { DrawnScenario } from './scenario.ts';
import { type PersonLog, ShopLog, type ShopStatistics } from './shop-log.ts';
import { STEP_MS } from './shop-world.ts';
import { TillLog, type TillTruth } from './tills/till-log.ts';
import { TillWorld } from './tills/till-world.ts';

/** `[personId, left, top, right, bottom, visibleShare, facing]`: pixels, 0-1, eighths of a turn (see README). */
export type TruthBox = [number, number, number, number, number, number, number];

/** The ground truth of a simulated video; this folder's README describes the file format. */
export interface ShopTruth {
  readonly seed: number;
  /** Left out for the classic shop. */
  readonly scenario?: DrawnScenario;
  readonly fps: number;
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
  readonly zones: QueueZones;
  /** Of a shop with a line for each till: the zones of each line's scene; `zones` are those of the first. */
  readonly scenes?: readonly QueueZones[];
  readonly parameters: QueueParameters;
  readonly persons: PersonLog[];
  /** Of a shop with tills. */
  readonly tills?: TillTruth;
  /** One list per frame. */
  readonly boxes: TruthBox[][];
}

/** The API's defaults. */
const PARAMETERS: QueueParameters = {
  confidenceThreshold: 0.6,
  class: 'person',
  entryThresholdSeconds: 3,
  exitThresholdSeconds: 1,
  trackingMaxAgeSeconds: 5,
};

/** The options of a video. */
interface VideoOptions {
  readonly seed: number;
  readonly fps: number;
  readonly scenario?: DrawnScenario;
}

/** Collects the ground truth while the frames are drawn. */
export class TruthRecorder {
  readonly #log = new ShopLog();
  readonly #tills = new TillLog();
  readonly #boxes: TruthBox[][] = [];
  readonly #world: Shop;
  readonly #options: VideoOptions;

  /** @param world for the recorder alone, with the video's seed and scenario: it is moved step by step */
  constructor(world: Shop, options: VideoOptions) {
    this.#world = world;
    this.#options = options;
  }

  /** Call it after each frame, in order. */
  add(drawn: readonly DrawnPerson[], timeMs: number): void {
    while (this.#world.timeMs + STEP_MS <= timeMs) {
      this.#world.advanceTo(this.#world.timeMs + STEP_MS);
      this.#log.observe(this.#world);
      if (this.#world instanceof TillWorld) this.#tills.observe(this.#world);
    }
    const seen = seenShares(drawn, this.#world.place);
    this.#boxes.push(
      seen.flatMap(({ person, facing, left, top, right, bottom, visible }): TruthBox[] => {
        const rounded = Math.round(visible * 100) / 100;
        return right > 0 && left < FRAME_WIDTH
          ? [[person.id, left, top, right, bottom, rounded, facing]]
          : [];
      }),
    );
  }

  get statistics(): ShopStatistics {
    return this.#log.statistics();
  }

  truth(): ShopTruth {
    const { seed, fps, scenario = 'classic' } = this.#options;
    const scenes = this.#world instanceof TillWorld ? this.#world.shop.scenes : [];
    return {
      seed,
      ...(scenario !== 'classic' && { scenario }),
      fps,
      seconds: this.#boxes.length / fps,
      width: FRAME_WIDTH,
      height: FRAME_HEIGHT,
      zones: this.#world.place.zones,
      ...(scenes.length > 1 && { scenes }),
      parameters: PARAMETERS,
      persons: this.#log.persons,
      ...(scenes.length > 0 && { tills: this.#tills.truth() }),
      boxes: this.#boxes,
    };
  }
}
