import { Tensor } from 'onnxruntime-node';
import type { ExecutionProvider } from '../vision/detect/detector.ts';
import type { FullFrame } from '../vision/frame.ts';
import type { Box } from '../vision/types.ts';
import type { AttributeCard } from './attribute-card.ts';
import type { ModelFolders } from './model-sources.ts';
import { type OpenSession, openSession, type SessionPlace } from './open-session.ts';
import { readyModel } from './ready-models.ts';
import { isMirrored } from './ready-network.ts';

/** Y, U, V of video range → R, G, B; row by row. */
const TO_RGB: Readonly<Record<FullFrame['colourMatrix'], readonly number[]>> = {
  bt601: [1.164383, 0, 1.596027, 1.164383, -0.391762, -0.812968, 1.164383, 2.017232, 0],
  bt709: [1.164383, 0, 1.792741, 1.164383, -0.213249, -0.532909, 1.164383, 2.112402, 0],
};

/** The folders of a network, and what runs it. */
export interface NetworkPlace extends ModelFolders, SessionPlace {}

/** A network whose input is a part of a frame. It has one session from open to dispose. */
export class CropNetwork {
  readonly card: AttributeCard;
  readonly executionProvider: ExecutionProvider;
  /** Why it is not the wanted one, one sentence; null when it is. */
  readonly fallback: string | null;
  readonly #session: OpenSession['session'];

  private constructor(card: AttributeCard, { session, executionProvider, fallback }: OpenSession) {
    this.card = card;
    this.#session = session;
    this.executionProvider = executionProvider;
    this.fallback = fallback;
  }

  /** @throws Error with one sentence that says what to do */
  static async open(card: AttributeCard, place: NetworkPlace): Promise<CropNetwork> {
    return CropNetwork.openFile(card, await readyModel(card, place), place);
  }

  /** @param bytes of a ready file @throws as `open` */
  static async openFile(
    card: AttributeCard,
    bytes: Uint8Array,
    place: SessionPlace = {},
  ): Promise<CropNetwork> {
    return new CropNetwork(card, await openSession(card.name, bytes, place));
  }

  /**
   * @param isReversed mirrors the crop; only for cards with `mirrored`
   * @param part pixels of the frame; may reach beyond it
   * @returns the values of the card's outputs, and CROP
   */
  async run(frame: FullFrame, part: Box, isReversed = false): Promise<Record<string, Float32Array>> {
    const { width, height, data } = frame;
    // Only the rows of the part are passed. The rows of a plane are contiguous, so nothing is copied.
    const top = Math.max(0, Math.min(height - 4, 2 * Math.floor(part.top / 2) - 2));
    const bottom = Math.min(height, Math.max(top + 4, 2 * Math.ceil(part.bottom / 2) + 2));
    const band = { ...part, top: part.top - top, bottom: part.bottom - top };
    const plane = (start: number, scale: 1 | 2) => {
      const [columns, rows] = [width / scale, (bottom - top) / scale];
      const from = start + (top / scale) * columns;
      return new Tensor('uint8', data.subarray(from, from + rows * columns), [1, 1, rows, columns]);
    };
    const roi = (scale: 1 | 2) => this.#partOf(band, [width, bottom - top], scale);
    const luma = width * height;
    const outputs = await this.#session.run({
      'front/y': plane(0, 1),
      'front/u': plane(luma, 2),
      'front/v': plane(luma * 1.25, 2),
      'front/lumaPart': roi(1),
      'front/chromaPart': roi(2),
      'front/matrix': new Tensor('float32', Float32Array.from(TO_RGB[frame.colourMatrix]), [3, 3, 1, 1]),
      ...(isMirrored(this.card) && { 'front/columns': columnsOf(this.card.input.width, isReversed) }),
    });
    return Object.fromEntries(
      Object.entries(outputs).map(([name, tensor]) => [name, tensor.data as Float32Array]),
    );
  }

  async dispose(): Promise<void> {
    await this.#session.release();
  }

  /** The roi of Resize: from the middle of the first point to the middle of the last, as shares of the plane. */
  #partOf(part: Box, size: readonly [columns: number, rows: number], scale: 1 | 2): Tensor {
    const { width, height, fineness } = this.card.input;
    const along = (from: number, to: number, [pixels, points]: readonly [number, number]) => {
      const inset = ((to - from) / (scale * points) - 1) / 2;
      const share = (at: number) => at / (pixels / scale - 1);
      return [share(from / scale + inset), share(to / scale - inset - 1)] as const;
    };
    const [left, right] = along(part.left, part.right, [size[0], fineness * width]);
    const [top, bottom] = along(part.top, part.bottom, [size[1], fineness * height]);
    return new Tensor('float32', Float32Array.of(0, 0, top, left, 1, 1, bottom, right), [8]);
  }
}

function columnsOf(width: number, isReversed: boolean): Tensor {
  const columns = BigInt64Array.from({ length: width }, (_, at) => BigInt(isReversed ? width - 1 - at : at));
  return new Tensor('int64', columns, [width]);
}
