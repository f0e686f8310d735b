import { Tensor } from 'onnxruntime-node';
import { appearanceOf, type SmallFrame } from '../vision/detect/clothes-colours.ts';
import { makeDecoder } from '../vision/detect/decode/decoder.ts';
import type { InputWindow } from '../vision/detect/detector.ts';
import { suppress } from '../vision/detect/nms.ts';
import type { ScoreCurves } from '../vision/detect/score-curves.ts';
import type { Detection, Letterbox } from '../vision/types.ts';
import { COLOUR_CELL, colourCells } from './convert/colours.ts';
import { preparedColumns, ROWS, rowsOf } from './convert/strongest.ts';
import type { DetectorCard } from './detector-card.ts';
import type { OpenSession } from './open-session.ts';

/** The network of a detector in one size: its session, its outputs and how to read them. */
export class DetectorNetwork {
  readonly #card: DetectorCard;
  readonly #session: OpenSession['session'];
  readonly #outputs: Record<string, Tensor> = {};
  readonly #colours: SmallFrame;
  readonly #decode: ReturnType<typeof makeDecoder>;
  /** The window of the last frame; null before the first. */
  #cut: Buffer | null = null;

  constructor(card: DetectorCard, scores: ScoreCurves, session: OpenSession['session']) {
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

  /** @param rowWidth of the frame, in pixels @returns the input for `run` of a window of the size of this network */
  tensorOf(pixels: Uint8Array, rowWidth: number, { x, y, width, height }: InputWindow): Tensor {
    const shape = [1, height, width, 3];
    // The rows of such a window lie one after the other.
    if (width === rowWidth)
      return new Tensor('uint8', pixels.subarray(3 * y * width, 3 * (y + height) * width), shape);
    this.#cut ??= Buffer.alloc(3 * width * height);
    const cut = this.#cut;
    const frame = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
    for (let row = 0; row < height; row++) {
      const from = 3 * ((y + row) * rowWidth + x);
      frame.copy(cut, 3 * row * width, from, from + 3 * width);
    }
    return new Tensor('uint8', cut, shape);
  }

  /** Fills the outputs in place, in the arrays that the decoder reads. */
  async run(image: Tensor): Promise<void> {
    await this.#session.run({ image }, this.#outputs);
  }

  /** What the last run has found. @param at where its input lies in the letterbox, pixels */
  read(letterbox: Letterbox, minScore: number, at: { x: number; y: number }): Detection[] {
    const candidates = this.#decode(minScore);
    const { left, top, right, bottom, score, classId } = candidates;
    const { contentWidth, contentHeight } = letterbox;
    return suppress(candidates, { doubtIou: this.#card.nmsIou, minScore }).map((i) => ({
      box: {
        left: (at.x + left[i]!) / contentWidth,
        top: (at.y + top[i]!) / contentHeight,
        right: (at.x + right[i]!) / contentWidth,
        bottom: (at.y + bottom[i]!) / contentHeight,
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

  async release(): Promise<void> {
    await this.#session.release();
  }
}
