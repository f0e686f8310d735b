import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { LaneHost } from '../../../src/lanes/host/lane-host.ts';
import type { FromLane, LaneCamera, LaneOptions } from '../../../src/lanes/lane-protocol.ts';
import { NO_PRIVACY } from '../../../src/vision/privacy.ts';
import { parametersSchema } from '../../../src/vision/scene-config.ts';
import { FPS } from './draw-crowd.ts';

/** The work of a lane during a stretch of time. */
export interface Stretch {
  readonly framesPerSecond: number;
  /** CPU time of the lane's process for everything, per frame. */
  readonly cpuMsPerFrame: number;
  /** Crops that were classified. */
  readonly looksPerSecond: number;
  /** In view, on average. */
  readonly people: number;
}

/** The upper or the lower half of the frame. */
const half = (top: number) => ({
  type: 'polygon' as const,
  points: [
    [0, top],
    [1, top],
    [1, top + 0.5],
    [0, top + 0.5],
  ] as [number, number][],
});
const SCENE = {
  sceneId: 'crowd',
  runId: 'crowd',
  checkpoint: null,
  config: {
    zones: { queueZone: half(0), checkoutZone: half(0.5) },
    parameters: parametersSchema.parse({ confidenceThreshold: 0.4 }),
  },
};

/** A whole lane in this process. Its only camera sends more frames than it can analyse. */
export class BusyLane {
  readonly #host: LaneHost;
  readonly #camera: LaneCamera;
  #frames = 0;
  #people = 0;
  #crops = 0;
  #fault: string | null = null;

  constructor(video: string) {
    const camera = {
      deviceId: 'crowd',
      url: video,
      networks: [],
      fps: FPS,
      attributes: false,
      privacy: NO_PRIVACY,
    };
    this.#camera = { ...camera, scenes: [SCENE] };
    const send = (message: FromLane) => this.#receive(message);
    this.#host = new LaneHost({ keepsUp: true, send }, pino({ level: 'silent' }));
  }

  async open(options: LaneOptions): Promise<void> {
    await this.#host.handle({ type: 'open', ...options });
    this.#check();
    await this.#host.handle({ type: 'addCamera', camera: this.#camera });
  }

  /** Runs with attributes on or off: `settleMs` without, then `ms` with measurement. */
  async run(options: { attributes: boolean; settleMs: number; ms: number }): Promise<Stretch> {
    const { attributes, settleMs, ms } = options;
    const camera = { ...this.#camera, attributes };
    await this.#host.handle({ type: 'updateCamera', camera, drain: false });
    await pause(settleMs);
    const [frames, people, crops] = [this.#frames, this.#people, this.#crops];
    const [startMs, startCpu] = [performance.now(), process.cpuUsage()];
    await pause(ms);
    const [seconds, cpu] = [(performance.now() - startMs) / 1000, process.cpuUsage(startCpu)];
    this.#check();
    const seen = this.#frames - frames;
    return {
      framesPerSecond: seen / seconds,
      cpuMsPerFrame: (cpu.user + cpu.system) / 1000 / seen,
      looksPerSecond: (this.#crops - crops) / seconds,
      people: (this.#people - people) / seen,
    };
  }

  close(): Promise<void> {
    return this.#host.close();
  }

  #receive(message: FromLane): void {
    if (message.type === 'observations') {
      this.#frames += message.runs.length;
      for (const { observation } of message.runs) this.#people += observation.tracks.length;
    }
    if (message.type === 'people') this.#crops += message.runs.length;
    if (message.type === 'unusable') this.#fault = message.message;
    if (message.type === 'stream' && message.event === 'failed') this.#fault = message.message;
    if (message.type === 'runEnded') this.#fault = 'The video ended too early.';
  }

  #check(): void {
    if (this.#fault) throw new Error(this.#fault);
  }
}
