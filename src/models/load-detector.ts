import type { Detector, ExecutionProvider, NetworkSize, SmallerView } from '../vision/detect/detector.ts';
import type { ScoreCurves } from '../vision/detect/score-curves.ts';
import { shrunkSize, shrunkTo, wholeSize } from '../vision/region.ts';
import type { Stopwatch } from '../vision/stopwatch.ts';
import type { Detection, Letterbox } from '../vision/types.ts';
import { readDetectorCard } from './cards.ts';
import { cardAt, type DetectorCard, inputSizes } from './detector-card.ts';
import { DetectorNetwork } from './detector-network.ts';
import type { ModelFolders } from './model-sources.ts';
import { type OpenSession, openSession, type SessionPlace } from './open-session.ts';
import { readyModel } from './ready-models.ts';
import { openShrinker, type Shrinker } from './shrink-frame.ts';

/** A detector whose network can also be run alone, for measurements. */
export interface LoadedDetector extends Detector {
  /** Runs only the network that looks at the whole picture, always on the same tensor: the lowest cost of an inference. */
  bareRun(pixels: Uint8Array, letterbox: Letterbox): Promise<() => Promise<void>>;
}

export interface DetectorOptions extends ModelFolders, SessionPlace {
  /** Name of a card. */
  readonly model: string;
  /** Replace the curves of the card; `{}` gives raw scores. */
  readonly scores?: ScoreCurves;
  /** The most frames of several cameras in one run; 1 by default, and always on the CPU. */
  readonly batchSize?: number | undefined;
  /** Measures the laps `inference` and `outputs`. */
  readonly stopwatch?: Stopwatch;
}

/**
 * Opens a detector from its ready file.
 * @throws Error with one sentence that says what to do: unknown model (lists the names), not pulled, not prepared
 */
export async function loadDetector(options: DetectorOptions): Promise<LoadedDetector> {
  const card = await readDetectorCard(options.modelsDir, options.model);
  const bytes = await readyModel(card, options);
  return new OnnxDetector(card, options, await openSession(card.name, bytes, options));
}

const scoresOf = (card: DetectorCard, { scores }: DetectorOptions): ScoreCurves =>
  scores ?? card.scores ?? {};

class OnnxDetector implements LoadedDetector {
  readonly name: string;
  readonly executionProvider: ExecutionProvider;
  readonly fallback: string | null;
  readonly batchSize: number;
  readonly inputWidth: number;
  readonly inputHeight: number;
  readonly largerInput: NetworkSize | null;
  readonly sizes: Detector['sizes'];
  readonly #card: DetectorCard;
  readonly #options: DetectorOptions;
  /** The network of the size of most frames. */
  readonly #standard: DetectorNetwork;
  /** The networks of the other sizes that were used. */
  readonly #others = new Map<NetworkSize, Promise<DetectorNetwork>>();
  /** Opened at its first use. */
  #shrinker: Promise<Shrinker> | null = null;

  constructor(card: DetectorCard, options: DetectorOptions, opened: OpenSession) {
    this.name = card.name;
    this.executionProvider = opened.executionProvider;
    this.fallback = opened.fallback;
    this.inputWidth = card.input.width;
    this.inputHeight = card.input.height;
    this.largerInput = card.largerInput;
    this.sizes = inputSizes(card);
    this.#card = card;
    this.#options = options;
    this.batchSize = opened.executionProvider === 'cpu' ? 1 : (options.batchSize ?? 1);
    this.#standard = this.#networkIn(card, opened);
  }

  async detect(
    pixels: Uint8Array,
    letterbox: Letterbox,
    minScore: number,
    view?: SmallerView,
  ): Promise<Detection[]> {
    if (view === 'shrunk') return this.#detectShrunk(pixels, letterbox, minScore);
    const window = view ?? { x: 0, y: 0, ...wholeSize(letterbox, this.sizes) };
    const network = await this.#networkOf(window);
    return network.detect({ pixels, letterbox, window }, minScore);
  }

  async #detectShrunk(pixels: Uint8Array, letterbox: Letterbox, minScore: number): Promise<Detection[]> {
    const standard = { width: this.inputWidth, height: this.inputHeight };
    const small = shrunkSize(this.sizes);
    if (small.width === standard.width) return this.detect(pixels, letterbox, minScore);
    this.#shrinker ??= openShrinker(standard, small, this.batchSize).catch((error: unknown) => {
      // The next use tries again.
      this.#shrinker = null;
      throw error;
    });
    const shrinker = await this.#shrinker;
    return this.detect(await shrinker.of(pixels), shrunkTo(small, letterbox), minScore);
  }

  async prepare(size: NetworkSize): Promise<void> {
    await this.#networkOf(size);
  }

  async bareRun(pixels: Uint8Array, letterbox: Letterbox): Promise<() => Promise<void>> {
    const size = wholeSize(letterbox, this.sizes);
    const network = await this.#networkOf(size);
    return network.bareRun({ pixels, letterbox, window: { x: 0, y: 0, ...size } });
  }

  async dispose(): Promise<void> {
    const others = await Promise.allSettled(this.#others.values());
    this.#others.clear();
    const open = others.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const shrinker = await this.#shrinker?.catch(() => null);
    await Promise.all([this.#standard, ...open, ...(shrinker ? [shrinker] : [])].map((one) => one.release()));
  }

  async #networkOf({ width, height }: NetworkSize): Promise<DetectorNetwork> {
    const size = this.sizes.find((one) => one.width === width && one.height === height);
    if (!size) {
      const offered = this.sizes.map((one) => `${one.width}×${one.height}`).join(', ');
      throw new Error(`The model ${this.name} has no input of ${width}×${height}; it has ${offered}.`);
    }
    if (width === this.inputWidth && height === this.inputHeight) return this.#standard;
    const known = this.#others.get(size);
    if (known) return known;
    const opening = this.#open(size);
    this.#others.set(size, opening);
    // The next use tries again.
    opening.catch(() => this.#others.delete(size));
    return opening;
  }

  async #open(size: NetworkSize): Promise<DetectorNetwork> {
    const card = cardAt(this.#card, size);
    const bytes = await readyModel(card, this.#options);
    const options = { ...this.#options, executionProvider: this.executionProvider };
    return this.#networkIn(card, await openSession(card.name, bytes, options));
  }

  #networkIn(card: DetectorCard, { session }: OpenSession): DetectorNetwork {
    const { stopwatch } = this.#options;
    return new DetectorNetwork({
      ...{ card, session, stopwatch, scores: scoresOf(card, this.#options), batchSize: this.batchSize },
    });
  }
}
