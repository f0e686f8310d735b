import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import { Tensor } from 'onnxruntime-node';
import { appearanceOf, type SmallFrame } from '../vision/detect/clothes-colours.ts';
import { makeDecoder } from '../vision/detect/decode/decoder.ts';
import type { InputWindow } from '../vision/detect/detector.ts';
import { suppress } from '../vision/detect/nms.ts';
import type { ScoreCurves } from '../vision/detect/score-curves.ts';
import type { Stopwatch } from '../vision/stopwatch.ts';
import type { Detection, Letterbox } from '../vision/types.ts';
import type { DetectorCard } from './detector-card.ts';
import type { OpenSession } from './open-session.ts';
import { COLOUR_CELL, colourCells, preparedColumns, ROWS, rowsOf } from './ready-network.ts';

export interface NetworkParts {
  readonly card: DetectorCard;
  readonly scores: ScoreCurves;
  readonly session: OpenSession['session'];
  /** The most frames of one run. */
  readonly batchSize: number;
  /** Measures the laps `inference` and `outputs`. */
  readonly stopwatch?: Stopwatch | undefined;
}

/** What a network sees of a frame. */
export interface NetworkFrame {
  readonly pixels: Uint8Array;
  readonly letterbox: Letterbox;
  /** Of the size of the network; x and y are its place in the letterbox. */
  readonly window: InputWindow;
}

interface WaitingFrame extends NetworkFrame {
  readonly minScore: number;
  readonly resolve: (detections: Detection[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Where the outputs of one frame of a run lie. */
interface Slot {
  readonly decode: ReturnType<typeof makeDecoder>;
  readonly colours: SmallFrame;
}

/** The network of a detector in one size: its session, its outputs and how to read them. */
export class DetectorNetwork {
  readonly #parts: NetworkParts;
  /** The outputs of the first n frames, by n. They share their memory. */
  readonly #outputs: readonly Record<string, Tensor>[];
  readonly #slots: readonly Slot[];
  readonly #waiting: WaitingFrame[] = [];
  #isRunning = false;
  #lastRuns: Promise<void> | undefined;
  /** The windows of the frames of the last run that were copied; null before the first. */
  #cut: Buffer | null = null;

  constructor(parts: NetworkParts) {
    this.#parts = parts;
    const { card, scores, batchSize } = parts;
    const rows = rowsOf(card);
    const { columns: across, rows: down } = colourCells(card.input);
    const sizes = Object.entries(preparedColumns(card));
    const data = sizes.map(
      ([name, size]) => [name, size, new Float32Array(batchSize * rows * size)] as const,
    );
    const anchors = new Int32Array(batchSize * rows);
    const colours = new Uint8Array(batchSize * 3 * down * across);
    this.#slots = Array.from({ length: batchSize }, (_, slot) => {
      const own = <T extends Float32Array | Int32Array | Uint8Array>(array: T, size: number) =>
        array.subarray(slot * size, (slot + 1) * size) as T;
      const outputs = Object.fromEntries(data.map(([name, size, array]) => [name, own(array, rows * size)]));
      return {
        decode: makeDecoder(card, { rows: own(anchors, rows), data: outputs }, scores),
        colours: { data: own(colours, 3 * down * across), columns: across, rows: down },
      };
    });
    this.#outputs = Array.from({ length: batchSize + 1 }, (_, frames) => ({
      ...Object.fromEntries(
        data.map(([name, size, array]) => [
          name,
          new Tensor('float32', array.subarray(0, frames * rows * size), [frames, rows, size]),
        ]),
      ),
      [ROWS]: new Tensor('int32', anchors.subarray(0, frames * rows), [frames, rows]),
      colours: new Tensor('uint8', colours.subarray(0, frames * 3 * down * across), [
        frames,
        3,
        down,
        across,
      ]),
    }));
  }

  /** Frames that come in the same turn of the event loop are detected in one run. @param minScore 0-1, above 0 */
  detect(frame: NetworkFrame, minScore: number): Promise<Detection[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...frame, minScore, resolve, reject });
      if (!this.#isRunning) this.#lastRuns = this.#runAll();
    });
  }

  /** Runs the network on always the same frame, and reads nothing. */
  bareRun(frame: NetworkFrame): () => Promise<void> {
    const image = this.#inputOf([frame]);
    return () => this.#run(image, 1);
  }

  /** Waits for the runs under way. */
  async release(): Promise<void> {
    await this.#lastRuns;
    await this.#parts.session.release();
  }

  async #runAll(): Promise<void> {
    const { batchSize, stopwatch } = this.#parts;
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      if (batchSize > 1) await eventLoopTurn();
      const frames = this.#waiting.splice(0, batchSize);
      try {
        stopwatch?.start();
        await this.#run(this.#inputOf(frames), frames.length);
        stopwatch?.lap('inference');
        for (const [at, slot] of this.#slots.entries()) {
          const frame = frames[at];
          if (!frame) break;
          frame.resolve(this.#read(slot, frame));
        }
        stopwatch?.lap('outputs');
      } catch (error) {
        for (const { reject } of frames) reject(error);
      }
    }
    this.#isRunning = false;
  }

  /** Fills the outputs in place, in the arrays that the decoders read. */
  async #run(image: Tensor, frames: number): Promise<void> {
    await this.#parts.session.run({ image }, this.#outputs[frames]!);
  }

  #inputOf(frames: readonly NetworkFrame[]): Tensor {
    const { width, height } = this.#parts.card.input;
    const shape = [frames.length, height, width, 3];
    const [{ pixels, letterbox, window }] = frames as [NetworkFrame];
    // The rows of such a window lie one after the other.
    if (frames.length === 1 && width === letterbox.inputWidth)
      return new Tensor(
        'uint8',
        pixels.subarray(3 * window.y * width, 3 * (window.y + height) * width),
        shape,
      );
    const bytes = 3 * width * height;
    this.#cut ??= Buffer.alloc(this.#parts.batchSize * bytes);
    for (const [at, frame] of frames.entries()) copyWindow(frame, this.#cut, at * bytes);
    return new Tensor('uint8', this.#cut.subarray(0, frames.length * bytes), shape);
  }

  #read({ decode, colours }: Slot, { letterbox, window, minScore }: WaitingFrame): Detection[] {
    const candidates = decode(minScore);
    const { score, classId } = candidates;
    const { contentWidth, contentHeight } = letterbox;
    return suppress(candidates, { doubtIou: this.#parts.card.nmsIou, minScore }).map((i) => {
      const { left, top, right, bottom } = candidates.boxAt(i);
      return {
        box: {
          left: (window.x + left) / contentWidth,
          top: (window.y + top) / contentHeight,
          right: (window.x + right) / contentWidth,
          bottom: (window.y + bottom) / contentHeight,
        },
        score: score[i]!,
        classId: classId[i]!,
        appearance: appearanceOf(colours, {
          left: left / COLOUR_CELL,
          top: top / COLOUR_CELL,
          right: right / COLOUR_CELL,
          bottom: bottom / COLOUR_CELL,
        }),
      };
    });
  }
}

function copyWindow({ pixels, letterbox, window }: NetworkFrame, into: Buffer, at: number): void {
  const { x, y, width, height } = window;
  const frame = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  for (let row = 0; row < height; row++) {
    const from = 3 * ((y + row) * letterbox.inputWidth + x);
    frame.copy(into, at + 3 * row * width, from, from + 3 * width);
  }
}
