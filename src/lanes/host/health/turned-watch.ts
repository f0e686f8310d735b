import type { Warning } from '../../../cameras/devices/condition.ts';
import { LETTERBOX_LEVEL } from '../../../video/ffmpeg/ffmpeg-arguments.ts';
import { fitLetterbox } from '../../../video/ffmpeg/letterbox.ts';
import { ROTATIONS, type Rotation, sourceOf, turnedSize } from '../../../video/picture/turn.ts';
import type { Detector } from '../../../vision/detect/detector.ts';
import type { Frame } from '../../../vision/frame.ts';
import { CLASS_IDS, type Detection } from '../../../vision/types.ts';

/** Score of a detection that surely is a person. */
const SURE = 0.5;
/** Between two looks at turned pictures. */
const PAUSE_MS = 60_000;
/** A short recording has as many looks as this, so that it has enough of them before its end. */
const MOST_LOOKS = 10;
/** In so many looks in a row people were found in the same turned picture, and none in the picture as it is. */
const ENOUGH_LOOKS = 3;
/** After so many looks in which people were found as they are the picture hangs the right way up: it is not asked again. */
const MOST_UPRIGHT = 5;
/** Whoever is found in the picture as it is may be a chance hit: so much surer are people in the turned picture then. */
const MUCH_SURER = 3;
/** While people are found in the picture as it is, looks follow each other so much faster. */
const FASTER = 6;
const [, ...TURNED] = ROTATIONS;

type Look = Pick<Frame, 'model' | 'letterbox'>;

/**
 * Notices a camera or recording whose picture hangs upside down or on its side: the detector finds hardly anybody there, so that an
 * empty queue is counted. A look compares three frames as they are with the three turned pictures, one for each frame. There is one a
 * minute, ten at least in a recording, and sooner while people are found. Times are frame times.
 */
export class TurnedWatch {
  /** How the pictures are turned already. */
  readonly #rotation: Rotation;
  readonly #pauseMs: number;
  #upright = 0;
  /** The end of the last look, at first the first frame. */
  #lookedMs: number | null = null;
  #toLookAt: Rotation[] = [];
  /** Of the look that has begun: how surely there are people in its frames as they are, all together. */
  #own = 0;
  #best: { readonly rotation: Rotation; readonly score: number } | null = null;
  #found: { readonly rotation: Rotation; readonly looks: number; readonly sinceMs: number } | null = null;

  /** @param lastsMs how long the frames go on; null: without end */
  constructor(rotation: Rotation = 0, lastsMs: number | null = null) {
    this.#rotation = rotation;
    this.#pauseMs = Math.min(PAUSE_MS, (lastsMs ?? Number.POSITIVE_INFINITY) / MOST_LOOKS);
  }

  /** The rotation with which people are found; null where they are found as it is, or nobody is. */
  get wanted(): Rotation | null {
    if (!this.#found || this.#found.looks < ENOUGH_LOOKS) return null;
    return ((this.#rotation + this.#found.rotation) % 360) as Rotation;
  }

  get warnings(): Warning[] {
    const { wanted } = this;
    if (wanted === null || !this.#found) return [];
    const { rotation, sinceMs } = this.#found;
    const message = `People are found only when the picture is turned by ${rotation} degrees, so nobody is counted: set the rotation of the camera to ${wanted}, then draw its zones again.`;
    return [{ reason: 'picture_turned', message, sinceMs }];
  }

  /** To be called for each frame at which the detector has looked. Few of them cost one detection more. */
  async see(
    detections: readonly Detection[],
    { timeMs, ...frame }: Look & { readonly timeMs: number },
    detect: Detector['detect'],
  ): Promise<void> {
    if (this.#upright >= MOST_UPRIGHT) return;
    const own = scoreOf(detections);
    this.#lookedMs ??= timeMs;
    const pauseMs = own > 0 ? this.#pauseMs / FASTER : this.#pauseMs;
    if (this.#toLookAt.length === 0) {
      if (timeMs < this.#lookedMs + pauseMs) return;
      [this.#toLookAt, this.#own, this.#best] = [[...TURNED], 0, null];
    }
    const rotation = this.#toLookAt.shift();
    if (rotation === undefined) return;
    this.#own += own / TURNED.length;
    const turned = turnInput(frame, rotation);
    const score = scoreOf(await detect(turned.model, turned.letterbox, SURE));
    if (score > (this.#best?.score ?? 0)) this.#best = { rotation, score };
    if (this.#toLookAt.length === 0) this.#conclude(timeMs);
  }

  /** A look in which nobody was found says nothing: nobody was there. */
  #conclude(timeMs: number): void {
    this.#lookedMs = timeMs;
    if (this.#best && this.#best.score >= MUCH_SURER * this.#own) {
      const { rotation } = this.#best;
      const before = this.#found?.rotation === rotation ? this.#found : null;
      this.#found = { rotation, looks: (before?.looks ?? 0) + 1, sinceMs: before?.sinceMs ?? timeMs };
    } else if (this.#own > 0) {
      this.#upright++;
      this.#found = null;
    }
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
      for (let channel = 0; channel < 3; channel++) turned[to + channel] = model[from + channel]!;
    }
  }
  return { model: turned, letterbox: fitted };
}
