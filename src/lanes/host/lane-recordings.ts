import type { Logger } from 'pino';
import { createSource } from '../../video/create-source.ts';
import type { FrameSource } from '../../video/frame-source.ts';
import type { CameraStats, RecordedCamera } from '../lane-protocol.ts';
import type { Turns } from '../turns.ts';
import type { HostChannel } from './channel.ts';
import type { LaneTools } from './open-lane.ts';
import { Recording } from './recording.ts';
import { reportFailure } from './report-stream.ts';

/** Without a frame for this time ffmpeg hangs. Key frames of recordings may be far apart, and decoding one may be slow. */
const WATCHDOG_MS = 120_000;

export interface LaneRecordingsParts {
  readonly tools: LaneTools;
  readonly channel: HostChannel;
  readonly turns: Turns;
  readonly log: Logger;
}

/** The recordings that a lane analyses in the time that its cameras leave. */
export class LaneRecordings {
  readonly #parts: LaneRecordingsParts;
  readonly #recordings = new Map<string, Recording>();
  #isClosing = false;

  constructor(parts: LaneRecordingsParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#recordings.size;
  }

  stats(): CameraStats[] {
    return [...this.#recordings.values()].map((recording) => recording.stats());
  }

  add(requested: RecordedCamera): void {
    const { deviceId } = requested;
    if (this.#recordings.has(deviceId)) return;
    const { channel, tools, turns, log } = this.#parts;
    const { inputWidth, inputHeight } = tools.detector;
    const fail = (error: Error) => {
      log.error({ deviceId, err: error }, 'a recording cannot be read');
      reportFailure(channel, deviceId, error);
    };
    const recording = new Recording(requested, this.#openSource(requested), {
      detector: tools.detector,
      brightness: tools.brightness?.of({ width: inputWidth, height: inputHeight }),
      holdsPeople: tools.holdsPeople,
      turns,
      keepsUp: () => channel.keepsUp,
      onBatch: (batch) => channel.send({ type: 'recorded', ...batch }),
      onRunEnded: (runId, endOfStream, last) => {
        if (!this.#isClosing) channel.send({ type: 'runEnded', runId, endOfStream, last });
      },
      onFailed: fail,
      onOpened: (info) => log.info({ deviceId, ...info }, 'a recording was opened'),
      attributeModels: () => tools.attributeModels.loaded(),
    });
    this.#recordings.set(deviceId, recording);
  }

  stored(deviceId: string, batch: number): void {
    this.#recordings.get(deviceId)?.stored(batch);
  }

  async remove(deviceId: string): Promise<void> {
    const recording = this.#recordings.get(deviceId);
    this.#recordings.delete(deviceId);
    await recording?.close();
  }

  /** Closes all recordings and reports no end of their runs. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#recordings.keys()].map((deviceId) => this.remove(deviceId)));
  }

  #openSource({ url, fps, attributes, recording, rotation }: RecordedCamera): FrameSource {
    const { detector, binaries } = this.#parts.tools;
    const { inputWidth, inputHeight } = detector;
    return createSource(url, {
      ...{ fps, inputWidth, inputHeight, pace: 'fast', watchdogMs: WATCHDOG_MS },
      rotation,
      recordedAfterMs: recording.afterMs,
      videoTrack: recording.videoTrack,
      binaries,
      // Full frames are for crops of people alone: no picture of a recording is stored.
      ...(!attributes && { fullLongSide: null }),
    });
  }
}
