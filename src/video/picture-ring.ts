import type { Frame, Picture } from '../vision/frame.ts';
import { toJpeg } from './jpeg.ts';

export interface PictureRingOptions {
  /** Pictures older than the newest by more are forgotten. Default 3 s. */
  readonly keepMs?: number;
  /** Bounds the memory whatever the rate: 0.8 MB each at 960×540. Default 48. */
  readonly maxPictures?: number;
}

const DEFAULT_KEEP_MS = 3_000;
const DEFAULT_MAX_PICTURES = 48;

/** The last few seconds of a camera's pictures. Buffers go round: after the first seconds nothing is allocated or copied. */
export class PictureRing {
  readonly #keepMs: number;
  readonly #maxPictures: number;
  /** Oldest first. */
  readonly #kept: Picture[] = [];

  constructor({ keepMs = DEFAULT_KEEP_MS, maxPictures = DEFAULT_MAX_PICTURES }: PictureRingOptions = {}) {
    this.#keepMs = keepMs;
    this.#maxPictures = maxPictures;
  }

  /** Takes a frame's picture with its buffer, and leaves that of the oldest one to the source. */
  add({ picture, keepPicture }: Pick<Frame, 'picture' | 'keepPicture'>): void {
    if (!picture) return;
    let spare: Uint8Array | null = null;
    while (this.#kept[0] && this.#isOver(this.#kept[0], picture)) spare = this.#kept.shift()!.data;
    keepPicture(spare?.length === picture.data.length ? spare : null);
    this.#kept.push(picture);
  }

  /** @param index of the frame; null: the newest. Its data may be overwritten by the next `add`. */
  get(index: number | null): Picture | null {
    const found = index === null ? this.#kept.at(-1) : this.#kept.find((kept) => kept.index === index);
    return found ?? null;
  }

  /** @returns null when that picture is not kept (any more) */
  async jpeg(index: number | null, quality?: number): Promise<Buffer | null> {
    const picture = this.get(index);
    return picture && toJpeg({ ...picture, data: picture.data.slice() }, quality);
  }

  /** Also when time goes back, as at a file's second start. */
  #isOver(kept: Picture, newest: Picture): boolean {
    return (
      newest.timeMs - kept.timeMs > this.#keepMs ||
      kept.timeMs > newest.timeMs ||
      this.#kept.length >= this.#maxPictures
    );
  }
}
