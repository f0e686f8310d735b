import type { LivePicture } from '../api/live-picture.ts';
import { type BoxLook, drawBoxes, drawStaff } from './live-boxes.ts';

export interface Painted {
  readonly picture: LivePicture;
  /** Width divided by height. */
  readonly aspect: number;
}

interface PainterOptions {
  readonly canvas: HTMLCanvasElement;
  readonly sceneId: string;
  /** Called after each painted picture. */
  readonly onPainted: (painted: Painted) => void;
}

/** Lines are so many pixels of the page wide. */
const LINE = 2;
const WIDEST = 1920;

/**
 * Paints pictures with the boxes of their own people on one canvas. While one is decoded, only the newest of those that come
 * is kept; each is painted at the next frame of the browser.
 */
export class LivePainter {
  readonly #options: PainterOptions;
  readonly #pen: CanvasRenderingContext2D;
  #next: LivePicture | null = null;
  #isBusy = false;
  #isEnded = false;
  /** The picture on the canvas, to paint it again with or without boxes. */
  #shown: { readonly picture: LivePicture; readonly bitmap: ImageBitmap } | null = null;
  #hasBoxes = true;

  constructor(options: PainterOptions) {
    this.#options = options;
    this.#pen = options.canvas.getContext('2d', { alpha: false })!;
  }

  show(picture: LivePicture): void {
    this.#next = picture;
    if (!this.#isBusy) void this.#paintAll();
  }

  showBoxes(hasBoxes: boolean): void {
    if (this.#hasBoxes === hasBoxes) return;
    this.#hasBoxes = hasBoxes;
    this.#paint();
  }

  /** Frees the picture. */
  end(): void {
    this.#isEnded = true;
    this.#next = null;
    this.#shown?.bitmap.close();
    this.#shown = null;
  }

  async #paintAll(): Promise<void> {
    this.#isBusy = true;
    while (this.#next && !this.#isEnded) {
      const picture = this.#next;
      this.#next = null;
      const bitmap = await decode(picture);
      if (bitmap) await this.#paintNext(picture, bitmap);
    }
    this.#isBusy = false;
  }

  async #paintNext(picture: LivePicture, bitmap: ImageBitmap): Promise<void> {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    if (this.#isEnded) return bitmap.close();
    this.#shown?.bitmap.close();
    this.#shown = { picture, bitmap };
    this.#paint();
    this.#options.onPainted({ picture, aspect: bitmap.width / bitmap.height });
  }

  #paint(): void {
    if (!this.#shown) return;
    const { canvas, sceneId } = this.#options;
    const { picture, bitmap } = this.#shown;
    // As many pixels as the screen shows, so that lines are sharp on every screen.
    const width = Math.min(WIDEST, Math.round(canvas.clientWidth * devicePixelRatio)) || bitmap.width;
    const height = Math.round((width * bitmap.height) / bitmap.width);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    this.#pen.drawImage(bitmap, 0, 0, width, height);
    if (this.#hasBoxes) {
      const view = { width, height, look: lookOf(canvas) };
      drawBoxes(this.#pen, picture.tracks.get(sceneId) ?? [], view);
      drawStaff(this.#pen, picture.staff.get(sceneId) ?? [], view);
    }
    // For whoever measures the age of what is on the screen.
    canvas.dataset.capturedAt = String(picture.capturedAtMs);
  }
}

/** @returns null for a JPEG that cannot be decoded */
async function decode({ jpeg }: LivePicture): Promise<ImageBitmap | null> {
  try {
    return await createImageBitmap(new Blob([jpeg as Uint8Array<ArrayBuffer>], { type: 'image/jpeg' }));
  } catch {
    return null;
  }
}

function lookOf(canvas: HTMLCanvasElement): BoxLook {
  const style = getComputedStyle(canvas);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    queue: token('--zone-queue'),
    checkout: token('--zone-checkout'),
    staff: token('--zone-staff'),
    other: token('--on-picture'),
    edge: token('--over-picture'),
    line: LINE * (canvas.width / (canvas.clientWidth || canvas.width)),
  };
}
