import { Tensor } from 'onnxruntime-node';
import { appearanceOf, type SmallFrame } from '../vision/detect/clothes-colours.ts';
import { makeDecoder } from '../vision/detect/decode/decoder.ts';
import type { NetworkSize } from '../vision/detect/detector.ts';
import { suppress } from '../vision/detect/nms.ts';
import type { ScoreCurves } from '../vision/detect/score-curves.ts';
import { WHOLE_PICTURE } from '../vision/region.ts';
import type { Detection, Letterbox } from '../vision/types.ts';
import { COLOUR_CELL, colourCells } from './convert/colours.ts';
import { preparedColumns, ROWS, rowsOf } from './convert/strongest.ts';
import type { SizedCard } from './detector-card.ts';
import type { OpenSession } from './open-session.ts';

/** The network of a detector in one size: its session, its outputs and how to read them. */
export class DetectorNetwork {
  readonly #card: SizedCard;
  readonly #session: OpenSession['session'];
  readonly #outputs: Record<string, Tensor> = {};
  readonly #colours: SmallFrame;
  readonly #decode: ReturnType<typeof makeDecoder>;
  /** Of the frames. */
  readonly #frames: NetworkSize;

  constructor(card: SizedCard, scores: ScoreCurves, session: OpenSession['session']) {
    this.#card = card;
    this.#session = session;
    this.#frames = card.frames ?? card.input;
    const count = rowsOf(card);
    const data: Record<string, Float32Array> = {};
    for (const [name, size] of Object.entries(preparedColumns(card))) {
      data[name] = new Float32Array(count * size);
      this.#outputs[name] = new Tensor('float32', data[name], [1, count, size]);
    }
    const anchorOfRow = new Int32Array(count);
    this.#outputs[ROWS] = new Tensor('int32', anchorOfRow, [count]);
    this.#decode = makeDecoder(card, { rows: anchorOfRow, data }, scores);
    const { columns: across, rows } = colourCells(this.#frames);
    this.#colours = { data: new Uint8Array(3 * rows * across), columns: across, rows };
    this.#outputs.colours = new Tensor('uint8', this.#colours.data, [1, 3, rows, across]);
  }

  /** @returns the input for `run` */
  tensor(pixels: Uint8Array): Tensor {
    return new Tensor('uint8', pixels, [1, this.#frames.height, this.#frames.width, 3]);
  }

  /** Fills the outputs in place, in the arrays that the decoder reads. */
  async run(image: Tensor): Promise<void> {
    await this.#session.run({ image }, this.#outputs);
  }

  /** What the last run has found. */
  read(letterbox: Letterbox, minScore: number): Detection[] {
    const candidates = this.#decode(minScore);
    const { left, top, right, bottom, score, classId } = candidates;
    const scale = this.#frames.width / this.#card.input.width;
    const shown = letterbox.region ?? WHOLE_PICTURE;
    const across = (scale * shown.width) / letterbox.contentWidth;
    const down = (scale * shown.height) / letterbox.contentHeight;
    const cells = scale / COLOUR_CELL;
    return suppress(candidates, { doubtIou: this.#card.nmsIou, minScore }).map((i) => ({
      box: {
        left: shown.left + left[i]! * across,
        top: shown.top + top[i]! * down,
        right: shown.left + right[i]! * across,
        bottom: shown.top + bottom[i]! * down,
      },
      score: score[i]!,
      classId: classId[i]!,
      appearance: appearanceOf(this.#colours, {
        left: left[i]! * cells,
        top: top[i]! * cells,
        right: right[i]! * cells,
        bottom: bottom[i]! * cells,
      }),
    }));
  }

  async release(): Promise<void> {
    await this.#session.release();
  }
}
