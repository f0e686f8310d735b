import { toJpeg } from './jpeg.ts';
import type { Picture } from './source.ts';

export interface PictureRingOptions {
  /** Pictures older than the newest by more are forgotten. Default 3 s. */
  readonly keepMs?: number;
  /** Bounds the memory whatever the rate: 0.8 MB each at 960×540. Default 48. */
  readonly maxPictures?: number;
}

const DEFAULT_KEEP_MS = 3_000;
const DEFAULT_MAX_PICTURES = 48;

/** The last few seconds of a camera's pictures. Buffers are reused: after the first seconds nothing is allocated. */
export class PictureRing {
  readonly #keepMs: number;
  readonly #maxPictures: number;
  /** Oldest first. */
  readonly #kept: Picture[] = [];

  constructor({ keepMs = DEFAULT_KEEP_MS, maxPictures = DEFAULT_MAX_PICTURES }: PictureRingOptions = {}) {
    this.#keepMs = keepMs;
    this.#maxPictures = maxPictures;
  }

  /** Copies it. */
  add(picture: Picture): void {
    let data: Uint8Array | undefined;
    while (this.#kept[0] && this.#isOver(this.#kept[0], picture)) data = this.#kept.shift()?.data;
    if (data?.length !== picture.data.length) data = new Uint8Array(picture.data.length);
    data.set(picture.data);
    this.#kept.push({ ...picture, data });
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
