import { env, InferenceSession, Tensor } from 'onnxruntime-node';
import { appearanceOf, type SmallFrame } from '../vision/detect/clothes-colours.ts';
import { makeDecoder } from '../vision/detect/decode/decoder.ts';
import type { Detector } from '../vision/detect/detector.ts';
import { suppress } from '../vision/detect/nms.ts';
import type { ScoreCurves } from '../vision/detect/score-curves.ts';
import type { Stopwatch } from '../vision/stopwatch.ts';
import type { Detection, Letterbox } from '../vision/types.ts';
import { readDetectorCard } from './cards.ts';
import { COLOUR_CELL, colourCells } from './convert/colours.ts';
import { preparedColumns, ROWS, rowsOf } from './convert/strongest.ts';
import type { DetectorCard } from './detector-card.ts';
import { type ModelPlace, prepareModel } from './model-store.ts';
import { sessionOptions } from './session-options.ts';

// Errors are thrown with our own messages; the library would also print them.
env.logLevel = 'fatal';

/** A detector whose network can also be run alone, for measurements. */
export interface LoadedDetector extends Detector {
  /** Runs only the network, always on the same tensor of `pixels`: the lowest cost of an inference. */
  bareRun(pixels: Uint8Array): () => Promise<void>;
}

export interface DetectorOptions extends ModelPlace {
  /** Name of a card. */
  readonly model: string;
  /** Threads of one inference; 1 by default, because lanes are processes. */
  readonly threads?: number;
  /** `cuda` falls back to `cpu` and reports that to `onProgress`. */
  readonly executionProvider?: 'cpu' | 'cuda';
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
  const scores = options.scores ?? card.scores ?? {};
  return new OnnxDetector({ card, scores }, await openSession(card, bytes, options), options.stopwatch);
}

interface OpenSession {
  readonly session: InferenceSession;
  readonly executionProvider: 'cpu' | 'cuda';
}

async function openSession(
  card: DetectorCard,
  bytes: Uint8Array,
  options: DetectorOptions,
): Promise<OpenSession> {
  const common = sessionOptions(bytes, options.threads ?? 1);
  const create = (executionProviders: string[]) =>
    InferenceSession.create(bytes, { ...common, executionProviders });
  if (options.executionProvider === 'cuda') {
    try {
      return { session: await create(['cuda', 'cpu']), executionProvider: 'cuda' };
    } catch (error) {
      const reason = String((error as Error).message).split('\n')[0];
      options.onProgress?.(
        `CUDA is not available (${reason}): ${card.name} runs on the CPU; see GPU in src/operations.md, or set EXECUTION_PROVIDER=cpu`,
      );
    }
  }
  try {
    return { session: await create(['cpu']), executionProvider: 'cpu' };
  } catch (error) {
    const reason = String((error as Error).message).split('\n')[0];
    throw new Error(
      `ONNX Runtime does not open the model ${card.name} (${reason}): its file is not a network this version runs; take another model or file.`,
    );
  }
}

class OnnxDetector implements LoadedDetector {
  readonly name: string;
  readonly executionProvider: 'cpu' | 'cuda';
  readonly inputWidth: number;
  readonly inputHeight: number;
  readonly #stopwatch: Stopwatch | undefined;
  readonly #card: DetectorCard;
  readonly #session: InferenceSession;
  readonly #outputs: Record<string, Tensor> = {};
  readonly #colours: SmallFrame;
  readonly #decode: ReturnType<typeof makeDecoder>;

  constructor(
    { card, scores }: { card: DetectorCard; scores: ScoreCurves },
    { session, executionProvider }: OpenSession,
    stopwatch?: Stopwatch,
  ) {
    this.#stopwatch = stopwatch;
    this.name = card.name;
    this.executionProvider = executionProvider;
    this.inputWidth = card.input.width;
    this.inputHeight = card.input.height;
    this.#card = card;
    this.#session = session;
    const count = rowsOf(card);
    const data: Record<string, Float32Array> = {};
    for (const [name, size] of Object.entries(preparedColumns(card))) {
      data[name] = new Float32Array(count * size);
      this.#outputs[name] = new Tensor('float32', data[name], [1, count, size]);
    }
    const anchorOfRow = new Int32Array(count);
    this.#outputs[ROWS] = new Tensor('int32', anchorOfRow, [count]);
    this.#decode = makeDecoder(card, { rows: anchorOfRow, data }, scores);
    const { columns: across, rows } = colourCells(card.input);
    this.#colours = { data: new Uint8Array(3 * rows * across), columns: across, rows };
    this.#outputs.colours = new Tensor('uint8', this.#colours.data, [1, 3, rows, across]);
  }

  async detect(pixels: Uint8Array, letterbox: Letterbox, minScore: number): Promise<Detection[]> {
    this.#stopwatch?.start();
    // the outputs are filled in place, in the arrays that the decoder reads
    await this.#session.run({ image: this.#tensor(pixels) }, this.#outputs);
    this.#stopwatch?.lap('inference');
    const detections = this.#read(letterbox, minScore);
    this.#stopwatch?.lap('outputs');
    return detections;
  }

  bareRun(pixels: Uint8Array): () => Promise<void> {
    const image = this.#tensor(pixels);
    return async () => {
      await this.#session.run({ image }, this.#outputs);
    };
  }

  #tensor(pixels: Uint8Array): Tensor {
    return new Tensor('uint8', pixels, [1, this.inputHeight, this.inputWidth, 3]);
  }

  #read(letterbox: Letterbox, minScore: number): Detection[] {
    const candidates = this.#decode(minScore);
    const { left, top, right, bottom, score, classId } = candidates;
    const { contentWidth, contentHeight } = letterbox;
    return suppress(candidates, { doubtIou: this.#card.nmsIou, minScore }).map((i) => ({
      box: {
        left: left[i]! / contentWidth,
        top: top[i]! / contentHeight,
        right: right[i]! / contentWidth,
        bottom: bottom[i]! / contentHeight,
      },
      score: score[i]!,
      classId: classId[i]!,
      appearance: appearanceOf(this.#colours, {
        left: left[i]! / COLOUR_CELL,
        top: top[i]! / COLOUR_CELL,
        right: right[i]! / COLOUR_CELL,
        bottom: bottom[i]! / COLOUR_CELL,
      }),
    }));
  }

  async dispose(): Promise<void> {
    await this.#session.release();
  }
}
