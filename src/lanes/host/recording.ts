import { setTimeout as pause } from 'node:timers/promises';
import { faultOfTime } from '../../video/ffmpeg/recording-fault.ts';
import { FrameRing } from '../../video/frame-ring.ts';
import type { FrameSource, StreamInfo } from '../../video/frame-source.ts';
import { blackenFrame } from '../../video/picture/hide.ts';
import { StreamError } from '../../video/stream-error.ts';
import { AttributeWatch } from '../../vision/attributes/attribute-watch.ts';
import type { CombinedAttributeModel } from '../../vision/attributes/combined-attribute-model.ts';
import type { Detector } from '../../vision/detect/detector.ts';
import type { Frame } from '../../vision/frame.ts';
import { observeFrame } from '../../vision/observe-frame.ts';
import { ScenePipeline } from '../../vision/pipeline.ts';
import { readCheckpoint } from '../../vision/scene-checkpoint.ts';
import type { BrightnessCells } from '../../vision/still/brightness.ts';
import { type Look, StillFrames } from '../../vision/still/still-frames.ts';
import type { CameraStats, RecordedCamera, RecordedMessage, RunObservation } from '../lane-protocol.ts';
import type { Turns } from '../turns.ts';
import { FrameRate, spared } from './frame-rate.ts';
import { isUsable } from './health/picture-health.ts';
import { TurnedWatch } from './health/turned-watch.ts';

/** The time between two batches, unless they hold this many frames sooner. */
const BATCH_MS = 1_000;
const MOST_FRAMES = 250;
/** Batches that the node may not have stored yet. With more of them the recording waits. */
const MOST_UNSTORED = 4;
/** Pause before another look whether the node takes messages. */
const RETRY_MS = 20;
/** The share of a recording's time that is classified, as long as a live camera may use. */
const PEOPLE_SHARE = 0.04;

export interface RecordingParts {
  readonly detector: Detector;
  /** Notices frames in which nothing has changed; undefined: no frame is skipped. */
  readonly brightness?: BrightnessCells | undefined;
  /** Whether what was found of people holds while nothing changes. */
  readonly holdsPeople?: boolean;
  readonly turns: Turns;
  /** False while the node takes no messages. */
  readonly keepsUp: () => boolean;
  readonly onBatch: (batch: Omit<RecordedMessage, 'type'>) => void;
  /** The last message about the run. */
  readonly onRunEnded: (runId: string, endOfStream: boolean, last: RunObservation | null) => void;
  readonly onFailed: (error: Error) => void;
  readonly onOpened: (info: StreamInfo) => void;
  /** Null without attribute models. */
  readonly attributeModels: () => Promise<CombinedAttributeModel | null>;
}

/**
 * A recording that is analysed: every frame once, as fast as the lane has time for it. Observations go to the node in
 * batches. Each has the exact state after its last frame, so that a later start continues as if the analysis had never
 * stopped.
 */
export class Recording {
  readonly requested: RecordedCamera;
  readonly #source: FrameSource;
  readonly #parts: RecordingParts;
  readonly #runId: string;
  readonly #recordedAtMs: number;
  readonly #pipeline: ScenePipeline;
  readonly #still: StillFrames | undefined;
  readonly #frames = new FrameRing();
  readonly #rate = new FrameRate();
  readonly #ended: Promise<void>;
  readonly #closing = new AbortController();
  #watch: AttributeWatch | null = null;
  /** Null where vehicles are counted, and before the file is open. */
  #turned: TurnedWatch | null = null;
  /** Time that the classification of people may take, in ms. */
  #peopleMs = 0;
  #observations: RunObservation[] = [];
  /** Presentation time of the last frame that was read; null before the first. */
  #positionMs: number | null;
  #batch = 0;
  #batchedMs = performance.now();
  /** The same if no batch tells of it yet; otherwise null. */
  #unsentMs: number | null = null;
  #storedBatch = 0;
  #wake: (() => void) | null = null;
  #isOver = false;

  constructor(requested: RecordedCamera, source: FrameSource, parts: RecordingParts) {
    const [{ sceneId, runId, config, checkpoint }] = requested.scenes;
    const { recordedAtMs, afterMs } = requested.recording;
    this.requested = requested;
    this.#source = source;
    this.#parts = parts;
    this.#runId = runId;
    this.#recordedAtMs = recordedAtMs;
    this.#positionMs = afterMs;
    this.#pipeline = new ScenePipeline({ sceneId, config, checkpoint });
    const { brightness, holdsPeople = false } = parts;
    const known = readCheckpoint(checkpoint)?.exact?.still;
    this.#still = brightness && new StillFrames(brightness, { holdsPeople, known });
    this.#ended = this.#read();
  }

  /** The node has stored this batch and those before it. */
  stored(batch: number): void {
    this.#storedBatch = Math.max(this.#storedBatch, batch);
    this.#wake?.();
  }

  /** Ends the reading and the run. The frames that were analysed are sent before. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#end(false);
    this.#wake?.();
    await this.#source.close();
    await this.#ended;
  }

  stats(): CameraStats {
    return {
      deviceId: this.requested.deviceId,
      ...this.#rate.at(performance.now()),
      droppedFrames: 0,
      deliveredFrames: this.#source.stats.arrivals,
      isDecoderBehind: false,
      decoding: 'all',
      isDecodingLeast: false,
      ownFps: null,
      analysed: null,
      restarts: 0,
      fault: null,
      warnings: [],
    };
  }

  async #read(): Promise<void> {
    try {
      const info = await this.#source.open();
      this.#parts.onOpened(info);
      const {
        rotation,
        scenes: [scene],
      } = this.requested;
      const lastsMs = info.durationSeconds && info.durationSeconds * 1000;
      if (scene.config.parameters.class === 'person') this.#turned = new TurnedWatch(rotation, lastsMs);
      if (this.requested.attributes) {
        const models = await this.#parts.attributeModels();
        this.#watch = models && new AttributeWatch(models, this.requested.privacy.attributeGroups);
      }
      for (;;) {
        await this.#untilStored();
        const frame = this.#closing.signal.aborted ? null : await this.#source.next();
        if (!frame) break;
        const fault = faultOfTime(frame.timeMs, info.durationSeconds);
        if (fault) throw new StreamError(fault, 'unreadable');
        await this.#take(frame);
        this.#sendIfDue();
      }
      this.#end(true);
    } catch (error) {
      if (!this.#isOver) this.#parts.onFailed(error as Error);
      this.#end(false);
    }
  }

  /** Waits while the node has too much that is not stored. */
  async #untilStored(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#batch - this.#storedBatch >= MOST_UNSTORED && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    while (!this.#parts.keepsUp() && !signal.aborted) await pause(RETRY_MS);
  }

  async #take(frame: Frame): Promise<void> {
    if (!isUsable(frame)) {
      this.#moveTo(frame);
      return;
    }
    this.#frames.add(frame);
    await this.#parts.turns.takeSpare(() => this.#analyse(frame));
    await this.#classify();
  }

  #moveTo({ timeMs }: Frame): void {
    this.#positionMs = timeMs;
    this.#unsentMs = timeMs;
  }

  async #analyse(frame: Frame): Promise<void> {
    if (this.#isOver) return;
    const startMs = performance.now();
    const { maskAnalysis, masks } = this.requested.privacy;
    if (maskAnalysis) blackenFrame(frame, masks);
    let look: Look | null = null;
    const [observation] = await observeFrame(
      { ...frame, timeMs: this.#recordedAtMs + frame.timeMs },
      {
        detector: this.#parts.detector,
        scenes: [this.#pipeline],
        still: this.#still,
        onLook: (seen) => {
          look = seen;
        },
      },
    );
    const { detections, isHeld } = (look as Look | null) ?? { detections: [], isHeld: true };
    if (!isHeld)
      await this.#turned?.see(detections, frame, (...what) => this.#parts.detector.detect(...what));
    // What was sent at the end has no part of this frame.
    if (this.#isOver || !observation) return;
    const people = this.#watch?.takeChanges() ?? [];
    const observed = { runId: this.#runId, observation, openVisits: this.#pipeline.openVisits };
    this.#observations.push(people.length > 0 ? { ...observed, people } : observed);
    this.#watch?.see({ ...frame, timeMs: observation.timeMs }, observation.tracks, detections);
    this.#peopleMs += PEOPLE_SHARE * (frame.timeMs - (this.#positionMs ?? frame.timeMs));
    this.#moveTo(frame);
    const nowMs = performance.now();
    this.#rate.add(nowMs, { tookMs: nowMs - startMs, lagMs: 0, ...spared(look) });
  }

  /** Classifies people within their share of the time of the recording. */
  async #classify(): Promise<void> {
    const watch = this.#watch;
    while (watch && this.#peopleMs > 0 && !this.#isOver) {
      const startMs = performance.now();
      const hasClassified = await this.#parts.turns.takeSpare(() =>
        watch.classifyNext((index) => this.#frames.get(index)),
      );
      if (!hasClassified) {
        this.#peopleMs = Math.min(this.#peopleMs, PEOPLE_SHARE * 1000);
        return;
      }
      this.#peopleMs -= performance.now() - startMs;
    }
  }

  #sendIfDue(): void {
    const isDue = this.#observations.length >= MOST_FRAMES || performance.now() - this.#batchedMs >= BATCH_MS;
    if (isDue) this.#send();
  }

  /** Sends everything since the last batch, and the state after it. */
  #send(): void {
    this.#batchedMs = performance.now();
    const positionMs = this.#unsentMs;
    if (positionMs === null || this.#isOver) return;
    this.#unsentMs = null;
    const observations = this.#observations;
    this.#observations = [];
    this.#parts.onBatch({
      runId: this.#runId,
      batch: ++this.#batch,
      positionMs,
      wantedRotation: this.#turned?.wanted ?? null,
      observations,
      checkpoint: this.#pipeline.checkpoint(true, this.#still),
    });
  }

  /** The open visits become `lost`, which is reported like any other change. Repeated calls change nothing. */
  #end(endOfStream: boolean): void {
    if (this.#isOver) return;
    this.#send();
    this.#isOver = true;
    const { lastFrameMs } = this.#pipeline;
    const last =
      lastFrameMs === null
        ? null
        : { runId: this.#runId, observation: this.#pipeline.close(lastFrameMs), openVisits: [] };
    this.#parts.onRunEnded(this.#runId, endOfStream, last);
  }
}
