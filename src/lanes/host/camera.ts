import { FrameRing } from '../../video/frame-ring.ts';
import type { FrameSource, StreamInfo } from '../../video/frame-source.ts';
import { DecoderControl } from '../../video/health/decoder-control.ts';
import { DecodingCost } from '../../video/health/decoding-cost.ts';
import { framePicture } from '../../video/picture/frame-picture.ts';
import { blackenFrame, type Hidden } from '../../video/picture/hide.ts';
import type { Detector, NetworkSize } from '../../vision/detect/detector.ts';
import type { Frame, FullFrame } from '../../vision/frame.ts';
import type { BrightnessCells } from '../../vision/still/brightness.ts';
import { StillFrames } from '../../vision/still/still-frames.ts';
import type {
  CameraStats,
  LaneCamera,
  LiveRequest,
  RunCheckpoint,
  RunObservation,
} from '../lane-protocol.ts';
import type { Turns } from '../turns.ts';
import { CameraPeople, type CameraPeopleParts } from './camera-people.ts';
import { CameraRegion } from './camera-region.ts';
import { CameraRuns } from './camera-runs.ts';
import type { CameraCount } from './frame-limit.ts';
import { FramePacer } from './frame-pacer.ts';
import { FrameRate, spared } from './frame-rate.ts';
import { PictureHealth } from './health/picture-health.ts';
import { TurnedWatch } from './health/turned-watch.ts';
import { type LivePicture, LivePictures } from './live-pictures.ts';
import type { CapturedPicture } from './outgoing-pictures.ts';
import { PeopleSeen } from './people-seen.ts';

export interface CameraParts {
  readonly detector: Detector;
  /** Notices frames in which nothing has changed; undefined: no frame is skipped. */
  readonly brightness?: BrightnessCells | undefined;
  /** Whether what was found of people holds while nothing changes. */
  readonly holdsPeople?: boolean;
  readonly turns: Turns;
  /** False while the node takes no observations: then frames are dropped. */
  readonly keepsUp: () => boolean;
  /** Frames a second that the lane takes of each camera at most; null: all. */
  readonly limitFps: () => number | null;
  /** Not fewer frames a second may be decoded, however slow the decoder is. */
  readonly minFps: number;
  readonly onObservations: (runs: readonly RunObservation[]) => void;
  /** The last message about a run. */
  readonly onRunEnded: (runId: string, endOfStream: boolean, last: RunObservation | null) => void;
  /** The camera stream cannot be used at all. The camera sends nothing more. */
  readonly onFailed: (error: Error) => void;
  readonly onOpened: (info: StreamInfo) => void;
  readonly onLivePicture: (picture: LivePicture) => void;
  /** Whether the network of a size is open; if not, it is opened. */
  readonly isOpen: (size: NetworkSize) => boolean;
  readonly people: Omit<CameraPeopleParts, 'turns' | 'frames'>;
  /** Frame time now, in ms since 1970. */
  readonly now: () => number;
}

/** One camera: one camera stream, one detection per frame, any number of runs. */
export class Camera {
  readonly #source: FrameSource;
  readonly #parts: CameraParts;
  readonly #frames = new FrameRing();
  readonly #rate = new FrameRate();
  readonly #pacer = new FramePacer();
  readonly #health = new PictureHealth();
  readonly #turned: TurnedWatch;
  readonly #decoder: DecoderControl;
  readonly #decodingCost = new DecodingCost();
  readonly #seen = new PeopleSeen();
  readonly #region: CameraRegion;
  readonly #live: LivePictures;
  readonly #people: CameraPeople;
  readonly #runs: CameraRuns;
  readonly #ended: Promise<void>;
  #requested: LaneCamera;
  /** What to add to the times of the source; null before the first frame. */
  #baseMs: number | null = null;
  #isClosing = false;
  #hasOpened = false;
  /** A frame was read and is not analysed yet. */
  #hasFrame = false;
  /** Frames that the pacer left out. */
  #leftOut = 0;

  constructor(requested: LaneCamera, source: FrameSource, parts: CameraParts) {
    this.#requested = requested;
    this.#source = source;
    this.#decoder = new DecoderControl(source);
    this.#turned = new TurnedWatch(requested.rotation);
    this.#parts = parts;
    const still =
      parts.brightness && new StillFrames(parts.brightness, { holdsPeople: parts.holdsPeople ?? false });
    this.#runs = new CameraRuns(requested.scenes, parts.onRunEnded, still);
    this.#region = new CameraRegion(parts, requested);
    this.#live = new LivePictures(parts.onLivePicture);
    this.#people = new CameraPeople({ ...parts.people, turns: parts.turns, frames: this.#frames });
    this.#ended = this.#readFrames();
  }

  /** Resolves when it reads no more frames: it was closed, its file is over, or its stream cannot be used at all. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  get requested(): LaneCamera {
    return this.#requested;
  }

  /** Whether its stream was open at least once. */
  get hasOpened(): boolean {
    return this.#hasOpened;
  }

  /** Starts new scenes, and ends the runs of the others. With `drain` these end after the frame already read. */
  setScenes(requested: LaneCamera, drain = false): void {
    this.#requested = requested;
    this.#region.set(requested);
    this.#runs.set(requested.scenes, drain && this.#hasFrame);
  }

  /** Leaves the runs to another stream of this camera: they do not end here. @returns their checkpoints */
  leaveRuns(): RunCheckpoint[] {
    this.#requested = { ...this.#requested, scenes: [] };
    return this.#runs.leave();
  }

  /** Ends the stream and its runs. `drain` finishes the frame already read. */
  async close(drain: boolean): Promise<void> {
    this.#isClosing = true;
    if (!drain) this.#runs.end(false);
    await this.#source.close();
    await this.#ended;
  }

  checkpoints(isDue: (runId: string) => boolean): RunCheckpoint[] {
    return this.#runs.checkpoints(isDue);
  }

  get count(): CameraCount {
    const { processedFrames: analysed, droppedFrames: dropped } = this.stats();
    return { deviceId: this.#requested.deviceId, analysed, came: analysed + dropped };
  }

  stats(): CameraStats {
    const nowMs = performance.now();
    const { arrivals, droppedFrames: overtaken, restarts } = this.#source.stats;
    const { fps: requestedFps } = this.#requested;
    const { fault, warnings } = this.#health.condition();
    const minFps = Math.min(this.#parts.minFps, requestedFps);
    const decoder = this.#decoder.look({ requestedFps, minFps }, nowMs);
    const wholePid = decoder.decoding === 'all' ? (this.#source.decoder?.counts.pid ?? null) : null;
    const percent = this.#decodingCost.look(wholePid, nowMs);
    return {
      deviceId: this.#requested.deviceId,
      ...this.#rate.at(nowMs),
      droppedFrames: overtaken + this.#leftOut,
      deliveredFrames: arrivals,
      ...decoder,
      ...(percent !== null && {
        decodingCost: { stream: this.#requested.main ? 'second' : 'main', percent },
      }),
      ownFps: this.#ownFps,
      restarts,
      analysed: this.#region.part,
      fault,
      warnings: [...warnings, ...this.#turned.warnings],
    };
  }

  get #ownFps(): number | null {
    const { info } = this.#source;
    const isOwn = info !== null && (!info.live || this.#requested.url.startsWith('sim:'));
    return isOwn ? info.fps : null;
  }

  /** @param frameIndex null: the newest. @returns null when that frame is not kept */
  async image(frameIndex: number | null): Promise<CapturedPicture | null> {
    const full = this.#frames.get(this.#shownIndex(frameIndex)) ?? this.#frames.get(frameIndex);
    if (!full) return null;
    const capturedAtMs = (this.#baseMs ?? 0) + full.timeMs;
    const { revision: privacyRevision } = this.#requested.privacy;
    return { jpeg: await framePicture(full, this.#hiddenIn(full)), capturedAtMs, privacyRevision };
  }

  /**
   * Where people are hidden, the newest frame up to this one in which the detector has looked for them: a frame that was
   * skipped since shows the same. Null: the newest of all.
   */
  #shownIndex(frameIndex: number | null): number | null {
    if (this.#requested.privacy.blurPeople === 'none') return frameIndex;
    return this.#seen.newestIndex(frameIndex) ?? frameIndex;
  }

  #hiddenIn({ index }: Pick<FullFrame, 'index'>): Hidden {
    return { ...this.#requested.privacy, people: this.#seen.around(index) };
  }

  watch(request: LiveRequest): void {
    this.#live.want(request);
  }

  async #readFrames(): Promise<void> {
    try {
      const info = await this.#source.open();
      this.#hasOpened = true;
      this.#parts.onOpened(info);
      for (;;) {
        const frame = await this.#source.next();
        if (!frame) break;
        // The times of a file start at 0; those of a run are times of day.
        this.#baseMs ??= info.live ? 0 : this.#parts.now() - frame.timeMs;
        const timeMs = this.#baseMs + frame.timeMs;
        const { fps: cameFps } = this.#source.info ?? info;
        if (this.#pacer.takes(timeMs, { limitFps: this.#parts.limitFps(), cameFps }))
          await this.#take(frame, timeMs);
        else this.#leftOut++;
        if (this.#isClosing) break;
      }
      this.#runs.end(!this.#isClosing);
    } catch (error) {
      if (!this.#isClosing) this.#parts.onFailed(error as Error);
      this.#runs.end(false);
    }
  }

  async #take(frame: Frame, timeMs: number): Promise<void> {
    const { keepsUp, turns } = this.#parts;
    this.#frames.add(frame);
    this.#hasFrame = true;
    const isUsable = this.#health.take(frame, timeMs);
    if (isUsable && keepsUp()) await turns.take(() => this.#process({ ...frame, timeMs }));
    this.#hasFrame = false;
    this.#runs.endDrained();
  }

  async #process(frame: Frame): Promise<void> {
    if (this.#runs.isEmpty) return;
    const { detector, turns, keepsUp, onObservations, now } = this.#parts;
    const { privacy } = this.#requested;
    const startMs = performance.now();
    if (privacy.maskAnalysis) blackenFrame(frame, privacy.masks);
    const view = this.#region.viewFor(frame.letterbox, frame.timeMs);
    // Where people are hidden, a live picture needs the boxes of its own frame.
    const mustLook = privacy.blurPeople !== 'none' && this.#live.isWanted;
    const detect: Detector['detect'] = (...frameAndView) =>
      turns.together(() => detector.detect(...frameAndView));
    const look = { detector: { sizes: detector.sizes, detect }, view, mustLook };
    const { observations, ofPeople, look: seen } = await this.#runs.observe(frame, look);
    const detections = seen?.detections ?? [];
    if (seen && !seen.isHeld) {
      await this.#region.see(detections, { ...frame, view });
      if (privacy.blurPeople !== 'none') this.#seen.add(frame, detections);
      if (ofPeople.length > 0) await this.#turned.see(detections, frame, detect);
    }
    onObservations(observations);
    const nowMs = performance.now();
    this.#rate.add(nowMs, {
      ...{ tookMs: nowMs - startMs, lagMs: now() - frame.timeMs },
      ...spared(seen),
    });
    const { fps: cameFps } = this.#source.info ?? this.#requested;
    if (keepsUp()) this.#offer({ ...frame, cameFps }, observations);
    if (this.#requested.attributes) {
      const { attributeGroups: groups } = privacy;
      this.#people.see(frame, ofPeople, { detections, groups });
    }
  }

  #offer(frame: Frame & { cameFps: number }, observations: readonly RunObservation[]): void {
    const { revision: privacyRevision } = this.#requested.privacy;
    this.#live.offer({ ...frame, privacyRevision, hidden: () => this.#hiddenIn(frame) }, observations);
  }
}
