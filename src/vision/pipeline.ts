import type { LineSigns } from '../catalogue/metrics/counted.ts';
import { type Detector, pixelsOf, type SmallerView } from './detect/detector.ts';
import { type FloorChange, FloorWatch } from './floor/floor-watch.ts';
import type { Frame } from './frame.ts';
import type { IdentityOptions } from './identity/options.ts';
import { type Moment, momentOf, wholeMs } from './moment.ts';
import { type PeopleStage, PeopleWatch } from './people-watch.ts';
import { aspectOf, canShrink, sizeOfView } from './region.ts';
import { readCheckpoint, writeCheckpoint } from './scene-checkpoint.ts';
import { hasCheckout } from './scene-zones.ts';
import { LineWatch } from './signs/line-watch.ts';
import type { StillFrames } from './still/still-frames.ts';
import type { Stopwatch } from './stopwatch.ts';
import { type TillsUpdate, TillWatch } from './tills/till-watch.ts';
import type { TrackerOptions } from './track/options.ts';
import {
  type Box,
  CLASS_IDS,
  type Detection,
  type Feet,
  type SceneConfig,
  type Track,
  type Visit,
} from './types.ts';
import type { StaffCounts, StaffReason } from './zones/staff.ts';
import { ZoneWatcher } from './zones/zone-watcher.ts';

/** Least score that the tracker uses. */
export const MIN_SCORE = 0.1;
/** A detection with this share of the score of a sure one may be sure in the next frame, although nothing has changed. */
const ALMOST_SURE_SHARE = 0.5;
/** After a longer gap between frames, foot points identify nobody. */
const LONGEST_BRIDGED_GAP_MS = 60_000;
/** Width over height of a frame of unknown size. */
const USUAL_ASPECT = 16 / 9;

/** The result of one frame in one scene. Plain JSON: the lane sends it to its worker. */
export interface SceneObservation {
  readonly sceneId: string;
  readonly timeMs: number;
  readonly frameIndex: number;
  /** The people in the frame, without staff; `zone` is the confirmed one that counts them. */
  readonly tracks: readonly {
    id: number;
    box: Box;
    feet?: Feet | undefined;
    zone: 'queue' | 'checkout' | null;
  }[];
  /** The visits that this frame opened, changed or closed. */
  readonly changes: readonly Visit[];
  /** Confirmed counts after this frame, without the doubtful visits. */
  readonly open: { readonly queued: number; readonly inService: number };
  /** Open visits of people who are not seen and more likely gone than there; left out where there are none. */
  readonly doubtful?: readonly number[];
  /** Null where the scene has no staff zone and nobody was found to be staff. */
  readonly staff: StaffCounts | null;
  /** The staff in the frame; left out where there is none. */
  readonly staffTracks?: readonly { id: number; box: Box; reason: StaffReason }[];
  /** What the last two seconds added to the floor map; empty in most frames. */
  readonly floor: readonly FloorChange[];
  /** How well the line is seen; left out in a scene without a queue zone. */
  readonly signs?: LineSigns;
  /** Left out in a scene without tills. */
  readonly tills?: TillsUpdate;
}

export interface ScenePipelineOptions {
  readonly sceneId: string;
  readonly config: SceneConfig;
  /** From `checkpoint()` of an earlier pipeline; with an unreadable one the scene starts empty. */
  readonly checkpoint?: string | null;
  /** Measures `tracking`, `identity` and `zones`. */
  readonly stopwatch?: Stopwatch;
  /** For the evaluation of single options. */
  readonly tracker?: Partial<TrackerOptions>;
  readonly identity?: Partial<IdentityOptions>;
  /** For the evaluation of limits: in place of tracker, feet and identity. */
  readonly people?: PeopleStage;
}

/** One scene: detections → tracks → people → visits. */
export class ScenePipeline {
  readonly sceneId: string;
  readonly #stopwatch: Stopwatch | undefined;
  readonly #classIds: readonly number[];
  /** Of a detection that may be sure in the next frame. */
  readonly #almostSure: number;
  readonly #people: PeopleStage;
  readonly #zones: ZoneWatcher;
  readonly #floor: FloorWatch;
  readonly #tills: TillWatch | null;
  readonly #line: LineWatch | null;
  #lastFrame: Moment | null;
  #lastFrameIndex = 0;

  constructor({ sceneId, config, checkpoint, people, ...options }: ScenePipelineOptions) {
    const { zones, parameters } = config;
    const known = readCheckpoint(checkpoint);
    this.sceneId = sceneId;
    this.#stopwatch = options.stopwatch;
    this.#classIds = CLASS_IDS[parameters.class];
    this.#almostSure = Math.max(MIN_SCORE, ALMOST_SURE_SHARE * parameters.confidenceThreshold);
    this.#people = people ?? new PeopleWatch({ ...options, parameters, known });
    this.#zones = new ZoneWatcher({ zones, parameters }, known?.zones);
    const mayHaveStaff = zones.staffZone !== undefined || hasCheckout(zones);
    this.#floor = new FloorWatch(mayHaveStaff, known?.exact?.floor);
    this.#tills = zones.tills ? new TillWatch(zones, known?.tills) : null;
    this.#line = zones.queueZone ? new LineWatch(zones.queueZone, parameters.confidenceThreshold) : null;
    this.#lastFrame = known?.lastFrame ?? null;
  }

  /**
   * @param detections of every class, with scores from `MIN_SCORE` up
   * @param frameMs its time; a frame that is not newer than the last one changes nothing
   * @param aspect width over height of the frame
   */
  update(
    detections: readonly Detection[],
    frameMs: number,
    frameIndex: number,
    aspect = USUAL_ASPECT,
  ): SceneObservation {
    const timeMs = wholeMs(frameMs);
    const before = this.#lastFrame;
    this.#lastFrameIndex = frameIndex;
    if (before && timeMs <= before.timeMs) return this.#observation(timeMs, [], [], []);
    this.#stopwatch?.start();
    const now = momentOf(timeMs, before);
    this.#lastFrame = now;
    const isBridged = !before || timeMs - before.timeMs <= LONGEST_BRIDGED_GAP_MS;
    const lost = isBridged ? [] : this.#zones.closeAll(timeMs);
    if (!isBridged) this.#forgetPeople();
    const ofClass = detections.filter(({ classId }) => this.#classIds.includes(classId));
    const people = this.#people.update(ofClass, now, aspect);
    if (people.hasMoved) this.#zones.forgetPlaces();
    const changes = [...lost, ...this.#zones.update(people, now)];
    const tills = this.#tills?.update({
      ...{ now, before, changes, open: this.#zones.open, doubtful: this.#doubtful },
      ...{ occupied: this.#zones.occupied, staffed: this.#zones.staffed },
    });
    this.#stopwatch?.lap('zones');
    this.#floor.see(people, { now, before, aspect, isStaff: (personId) => this.#zones.isStaff(personId) });
    const floor = this.#floor.take(timeMs);
    this.#stopwatch?.lap('floor');
    const observation = this.#observation(timeMs, people.tracks, changes, floor);
    const signs = this.#line?.see({
      ...{ detections: ofClass, people, counted: observation.open.queued },
      isCounted: (personId) => this.#zones.zoneOf(personId) === 'queue',
    });
    return { ...observation, ...(tills && { tills }), ...(signs && { signs }) };
  }

  /** Nobody is in sight or missing, and no visit is open: a frame without detections changes nothing but the time. */
  get isEmpty(): boolean {
    return this.#people.isEmpty && this.#zones.isEmpty;
  }

  /** Whether one of the detections may begin a track, now or in the next frame. */
  isAlmostSure(detections: readonly Detection[]): boolean {
    return detections.some(
      ({ classId, score }) => score >= this.#almostSure && this.#classIds.includes(classId),
    );
  }

  /** Time of the last frame; null before the first. */
  get lastFrameMs(): number | null {
    return this.#lastFrame?.timeMs ?? null;
  }

  get openVisits(): readonly Visit[] {
    return this.#zones.open;
  }

  /** At the stop of a run: open visits become `lost`. @param frameMs time of the last frame */
  close(frameMs: number): SceneObservation {
    const timeMs = wholeMs(frameMs);
    const changes = this.#zones.closeAll(timeMs);
    this.#forgetPeople();
    const tills = this.#tills?.close(changes);
    return { ...this.#observation(timeMs, [], changes, this.#floor.takeAll()), ...(tills && { tills }) };
  }

  /**
   * @param isExact for a pipeline that continues with the very next frame: it then gives the same results as this one
   * @param still of the frames of an exact one
   * @returns text for another pipeline of the same scene
   */
  checkpoint(isExact = false, still: StillFrames | null = null): string {
    const { exact, ...people } = this.#people.checkpoint(isExact);
    return writeCheckpoint({
      ...people,
      lastFrame: this.#lastFrame,
      zones: this.#zones.checkpoint(isExact),
      ...(this.#tills && { tills: this.#tills.checkpoint() }),
      exact: exact && { ...exact, floor: this.#floor.checkpoint(), still: still?.checkpoint() ?? null },
    });
  }

  /** The open visits of people who are more likely gone than there. */
  get #doubtful(): readonly Visit[] {
    return this.#zones.openOf((personId) => this.#people.isDoubtful(personId));
  }

  #forgetPeople(): void {
    this.#people.forgetAll();
    this.#floor.forgetAll();
  }

  #observation(
    timeMs: number,
    tracks: readonly Track[],
    changes: readonly Visit[],
    floor: readonly FloorChange[],
  ): SceneObservation {
    const people = tracks.map((track) => ({ ...track, personId: this.#people.personOf(track.id) }));
    const [staff, others] = [true, false].map((isStaff) =>
      people.filter(({ personId }) => this.#zones.isStaff(personId) === isStaff),
    ) as [typeof people, typeof people];
    const reason = this.#zones.staffReason;
    const doubtful = this.#doubtful;
    return {
      sceneId: this.sceneId,
      timeMs,
      frameIndex: this.#lastFrameIndex,
      tracks: others.map(({ id, box, feet, personId }) => ({
        ...{ id, box, feet, zone: this.#zones.zoneOf(personId) },
      })),
      changes,
      open: this.#zones.counts(doubtful),
      ...(doubtful.length > 0 && { doubtful: doubtful.map(({ id }) => id) }),
      staff: this.#zones.staff,
      ...(staff.length > 0 && { staffTracks: staff.map(({ id, box }) => ({ id, box, reason })) }),
      floor,
    };
  }
}

export interface FrameWatchers {
  readonly detector: Pick<Detector, 'sizes' | 'detect'>;
  readonly scenes: readonly ScenePipeline[];
  /** How the detector looks at the frame; by default at all of it with its largest network. */
  readonly view?: SmallerView | undefined;
  /** Skips frames in which nothing has changed; undefined: the detector looks at every frame. */
  readonly still?: StillFrames | undefined;
  /** Boxes of this very frame are needed: it is not skipped. */
  readonly mustLook?: boolean;
  /** Called with the detections of every class, but not for a skipped frame. */
  readonly onDetections?: (detections: readonly Detection[]) => void;
}

/**
 * Runs the detector once on a camera's frame, then every scene of the camera on its detections. A skipped frame is one without
 * detections.
 */
export async function observeFrame(frame: Frame, watchers: FrameWatchers): Promise<SceneObservation[]> {
  const detections = await detectionsIn(frame, watchers);
  if (detections) watchers.onDetections?.(detections);
  const aspect = aspectOf(frame.letterbox);
  return watchers.scenes.map((scene) => scene.update(detections ?? [], frame.timeMs, frame.index, aspect));
}

function detectionsIn(
  frame: Frame,
  { detector, scenes, view, still, mustLook = false }: FrameWatchers,
): Promise<readonly Detection[] | null> {
  const pixelsIn = (seen?: SmallerView) => pixelsOf(sizeOfView(seen, frame.letterbox, detector.sizes));
  const detectIn = (seen?: SmallerView) => detector.detect(frame.model, frame.letterbox, MIN_SCORE, seen);
  const detect = () => detectIn(view);
  if (!still) return detect();
  return still.look(frame, {
    mustLook: mustLook || scenes.some((scene) => !scene.isEmpty),
    isAlmostSure: (detections) => scenes.some((scene) => scene.isAlmostSure(detections)),
    detect,
    glance:
      canShrink(frame.letterbox, detector.sizes) && pixelsIn(view) > pixelsIn('shrunk')
        ? () => detectIn('shrunk')
        : null,
  });
}
