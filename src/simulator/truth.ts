import type { QueueParameters, QueueZones } from '../vision/types.ts';
import { FRAME_HEIGHT, FRAME_WIDTH } from './camera.ts';
import { seenShares } from './coverage.ts';
import type { DrawnPerson } from './draw/shop-renderer.ts';
import type { Scenario } from './scenario.ts';
import { type PersonLog, ShopLog, type ShopStatistics } from './shop-log.ts';
import { type ShopWorld, STEP_MS } from './shop-world.ts';

/** `[personId, left, top, right, bottom, visibleShare, facing]`: pixels, 0-1, eighths of a turn (see README). */
export type TruthBox = [number, number, number, number, number, number, number];

/** The ground truth of a simulated video; this folder's README describes the file format. */
export interface ShopTruth {
  readonly seed: number;
  /** Left out for the classic shop. */
  readonly scenario?: Scenario;
  readonly fps: number;
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
  readonly zones: QueueZones;
  readonly parameters: QueueParameters;
  readonly persons: PersonLog[];
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
  readonly scenario?: Scenario;
}

/** Collects the ground truth while the frames are drawn. */
export class TruthRecorder {
  readonly #log = new ShopLog();
  readonly #boxes: TruthBox[][] = [];
  readonly #world: ShopWorld;
  readonly #options: VideoOptions;

  /** @param world for the recorder alone, with the video's seed and scenario: it is moved step by step */
  constructor(world: ShopWorld, options: VideoOptions) {
    this.#world = world;
    this.#options = options;
  }

  /** Call it after each frame, in order. */
  add(drawn: readonly DrawnPerson[], timeMs: number): void {
    while (this.#world.timeMs + STEP_MS <= timeMs) {
      this.#world.advanceTo(this.#world.timeMs + STEP_MS);
      this.#log.observe(this.#world);
    }
    const people = drawn.map(({ person }) => person);
    const seen = seenShares(people, this.#world.place);
    this.#boxes.push(
      drawn.flatMap(({ person, facing, left, top, right, bottom }, at): TruthBox[] => {
        const visible = Math.round(seen[at]!.visible * 100) / 100;
        return right > 0 && left < FRAME_WIDTH
          ? [[person.id, left, top, right, bottom, visible, facing]]
          : [];
      }),
    );
  }

  get statistics(): ShopStatistics {
    return this.#log.statistics();
  }

  truth(): ShopTruth {
    const { seed, fps, scenario = 'classic' } = this.#options;
    return {
      seed,
      ...(scenario !== 'classic' && { scenario }),
      fps,
      seconds: this.#boxes.length / fps,
      width: FRAME_WIDTH,
      height: FRAME_HEIGHT,
      zones: this.#world.place.zones,
      parameters: PARAMETERS,
      persons: this.#log.persons,
      boxes: this.#boxes,
    };
  }
}
