import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { LaneHost } from '../../../src/lanes/host/lane-host.ts';
import type { FromLane, LaneCamera, LaneOptions } from '../../../src/lanes/lane-protocol.ts';
import { FPS } from './draw-crowd.ts';

/** What a lane did in a stretch of time. */
export interface Stretch {
  readonly framesPerSecond: number;
  /** Of the lane's process: frames, looks and all. */
  readonly cpuMsPerFrame: number;
  readonly looksPerSecond: number;
  /** On average. */
  readonly people: number;
}

const ZONE = {
  type: 'polygon' as const,
  points: [
    [0, 0],
    [1, 0],
    [1, 0.5],
    [0, 0.5],
  ] as [number, number][],
};
const REST = { ...ZONE, points: ZONE.points.map(([x, y]): [number, number] => [x, y + 0.5]) };
const SCENE = {
  sceneId: 'crowd',
  runId: 'crowd',
  checkpoint: null,
  config: {
    zones: { queueZone: ZONE, checkoutZone: REST },
    parameters: {
      confidenceThreshold: 0.4,
      class: 'person' as const,
      entryThresholdSeconds: 3,
      exitThresholdSeconds: 1,
      trackingMaxAgeSeconds: 5,
    },
  },
};

/** A whole lane in this process, whose one camera gives more frames than it can take. */
export class BusyLane {
  readonly #host: LaneHost;
  readonly #camera: LaneCamera;
  #frames = 0;
  #people = 0;
  #looks = 0;
  #fault: string | null = null;

  constructor(video: string) {
    this.#camera = {
      deviceId: 'crowd',
      url: video,
      networks: [],
      fps: FPS,
      attributes: false,
      scenes: [SCENE],
    };
    const send = (message: FromLane) => this.#hear(message);
    this.#host = new LaneHost({ keepsUp: true, send }, pino({ level: 'silent' }));
  }

  async open(options: LaneOptions): Promise<void> {
    await this.#host.handle({ type: 'open', ...options });
    this.#check();
    await this.#host.handle({ type: 'addCamera', camera: this.#camera });
  }

  /** Looks at people or not, for so long. What was saved up before, of time for looks, is spent in `settleMs`. */
  async run({
    attributes,
    settleMs,
    ms,
  }: {
    attributes: boolean;
    settleMs: number;
    ms: number;
  }): Promise<Stretch> {
    const camera = { ...this.#camera, attributes };
    await this.#host.handle({ type: 'updateCamera', camera, drain: false });
    await pause(settleMs);
    const [frames, people, looks] = [this.#frames, this.#people, this.#looks];
    const [startMs, startCpu] = [performance.now(), process.cpuUsage()];
    await pause(ms);
    const [seconds, cpu] = [(performance.now() - startMs) / 1000, process.cpuUsage(startCpu)];
    this.#check();
    const seen = this.#frames - frames;
    return {
      framesPerSecond: seen / seconds,
      cpuMsPerFrame: (cpu.user + cpu.system) / 1000 / seen,
      looksPerSecond: (this.#looks - looks) / seconds,
      people: (this.#people - people) / seen,
    };
  }

  close(): Promise<void> {
    return this.#host.close();
  }

  #hear(message: FromLane): void {
    if (message.type === 'observations') {
      this.#frames += message.runs.length;
      for (const { observation } of message.runs) this.#people += observation.tracks.length;
    }
    if (message.type === 'people') this.#looks += message.runs.length;
    if (message.type === 'unusable') this.#fault = message.message;
    if (message.type === 'stream' && message.event === 'failed') this.#fault = message.message;
    if (message.type === 'runEnded') this.#fault = 'The video ended too early.';
  }

  #check(): void {
    if (this.#fault) throw new Error(this.#fault);
  }
}
