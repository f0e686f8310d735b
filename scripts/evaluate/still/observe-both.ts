import { openBrightness } from '../../../src/models/brightness-cells.ts';
import type { Detector } from '../../../src/vision/detect/detector.ts';
import type { Frame } from '../../../src/vision/frame.ts';
import { observeFrame } from '../../../src/vision/observe-frame.ts';
import { ScenePipeline } from '../../../src/vision/pipeline.ts';
import type { BrightnessCells } from '../../../src/vision/still/brightness.ts';
import { type Look, StillFrames } from '../../../src/vision/still/still-frames.ts';
import type { SceneConfig, Visit } from '../../../src/vision/types.ts';

/** CPU time of one kind of work. */
interface Cost {
  count: number;
  ms: number;
}

/** What the detector and the comparison cost, and how often each was needed in all scenes together. */
export interface Costs {
  readonly look: Cost;
  readonly glance: Cost;
  readonly compare: Cost;
}

/** The work of one frame is done once for all scenes, and counted for each. */
class Shared<Result> {
  readonly cost: Cost = { count: 0, ms: 0 };
  #doneMs = 0;
  #done = 0;
  #now: Promise<Result> | null = null;

  /** A new frame. */
  next(): void {
    this.#now = null;
  }

  get(work: () => Promise<Result>, isCounted: boolean): Promise<Result> {
    this.#now ??= this.#measured(work);
    if (isCounted) this.cost.count++;
    return this.#now;
  }

  /** The mean of one time. */
  finish(): Cost {
    return { count: this.cost.count, ms: this.#done === 0 ? 0 : this.#doneMs / this.#done };
  }

  async #measured(work: () => Promise<Result>): Promise<Result> {
    const before = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(before);
    this.#doneMs += (user + system) / 1000;
    this.#done++;
    return result;
  }
}

/** One scene with every frame, and with the frames that the detector is not spared. */
class Pair {
  readonly all: Map<number, Visit> = new Map();
  readonly sparing: Map<number, Visit> = new Map();
  readonly #scenes: readonly [ScenePipeline, ScenePipeline];
  readonly #still: StillFrames;
  skipped = 0;
  held = 0;

  constructor(config: SceneConfig, brightness: BrightnessCells) {
    this.#scenes = [
      new ScenePipeline({ sceneId: 'all', config }),
      new ScenePipeline({ sceneId: 'sparing', config }),
    ];
    this.#still = new StillFrames(brightness, { holdsPeople: true });
  }

  async see(frame: Frame, { all, sparing }: { all: Detector; sparing: Detector }): Promise<void> {
    const [plain, still] = this.#scenes;
    keep(this.all, (await observeFrame(frame, { detector: all, scenes: [plain] }))[0]!.changes);
    this.skipped++;
    const onLook = ({ isHeld }: Look) => {
      this.skipped--;
      if (isHeld) this.held++;
    };
    const watchers = { detector: sparing, scenes: [still], still: this.#still, onLook };
    keep(this.sparing, (await observeFrame(frame, watchers))[0]!.changes);
  }

  finish(timeMs: number): void {
    keep(this.all, this.#scenes[0].close(timeMs).changes);
    keep(this.sparing, this.#scenes[1].close(timeMs).changes);
  }
}

const keep = (visits: Map<number, Visit>, changes: readonly Visit[]): void => {
  for (const visit of changes) {
    if (visit.state === 'discarded') visits.delete(visit.id);
    else visits.set(visit.id, visit);
  }
};

export interface BothWays {
  /** Of the frames. */
  readonly timesMs: readonly number[];
  readonly pairs: readonly {
    readonly all: Visit[];
    readonly sparing: Visit[];
    readonly skipped: number;
    readonly held: number;
  }[];
  readonly costs: Costs;
}

/** Every scene over the same frames, once with all of them and once without those that it is spared. The detector looks at each frame once. */
export async function observeBoth(
  frames: AsyncIterable<Frame>,
  detector: Detector,
  configs: readonly SceneConfig[],
): Promise<BothWays> {
  const cells = await openBrightness({ width: detector.inputWidth, height: detector.inputHeight });
  if (!cells) throw new Error(`Frames of the size of ${detector.name} cannot be compared.`);
  const look = new Shared<Awaited<ReturnType<Detector['detect']>>>();
  const glance = new Shared<Awaited<ReturnType<Detector['detect']>>>();
  const compare = new Shared<Int32Array>();
  const looking = (isCounted: boolean): Detector => ({
    ...{ name: detector.name, executionProvider: detector.executionProvider, sizes: detector.sizes },
    ...{ inputWidth: detector.inputWidth, inputHeight: detector.inputHeight },
    detect: (...what) =>
      (what[3] === 'shrunk' ? glance : look).get(() => detector.detect(...what), isCounted),
    prepare: (size) => detector.prepare(size),
    dispose: async () => undefined,
  });
  const shared = { ...cells, of: (pixels: Uint8Array) => compare.get(() => cells.of(pixels), true) };
  const detectors = { all: looking(false), sparing: looking(true) };
  const pairs = configs.map((config) => new Pair(config, shared));
  const timesMs: number[] = [];
  for await (const frame of frames) {
    for (const work of [look, glance, compare]) work.next();
    for (const pair of pairs) await pair.see(frame, detectors);
    timesMs.push(frame.timeMs);
  }
  for (const pair of pairs) pair.finish(timesMs.at(-1) ?? 0);
  await cells.release();
  return {
    timesMs,
    pairs: pairs.map(({ all, sparing, skipped, held }) => ({
      ...{ all: [...all.values()], sparing: [...sparing.values()], skipped, held },
    })),
    costs: { look: look.finish(), glance: glance.finish(), compare: compare.finish() },
  };
}
