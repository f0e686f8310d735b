import type { Logger } from 'pino';
import { openBrightness } from '../../models/brightness-cells.ts';
import { readDetectorCard } from '../../models/cards.ts';
import { cardsOfSizes } from '../../models/detector-card.ts';
import { cardsOfNetworks, loadAttributeModels } from '../../models/load-attribute-models.ts';
import { loadDetector } from '../../models/load-detector.ts';
import { requireReady } from '../../models/ready-models.ts';
import { type FfmpegBinaries, findFfmpegPatiently } from '../../video/ffmpeg/ffmpeg-binaries.ts';
import type { CombinedAttributeModel } from '../../vision/attributes/combined-attribute-model.ts';
import type { Detector, NetworkSize } from '../../vision/detect/detector.ts';
import { frameSize, shrunkSize } from '../../vision/region.ts';
import type { BrightnessCells } from '../../vision/still/brightness.ts';
import type { LaneOptions } from '../lane-protocol.ts';

/** What the cameras of a lane share. */
export interface LaneTools {
  readonly binaries: FfmpegBinaries;
  readonly detector: Detector;
  /** To notice frames in which nothing has changed; undefined: no frame is skipped. */
  readonly brightness: LaneBrightness | undefined;
  /** Whether what was found of people holds while nothing changes. */
  readonly holdsPeople: boolean;
  readonly attributeModels: LaneAttributeModels;
}

/** Finds ffmpeg and loads the detector. @throws Error saying why one of them or an attribute model cannot be used */
export async function openLane(
  options: LaneOptions,
  { log, onLost }: { log: Logger; onLost: (reason: string) => void },
): Promise<LaneTools> {
  const { ffmpegPath, ffprobePath } = options;
  const onWarning = (sentence: string) => log.warn(sentence);
  const onProgress = (sentence: string) => log.info(sentence);
  const binaries = await findFfmpegPatiently({ ffmpegPath, ffprobePath, onWarning });
  // The other sizes are opened later, between two frames: what is missing must be known now.
  await requireReady(
    [
      ...cardsOfSizes(await readDetectorCard(options.modelsDir, options.model)),
      ...(await cardsOfNetworks(options.attributeModels, options.modelsDir)),
    ],
    options,
  );
  const detector = await loadDetector({ ...options, onProgress, onLost });
  const brightness = options.skipStillFrames ? await LaneBrightness.open(detector) : undefined;
  const attributes = new LaneAttributeModels(options, { log, onLost });
  const { holdStillPeople: holdsPeople } = options;
  return { binaries, detector, brightness, holdsPeople, attributeModels: attributes };
}

interface SizedCells extends NetworkSize {
  readonly cells: BrightnessCells | undefined;
}

/** The brightness of the frames of a lane, for every size that they may have. */
export class LaneBrightness {
  readonly #opened: readonly SizedCells[];

  private constructor(opened: readonly SizedCells[]) {
    this.#opened = opened;
  }

  /** Opens the network of the shrunk picture too, for glances at frames that may be skipped: later a frame would wait for it. */
  static async open(detector: Detector): Promise<LaneBrightness> {
    const sizes = [frameSize(detector, 'standard'), ...(detector.largerInput ? [detector.largerInput] : [])];
    await detector.prepare(shrunkSize(detector.sizes));
    const opened = sizes.map(async (size) => ({ ...size, cells: await openBrightness(size) }));
    return new LaneBrightness(await Promise.all(opened));
  }

  /** @returns undefined for frames that cannot be compared */
  of({ width, height }: NetworkSize): BrightnessCells | undefined {
    return this.#opened.find((one) => one.width === width && one.height === height)?.cells;
  }

  async release(): Promise<void> {
    await Promise.all(this.#opened.map(async ({ cells }) => cells?.release()));
  }
}

/** The attribute models of a lane, loaded when the first camera needs them. */
export class LaneAttributeModels {
  readonly #options: LaneOptions;
  readonly #log: Logger;
  readonly #onLost: (reason: string) => void;
  #loaded: CombinedAttributeModel | null = null;
  #loading: Promise<void> | undefined;

  constructor(options: LaneOptions, { log, onLost }: { log: Logger; onLost: (reason: string) => void }) {
    this.#options = options;
    this.#log = log;
    this.#onLost = onLost;
  }

  /** @returns null while the models are loading, when loading failed, and without models */
  get(): CombinedAttributeModel | null {
    if (this.#options.attributeModels.length > 0) this.#loading ??= this.#load();
    return this.#loaded;
  }

  /** The same, after loading them. */
  async loaded(): Promise<CombinedAttributeModel | null> {
    this.get();
    await this.#loading;
    return this.#loaded;
  }

  async close(): Promise<void> {
    await this.#loading;
    await this.#loaded?.dispose();
    this.#loaded = null;
  }

  async #load(): Promise<void> {
    try {
      const { attributeModels, modelsDir, cacheDir, attributeProvider } = this.#options;
      this.#loaded = await loadAttributeModels(attributeModels, {
        ...{ modelsDir, cacheDir, executionProvider: attributeProvider, onLost: this.#onLost },
        onProgress: (sentence) => this.#log.info(sentence),
      });
    } catch (error) {
      this.#log.error({ err: error }, 'attribute models cannot be opened');
    }
  }
}
