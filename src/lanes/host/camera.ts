import { FrameRing } from '../../video/frame-ring.ts';
import type { FrameSource, StreamInfo } from '../../video/frame-source.ts';
import type { Detector } from '../../vision/detect/detector.ts';
import type { Frame } from '../../vision/frame.ts';
import { observeFrame, ScenePipeline } from '../../vision/pipeline.ts';
import type { Detection } from '../../vision/types.ts';
import type { CameraStats, LaneCamera, LaneScene, RunCheckpoint, RunObservation } from '../lane-protocol.ts';
import type { Turns } from '../turns.ts';
import { CameraPeople, type CameraPeopleParts } from './camera-people.ts';
import type { CameraCount } from './frame-limit.ts';
import { FramePacer } from './frame-pacer.ts';
import { FrameRate } from './frame-rate.ts';
import { PictureHealth } from './picture-health.ts';

export interface CameraParts {
  readonly detector: Detector;
  readonly turns: Turns;
  /** False while nobody takes observations: frames are dropped then. */
  readonly keepsUp: () => boolean;
  /** Frames a second that the lane takes of each camera at most; null: all. */
  readonly limitFps: () => number | null;
  readonly onObservations: (runs: readonly RunObservation[]) => void;
  /** The last word about a run. */
  readonly onRunEnded: (runId: string, endOfStream: boolean, last: RunObservation | null) => void;
  /** The stream cannot be used at all; nothing comes from this camera any more. */
  readonly onFailed: (error: Error) => void;
  readonly onOpened: (info: StreamInfo) => void;
  readonly people: Omit<CameraPeopleParts, 'turns' | 'frames' | 'onError'>;
  /** Looking at people failed; frames go on. */
  readonly onPeopleError: (error: unknown) => void;
  /** Frame time now, in ms since 1970. */
  readonly now: () => number;
}

interface SceneRun {
  readonly runId: string;
  readonly pipeline: ScenePipeline;
  /** Not vehicles. */
  readonly watchesPeople: boolean;
}

/** One stream, one detection per frame, and every scene's own way to look at it. */
export class Camera {
  readonly #source: FrameSource;
  readonly #parts: CameraParts;
  readonly #frames = new FrameRing();
  readonly #rate = new FrameRate();
  readonly #pacer = new FramePacer();
  readonly #health = new PictureHealth();
  readonly #people: CameraPeople;
  readonly #ended: Promise<void>;
  #wanted: LaneCamera;
  #scenes: SceneRun[];
  #lastTimeMs: number | null = null;
  /** What to add to the source's times. */
  #baseMs: number | null = null;
  #closing = false;
  #hasOpened = false;
  /** A frame was read and is not yet done with. */
  #hasFrame = false;
  /** Frames that were left out, for the lane has no time for them. */
  #leftOut = 0;

  constructor(wanted: LaneCamera, source: FrameSource, parts: CameraParts) {
    this.#wanted = wanted;
    this.#source = source;
    this.#parts = parts;
    this.#scenes = wanted.scenes.map(sceneRun);
    const { turns, people, onPeopleError: onError } = parts;
    this.#people = new CameraPeople({ ...people, turns, frames: this.#frames, onError });
    this.#ended = this.#run();
  }

  get wanted(): LaneCamera {
    return this.#wanted;
  }

  /** Whether its stream could ever be read. */
  get hasOpened(): boolean {
    return this.#hasOpened;
  }

  /** Scenes that are new start at the next frame, those not named any more end: now, or `drain`ed after the frame already read. */
  setScenes(wanted: LaneCamera, drain = false): void {
    const runIds = new Set(wanted.scenes.map(({ runId }) => runId));
    const gone = this.#scenes.filter(({ runId }) => !runIds.has(runId));
    const draining = drain && this.#hasFrame ? gone : [];
    for (const scene of gone) if (!draining.includes(scene)) this.#endRun(scene, false);
    const staying = wanted.scenes.map(
      (scene) => this.#scenes.find(({ runId }) => runId === scene.runId) ?? sceneRun(scene),
    );
    this.#scenes = [...staying, ...draining];
    this.#wanted = wanted;
  }

  /** Its runs go on elsewhere: here nothing more is said about them. @returns what is known of them */
  leaveRuns(): RunCheckpoint[] {
    const known = this.checkpoints();
    this.#scenes = [];
    this.#wanted = { ...this.#wanted, scenes: [] };
    return known;
  }

  /** Ends the stream and every run of it. `drain` finishes the frame already read. */
  async close(drain: boolean): Promise<void> {
    this.#closing = true;
    if (!drain) this.#endRuns(false);
    await this.#source.close();
    await this.#ended;
  }

  /** @param wanted which runs; all by default */
  checkpoints(wanted: (runId: string) => boolean = () => true): RunCheckpoint[] {
    return this.#scenes
      .filter(({ runId }) => wanted(runId))
      .map(({ runId, pipeline }) => ({ runId, checkpoint: pipeline.checkpoint() }));
  }

  get #ownFps(): number | null {
    const { info } = this.#source;
    const isOwn = info !== null && (!info.live || this.#wanted.url.startsWith('sim:'));
    return isOwn ? info.fps : null;
  }

  /** What its lane counts it by. */
  get count(): CameraCount {
    const { processedFrames: analysed, droppedFrames: dropped } = this.stats();
    return { deviceId: this.#wanted.deviceId, analysed, came: analysed + dropped };
  }

  stats(): CameraStats {
    const { arrivals, droppedFrames: overtaken, restarts } = this.#source.stats;
    return {
      deviceId: this.#wanted.deviceId,
      ...this.#rate.at(performance.now()),
      droppedFrames: overtaken + this.#leftOut,
      deliveredFrames: arrivals,
      ownFps: this.#ownFps,
      restarts,
      ...this.#health.condition(),
    };
  }

  /** @param frameIndex null: the newest. @returns null when that picture is not kept (any more) */
  picture(frameIndex: number | null): Promise<Buffer | null> {
    return this.#frames.jpeg(frameIndex);
  }

  async #run(): Promise<void> {
    try {
      const info = await this.#source.open();
      this.#hasOpened = true;
      this.#parts.onOpened(info);
      for (;;) {
        const frame = await this.#source.next();
        if (!frame) break;
        // A file counts from 0; a run lives in the time of day.
        this.#baseMs ??= info.live ? 0 : this.#parts.now() - frame.timeMs;
        const timeMs = this.#baseMs + frame.timeMs;
        // As if a newer one had overtaken it: nobody looks at it.
        const { fps: cameFps } = this.#source.info ?? info;
        if (!this.#pacer.takes(timeMs, { limitFps: this.#parts.limitFps(), cameFps })) {
          this.#leftOut++;
          continue;
        }
        this.#frames.add(frame);
        this.#hasFrame = true;
        const isUsable = this.#health.take(frame, timeMs);
        if (isUsable && this.#parts.keepsUp())
          await this.#parts.turns.take(() => this.#process({ ...frame, timeMs }));
        this.#hasFrame = false;
        this.#endDrained();
        if (this.#closing) break;
      }
      this.#endRuns(!this.#closing);
    } catch (error) {
      if (!this.#closing) this.#parts.onFailed(error as Error);
      this.#endRuns(false);
    }
  }

  async #process(frame: Frame): Promise<void> {
    const runs = this.#scenes;
    if (runs.length === 0) return;
    const startMs = performance.now();
    const scenes = runs.map(({ pipeline }) => pipeline);
    let detections: readonly Detection[] = [];
    const onDetections = (found: readonly Detection[]) => {
      detections = found;
    };
    const { detector } = this.#parts;
    const observations = await observeFrame(frame, { detector, scenes, onDetections });
    this.#lastTimeMs = frame.timeMs;
    // A run that was taken off meanwhile has had its last word.
    const still = runs.filter((run) => this.#scenes.includes(run));
    const observed = still.map((run) => ({
      runId: run.runId,
      observation: observations[runs.indexOf(run)]!,
      openVisits: run.pipeline.openVisits,
    }));
    this.#parts.onObservations(observed);
    const nowMs = performance.now();
    this.#rate.add(nowMs, { tookMs: nowMs - startMs, lagMs: this.#parts.now() - frame.timeMs });
    if (!this.#wanted.attributes) return;
    const ofPeople = still.filter(({ watchesPeople }) => watchesPeople).map(({ runId }) => runId);
    this.#people.see(
      frame,
      observed.filter(({ runId }) => ofPeople.includes(runId)),
      detections,
    );
  }

  /** Those that were only waiting for their last frame. */
  #endDrained(): void {
    const runIds = new Set(this.#wanted.scenes.map(({ runId }) => runId));
    const drained = this.#scenes.filter(({ runId }) => !runIds.has(runId));
    this.#scenes = this.#scenes.filter((scene) => !drained.includes(scene));
    for (const scene of drained) this.#endRun(scene, false);
  }

  #endRuns(endOfStream: boolean): void {
    for (const scene of this.#scenes) this.#endRun(scene, endOfStream);
    this.#scenes = [];
  }

  /** Ends a run. The visits of people who are still there become `lost`, which is reported like any other change. */
  #endRun({ runId, pipeline }: SceneRun, endOfStream: boolean): void {
    const last =
      this.#lastTimeMs === null
        ? null
        : { runId, observation: pipeline.close(this.#lastTimeMs), openVisits: [] };
    this.#parts.onRunEnded(runId, endOfStream, last);
  }
}

function sceneRun({ sceneId, runId, config, checkpoint }: LaneScene): SceneRun {
  const watchesPeople = config.parameters.class === 'person';
  return { runId, pipeline: new ScenePipeline({ sceneId, config, checkpoint }), watchesPeople };
}
