import type { Detector } from './detect/load-detector.ts';
import type { Frame } from './frames/source.ts';
import type { Stopwatch } from './stopwatch.ts';
import { Tracker } from './track/tracker.ts';
import { type Box, CLASS_IDS, type Detection, type SceneConfig, type Visit } from './types.ts';
import type { StaffCounts } from './zones/staff.ts';
import { type ZoneCheckpoint, ZoneWatcher } from './zones/zone-watcher.ts';

/** The second association of the tracker goes down to this score. */
export const MIN_SCORE = 0.1;
/** What is detected from this score on may hide somebody. */
const COVERING_SCORE = 0.3;

/** What one scene made of one frame. Plain JSON: it crosses processes. */
export interface SceneObservation {
  readonly sceneId: string;
  readonly timeMs: number;
  readonly frameIndex: number;
  /** Everybody seen but staff; `zone` is where they count, confirmed. */
  readonly tracks: readonly { id: number; box: Box; zone: 'queue' | 'checkout' | null }[];
  /** Visits this frame opened, moved or closed. */
  readonly changes: readonly Visit[];
  /** Confirmed counts after this frame. */
  readonly open: { readonly queued: number; readonly inService: number };
  /** Null where the scene has no staff zone. */
  readonly staff: StaffCounts | null;
}

/** Carries a scene's run to another process or node. */
interface SceneCheckpoint {
  readonly version: 2;
  readonly lastTrackId: number;
  readonly zones: ZoneCheckpoint;
}

export interface ScenePipelineOptions {
  readonly sceneId: string;
  readonly config: SceneConfig;
  /** What `checkpoint()` of a former pipeline gave; anything else begins anew. */
  readonly checkpoint?: string | null;
  /** Told of `tracking` and `zones`. */
  readonly stopwatch?: Stopwatch;
}

/** One scene: detections → tracks → visits. */
export class ScenePipeline {
  readonly sceneId: string;
  readonly #stopwatch: Stopwatch | undefined;
  readonly #classIds: readonly number[];
  readonly #tracker: Tracker;
  readonly #zones: ZoneWatcher;
  /** Track ids go on after a move, so that within a run none is used twice. */
  readonly #firstTrackId: number;
  #lastTrackId: number;
  #lastFrameIndex = 0;

  constructor({ sceneId, config, checkpoint, stopwatch }: ScenePipelineOptions) {
    const { zones, parameters } = config;
    const known = readCheckpoint(checkpoint);
    this.sceneId = sceneId;
    this.#stopwatch = stopwatch;
    this.#classIds = CLASS_IDS[parameters.class];
    this.#tracker = new Tracker({
      confidenceThreshold: parameters.confidenceThreshold,
      maxAgeSeconds: parameters.trackingMaxAgeSeconds,
    });
    this.#zones = known
      ? ZoneWatcher.restore({ zones, parameters }, known.zones)
      : new ZoneWatcher({ zones, parameters });
    this.#firstTrackId = known?.lastTrackId ?? 0;
    this.#lastTrackId = this.#firstTrackId;
  }

  /** @param detections of every class, with scores from `MIN_SCORE` up */
  update(detections: readonly Detection[], timeMs: number, frameIndex: number): SceneObservation {
    this.#stopwatch?.start();
    const wanted = detections.filter(({ classId }) => this.#classIds.includes(classId));
    const tracks = this.#tracker
      .update(wanted, timeMs)
      .map((track) => ({ ...track, id: track.id + this.#firstTrackId }));
    this.#stopwatch?.lap('tracking');
    const boxes = wanted.filter(({ score }) => score >= COVERING_SCORE).map(({ box }) => box);
    const changes = this.#zones.update(tracks, timeMs, boxes);
    this.#stopwatch?.lap('zones');
    for (const { id } of tracks) if (id > this.#lastTrackId) this.#lastTrackId = id;
    this.#lastFrameIndex = frameIndex;
    return {
      sceneId: this.sceneId,
      timeMs,
      frameIndex,
      tracks: tracks
        .filter(({ id }) => !this.#zones.isStaff(id))
        .map(({ id, box }) => ({ id, box, zone: this.#zones.zoneOf(id) })),
      changes,
      open: this.#zones.counts(),
      staff: this.#zones.staff,
    };
  }

  get openVisits(): readonly Visit[] {
    return this.#zones.open;
  }

  /** At stop: whoever is still there is lost to us. @param timeMs of the last frame */
  close(timeMs: number): SceneObservation {
    const changes = this.#zones.closeAll(timeMs);
    return {
      sceneId: this.sceneId,
      timeMs,
      frameIndex: this.#lastFrameIndex,
      tracks: [],
      changes,
      open: { queued: 0, inService: 0 },
      staff: this.#zones.staff,
    };
  }

  /** @returns JSON, for another pipeline of the same scene */
  checkpoint(): string {
    const known: SceneCheckpoint = {
      version: 2,
      lastTrackId: this.#lastTrackId,
      zones: this.#zones.checkpoint(),
    };
    return JSON.stringify(known);
  }
}

function readCheckpoint(text: string | null | undefined): SceneCheckpoint | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isSceneCheckpoint(value) ? value : null;
  } catch {
    return null;
  }
}

const isSceneCheckpoint = (value: unknown): value is SceneCheckpoint =>
  typeof value === 'object' &&
  value !== null &&
  'version' in value &&
  value.version === 2 &&
  'zones' in value;

export interface FrameWatchers {
  readonly detector: Detector;
  readonly scenes: readonly ScenePipeline[];
  /** Told what was detected, of every class. */
  readonly onDetections?: (detections: readonly Detection[]) => void;
}

/** One camera's frame: detected once, then looked at by each of its scenes. */
export async function observeFrame(
  frame: Frame,
  { detector, scenes, onDetections }: FrameWatchers,
): Promise<SceneObservation[]> {
  const detections = await detector.detect(frame.model, frame.letterbox, MIN_SCORE);
  onDetections?.(detections);
  return scenes.map((scene) => scene.update(detections, frame.timeMs, frame.index));
}
