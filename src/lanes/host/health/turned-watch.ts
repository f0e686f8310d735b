import type { Warning } from '../../../devices/condition.ts';
import { LETTERBOX_LEVEL } from '../../../video/ffmpeg/ffmpeg-arguments.ts';
import { fitLetterbox } from '../../../video/ffmpeg/letterbox.ts';
import { ROTATIONS, type Rotation, sourceOf, turnedSize } from '../../../video/picture/turn.ts';
import type { Detector } from '../../../vision/detect/detector.ts';
import type { Frame } from '../../../vision/frame.ts';
import { CLASS_IDS, type Detection } from '../../../vision/types.ts';

/** Score of a detection that surely is a person. */
const SURE = 0.5;
/** A camera that has shown people in so many frames hangs the right way up: it is not asked again. */
const ENOUGH_FRAMES = 20;
/** Between two looks at turned pictures. */
const PAUSE_MS = 60_000;
/** In so many looks in a row people were found in the same turned picture, and none in the picture as it is. */
const ENOUGH_LOOKS = 3;
const TURNED = ROTATIONS.filter((rotation) => rotation !== 0);

type Look = Pick<Frame, 'model' | 'letterbox'>;

/**
 * Notices a camera that hangs upside down or on its side: the detector finds hardly anybody there, so that an empty queue is counted.
 * Until people were seen, it looks at the three turned pictures once a minute. Times are frame times.
 */
export class TurnedWatch {
  /** How the pictures are turned already. */
  readonly #rotation: Rotation;
  #framesWithPeople = 0;
  /** Where the next look begins; null: no look has begun. */
  #nextMs: number | null = null;
  #toLookAt: Rotation[] = [];
  #best: { readonly rotation: Rotation; readonly score: number } | null = null;
  #found: { readonly rotation: Rotation; readonly looks: number; readonly sinceMs: number } | null = null;

  constructor(rotation: Rotation = 0) {
    this.#rotation = rotation;
  }

  get warnings(): Warning[] {
    if (!this.#found || this.#found.looks < ENOUGH_LOOKS) return [];
    const { rotation, sinceMs } = this.#found;
    const wanted = (this.#rotation + rotation) % 360;
    const message = `People are found only when the picture is turned by ${rotation} degrees, so nobody is counted: set the rotation of the camera to ${wanted}, then draw its zones again.`;
    return [{ reason: 'picture_turned', message, sinceMs }];
  }

  /** To be called for each frame at which the detector has looked. Few of them cost one detection more. */
  async see(
    detections: readonly Detection[],
    { timeMs, ...frame }: Look & { readonly timeMs: number },
    detect: Detector['detect'],
  ): Promise<void> {
    if (this.#framesWithPeople >= ENOUGH_FRAMES) return;
    if (scoreOf(detections) > 0) {
      this.#framesWithPeople++;
      this.#forget(timeMs);
      return;
    }
    this.#nextMs ??= timeMs + PAUSE_MS;
    if (timeMs < this.#nextMs) return;
    if (this.#toLookAt.length === 0) this.#toLookAt = [...TURNED];
    const rotation = this.#toLookAt.shift()!;
    const turned = turnInput(frame, rotation);
    const score = scoreOf(await detect(turned.model, turned.letterbox, SURE));
    if (score > (this.#best?.score ?? 0)) this.#best = { rotation, score };
    if (this.#toLookAt.length === 0) this.#conclude(timeMs);
  }

  #conclude(timeMs: number): void {
    const rotation = this.#best?.rotation;
    // In a look in which nobody is found nobody was there.
    if (rotation !== undefined) {
      const before = this.#found?.rotation === rotation ? this.#found : null;
      this.#found = { rotation, looks: (before?.looks ?? 0) + 1, sinceMs: before?.sinceMs ?? timeMs };
    }
    this.#best = null;
    this.#nextMs = timeMs + PAUSE_MS;
  }

  #forget(timeMs: number): void {
    this.#found = null;
    this.#best = null;
    this.#toLookAt = [];
    this.#nextMs = timeMs + PAUSE_MS;
  }
}

/** How surely there are people: the sum of the scores of those who surely are. */
const scoreOf = (detections: readonly Detection[]): number =>
  detections
    .filter(({ classId, score }) => score >= SURE && CLASS_IDS.person.includes(classId))
    .reduce((sum, { score }) => sum + score, 0);

/** The input of the detector for the turned picture, from that of the picture as it is. */
export function turnInput({ model, letterbox }: Look, rotation: Rotation): Look {
  const { inputWidth, inputHeight, contentWidth: width, contentHeight: height } = letterbox;
  const shown = turnedSize({ width, height }, rotation);
  const fitted = fitLetterbox(shown, inputWidth, inputHeight);
  const turned = new Uint8Array(model.length).fill(LETTERBOX_LEVEL);
  for (let y = 0; y < fitted.contentHeight; y++) {
    for (let x = 0; x < fitted.contentWidth; x++) {
      const at = {
        x: Math.floor((x * shown.width) / fitted.contentWidth),
        y: Math.floor((y * shown.height) / fitted.contentHeight),
      };
      const source = sourceOf(at, { width, height }, rotation);
      const from = 3 * (source.y * inputWidth + source.x);
      const to = 3 * (y * inputWidth + x);
      turned[to] = model[from]!;
      turned[to + 1] = model[from + 1]!;
      turned[to + 2] = model[from + 2]!;
    }
  }
  return { model: turned, letterbox: fitted };
}
