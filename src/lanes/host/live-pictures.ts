import { framePicture } from '../../video/picture/frame-picture.ts';
import type { Hidden } from '../../video/picture/hide.ts';
import type { Frame, FullFrame } from '../../vision/frame.ts';
import type { Box } from '../../vision/types.ts';
import type { LivePictureMessage, LiveRequest, RunObservation } from '../lane-protocol.ts';
import { FramePacer } from './frame-pacer.ts';

export type LivePicture = Omit<LivePictureMessage, 'type' | 'deviceId'>;

/** Bounds the header X-Tracks to about 10 kB. */
const MAX_TRACKS = 150;
const MAX_STAFF = 50;

/** A frame that was just analysed. */
export interface OfferedFrame extends Pick<Frame, 'full' | 'timeMs'> {
  /** Frames a second that the camera sends. */
  readonly cameFps: number;
  readonly privacyRevision: number;
  /** Called for a frame of which a picture is made. */
  readonly hidden: () => Hidden;
}

/** The live pictures of one camera. While nobody wants them, a frame costs one comparison. */
export class LivePictures {
  readonly #onPicture: (picture: LivePicture) => void;
  readonly #now: () => number;
  #wanted: (Omit<LiveRequest, 'forMs'> & { readonly untilMs: number }) | null = null;
  #pacer = new FramePacer();
  #isMaking = false;

  /** @param now monotonic ms; tests pass their own time */
  constructor(onPicture: (picture: LivePicture) => void, now: () => number = () => performance.now()) {
    this.#onPicture = onPicture;
    this.#now = now;
  }

  /** Somebody watches. */
  get isWanted(): boolean {
    return this.#wanted !== null && this.#wanted.untilMs > this.#now();
  }

  want({ forMs, ...request }: LiveRequest): void {
    const wanted = { ...request, untilMs: this.#now() + forMs };
    // A new rate begins with the next frame.
    if (this.#wanted?.fps !== request.fps) this.#pacer = new FramePacer();
    this.#wanted = forMs > 0 ? wanted : null;
  }

  /** Call it with each analysed frame. A frame is left out while the picture of another one is made. */
  offer(
    { full, timeMs, cameFps, privacyRevision, hidden }: OfferedFrame,
    runs: readonly RunObservation[],
  ): void {
    if (this.#wanted === null || !full) return;
    if (this.#wanted.untilMs <= this.#now()) {
      this.#wanted = null;
      return;
    }
    const { fps, width, showsPeople = false } = this.#wanted;
    if (this.#isMaking || !this.#pacer.takes(timeMs, { limitFps: fps, cameFps })) return;
    const people = { tracks: tracksOf(runs), staff: staffOf(runs), counts: countsOf(runs) };
    this.#isMaking = true;
    const ofAll = hidden();
    void Promise.all([
      framePicture(full, ofAll, width),
      showsPeople ? shownPicture(full, ofAll, width) : undefined,
    ])
      .finally(() => {
        this.#isMaking = false;
      })
      .then(
        ([jpeg, shown]) =>
          this.#onPicture({
            capturedAtMs: timeMs,
            privacyRevision,
            ...people,
            jpeg,
            ...(shown && { shown }),
          }),
        // A frame that cannot be encoded is missing; the next one follows.
        () => undefined,
      );
  }
}

/** The picture with its people; empty where none are hidden. Masks hold in both. */
const shownPicture = (full: FullFrame, { masks, blurPeople }: Hidden, width: number): Promise<Uint8Array> =>
  blurPeople === 'none'
    ? Promise.resolve(new Uint8Array())
    : framePicture(full, { masks, blurPeople: 'none', people: [] }, width);

const short = (coordinate: number): number => Math.round(coordinate * 1000) / 1000;

/** The people in a frame by scene, as JSON in one line of ASCII: `{"<scene>":[[id, zone, left, top, right, bottom]]}`. */
export function tracksOf(runs: readonly RunObservation[]): string {
  let left = MAX_TRACKS;
  const byScene = runs.map(({ observation: { sceneId, tracks } }) => {
    const shown = tracks.slice(0, left).map(({ id, zone, box }) => [id, zone, ...boxOf(box)]);
    left -= shown.length;
    return [sceneId, shown];
  });
  return JSON.stringify(Object.fromEntries(byScene));
}

/**
 * The staff in a frame by scene, likewise: `{"<scene>":[[id, reason, left, top, right, bottom]]}`. Scenes without staff are
 * left out.
 * @returns null where there is none
 */
export function staffOf(runs: readonly RunObservation[]): string | null {
  let left = MAX_STAFF;
  const byScene = runs.flatMap(({ observation: { sceneId, staffTracks = [] } }) => {
    const shown = staffTracks.slice(0, left).map(({ id, reason, box }) => [id, reason, ...boxOf(box)]);
    left -= shown.length;
    return shown.length === 0 ? [] : [[sceneId, shown] as const];
  });
  if (byScene.length === 0) return null;
  return JSON.stringify(Object.fromEntries(byScene));
}

/** The counts after a frame by scene: `{"<scene>":[waiting, served]}`. Also people who are hidden at the moment are in them. */
export const countsOf = (runs: readonly RunObservation[]): string =>
  JSON.stringify(
    Object.fromEntries(
      runs.map(({ observation: { sceneId, open } }) => [sceneId, [open.queued, open.inService]]),
    ),
  );

const boxOf = ({ left, top, right, bottom }: Box): number[] => [left, top, right, bottom].map(short);
