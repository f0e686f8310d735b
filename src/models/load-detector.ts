import type { Detector, ExecutionProvider, NetworkSize, SmallerView } from '../vision/detect/detector.ts';
import type { ScoreCurves } from '../vision/detect/score-curves.ts';
import type { Stopwatch } from '../vision/stopwatch.ts';
import type { Detection, Letterbox } from '../vision/types.ts';
import { readDetectorCard } from './cards.ts';
import { cardAt, type DetectorCard, inputSizes } from './detector-card.ts';
import { DetectorNetwork } from './detector-network.ts';
import { type ModelPlace, prepareModel } from './model-store.ts';
import { type OpenSession, openSession, type SessionPlace } from './open-session.ts';
import { openShrinker, type Shrinker, shrunkTo } from './shrink-frame.ts';

/** A detector whose network can also be run alone, for measurements. */
export interface LoadedDetector extends Detector {
  /** Runs only the network, always on the same tensor of `pixels`: the lowest cost of an inference. */
  bareRun(pixels: Uint8Array): () => Promise<void>;
}

export interface DetectorOptions extends ModelPlace, SessionPlace {
  /** Name of a card. */
  readonly model: string;
  /** Replace the curves of the card; `{}` gives raw scores. */
  readonly scores?: ScoreCurves;
  /** Measures the laps `inference` and `outputs`. */
  readonly stopwatch?: Stopwatch;
}

/**
 * Opens a detector. The first use of a model converts it (a second or two) and caches the result.
 * @throws Error with one sentence that says what to do: unknown model (lists the names), not pulled, damaged, not the
 * network of its card, no disk space
 */
export async function loadDetector(options: DetectorOptions): Promise<LoadedDetector> {
  const card = await readDetectorCard(options.modelsDir, options.model);
  const bytes = await prepareModel(card, options);
  return new OnnxDetector(card, options, await openSession(card.name, bytes, options));
}

/** Where the input of a network begins that looks at all of a frame. */
const WHOLE = { x: 0, y: 0 };

/** Converts every size of a detector that is not converted yet, so that no lane does it between two frames. */
export async function convertSizes(card: DetectorCard, place: ModelPlace): Promise<void> {
  for (const size of inputSizes(card)) await prepareModel(cardAt(card, size), place);
}

const scoresOf = (card: DetectorCard, { scores }: DetectorOptions): ScoreCurves =>
  scores ?? card.scores ?? {};

class OnnxDetector implements LoadedDetector {
  readonly name: string;
  readonly executionProvider: ExecutionProvider;
  readonly fallback: string | null;
  readonly inputWidth: number;
  readonly inputHeight: number;
  readonly sizes: readonly NetworkSize[];
  readonly #card: DetectorCard;
  readonly #options: DetectorOptions;
  readonly #largest: DetectorNetwork;
  /** The smaller sizes that were used, by their width. */
  readonly #smaller = new Map<number, Promise<DetectorNetwork>>();
  /** Opened at its first use. */
  #shrinker: Promise<Shrinker> | null = null;

  constructor(card: DetectorCard, options: DetectorOptions, opened: OpenSession) {
    this.name = card.name;
    this.executionProvider = opened.executionProvider;
    this.fallback = opened.fallback;
    this.inputWidth = card.input.width;
    this.inputHeight = card.input.height;
    this.sizes = inputSizes(card);
    this.#card = card;
    this.#options = options;
    this.#largest = new DetectorNetwork(card, scoresOf(card, options), opened.session);
  }

  async detect(
    pixels: Uint8Array,
    letterbox: Letterbox,
    minScore: number,
    view?: SmallerView,
  ): Promise<Detection[]> {
    if (view === 'shrunk') return this.#detectShrunk(pixels, letterbox, minScore);
    const { stopwatch } = this.#options;
    const { inputWidth: width, inputHeight: height } = letterbox;
    const network = await this.#networkOf(view ?? { width, height });
    stopwatch?.start();
    await network.run(view ? network.tensorOf(pixels, width, view) : network.tensor(pixels));
    stopwatch?.lap('inference');
    const detections = network.read(letterbox, minScore, view ?? WHOLE);
    stopwatch?.lap('outputs');
    return detections;
  }

  async #detectShrunk(pixels: Uint8Array, letterbox: Letterbox, minScore: number): Promise<Detection[]> {
    const smallest = this.sizes.at(-1)!;
    if (this.sizes.length === 1) return this.detect(pixels, letterbox, minScore);
    this.#shrinker ??= openShrinker(this.sizes[0]!, smallest).catch((error: unknown) => {
      // The next use tries again.
      this.#shrinker = null;
      throw error;
    });
    const shrinker = await this.#shrinker;
    return this.detect(await shrinker.of(pixels), shrunkTo(smallest, letterbox), minScore);
  }

  async prepare(size: NetworkSize): Promise<void> {
    await this.#networkOf(size);
  }

  bareRun(pixels: Uint8Array): () => Promise<void> {
    const image = this.#largest.tensor(pixels);
    return () => this.#largest.run(image);
  }

  async dispose(): Promise<void> {
    const smaller = await Promise.allSettled(this.#smaller.values());
    this.#smaller.clear();
    const open = smaller.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const shrinker = await this.#shrinker?.catch(() => null);
    await Promise.all([this.#largest, ...open, ...(shrinker ? [shrinker] : [])].map((one) => one.release()));
  }

  async #networkOf(size: NetworkSize): Promise<DetectorNetwork> {
    if (size.width === this.inputWidth) return this.#largest;
    const known = this.#smaller.get(size.width);
    if (known) return known;
    const opening = this.#open(size);
    this.#smaller.set(size.width, opening);
    // The next use tries again.
    opening.catch(() => this.#smaller.delete(size.width));
    return opening;
  }

  async #open({ width, height }: NetworkSize): Promise<DetectorNetwork> {
    const size = this.sizes.find((one) => one.width === width && one.height === height);
    if (!size) {
      const known = this.sizes.map((one) => `${one.width}×${one.height}`).join(', ');
      throw new Error(`The model ${this.name} has no input of ${width}×${height}; it has ${known}.`);
    }
    const card = cardAt(this.#card, size);
    const bytes = await prepareModel(card, this.#options);
    const options = { ...this.#options, executionProvider: this.executionProvider };
    const opened = await openSession(card.name, bytes, options);
    return new DetectorNetwork(card, scoresOf(card, this.#options), opened.session);
  }
}
