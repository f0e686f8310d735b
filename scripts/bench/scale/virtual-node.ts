import { randomUUID } from 'node:crypto';
import type { Context } from '../../../src/platform/context.ts';
import type { Db } from '../../../src/platform/database/db.ts';
import { NodeMember } from '../../../src/runs/node/node-member.ts';
import { Supervisor } from '../../../src/runs/node/supervisor.ts';
import { cameraStats, SilentLanes } from '../../support/silent-lanes.ts';
import { FPS, frameLater, type TapeFrame } from './tape.ts';

/** Reports of a lane about its cameras come once a second. */
const STATS_FRAMES = FPS;

/** Times of all virtual nodes, in ms. */
export interface Timings {
  /** From the begin of a turn of storing to its end: all transactions of a node's records of a second. */
  readonly writes: number[];
  /** From heartbeat to heartbeat. */
  readonly beats: number[];
  /** A heartbeat alone. */
  readonly beatsTook: number[];
}

/** A member that notes when its heartbeats were stored. */
class TimedMember extends NodeMember {
  readonly timings: Timings;
  #lastMs: number | null = null;

  constructor(db: Db, identity: ConstructorParameters<typeof NodeMember>[1], options: MemberOptions) {
    super(db, identity, options);
    this.timings = options.timings;
  }

  override async beat(...load: Parameters<NodeMember['beat']>): Promise<number | null> {
    const beganMs = performance.now();
    const offset = await super.beat(...load);
    const nowMs = performance.now();
    this.timings.beatsTook.push(nowMs - beganMs);
    if (this.#lastMs !== null) this.timings.beats.push(nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    return offset;
  }
}

type MemberOptions = ConstructorParameters<typeof NodeMember>[2] & { readonly timings: Timings };

export interface VirtualNodeOptions {
  readonly name: string;
  readonly cameras: number;
  readonly lifeline: Db;
  readonly tape: readonly TapeFrame[];
  /** The frame of the tape with which its cameras begin. */
  readonly firstFrame: number;
  readonly timings: Timings;
}

/** A compute node without a camera: claims, leases, heartbeats, records and statistics are those of the product. */
export class VirtualNode {
  readonly #supervisor: Supervisor;
  readonly #member: TimedMember;
  readonly #lanes = new SilentLanes();
  readonly #options: VirtualNodeOptions;
  #frame = 0;
  #frames: NodeJS.Timeout | undefined;

  constructor(context: Context, options: VirtualNodeOptions) {
    const { name, cameras, lifeline, timings } = options;
    this.#options = options;
    const identity = {
      ...{ id: randomUUID(), name, host: name, version: 'bench', model: 'none', executionProvider: 'cpu' },
      maxConcurrentDevices: cameras,
    };
    this.#member = new TimedMember(context.db, identity, { clock: context.clock, lifeline, timings });
    this.#supervisor = new Supervisor({
      context: { ...context, queue: { send: async () => null } },
      ...{ node: this.#member, lanes: this.#lanes, lifeline, maxDevices: () => cameras },
      maxRecordings: 0,
      onReplaced: () => undefined,
    });
    const record = this.#supervisor.record.bind(this.#supervisor);
    this.#supervisor.record = async () => {
      const beganMs = performance.now();
      await record();
      timings.writes.push(performance.now() - beganMs);
    };
  }

  async start(): Promise<void> {
    await this.#member.join();
    await this.#supervisor.start();
    this.#frames = setInterval(() => this.#send(), 1000 / FPS);
  }

  /** Of its runs. */
  get cameras(): number {
    return this.#lanes.cameras.size;
  }

  async stop(): Promise<void> {
    clearInterval(this.#frames);
    await this.#supervisor.stop();
  }

  /** One frame of each camera; time is that of the clock, so that frames that come late do not come twice. */
  #send(): void {
    const { tape, firstFrame } = this.#options;
    const frame = tape[firstFrame + this.#frame];
    if (!frame) return;
    this.#frame += 1;
    const ms = Date.now() - frame.observation.timeMs;
    for (const camera of this.#lanes.cameras.values()) {
      for (const { sceneId, runId } of camera.scenes) {
        this.#lanes.listener.onObservations([{ runId, ...frameLater(frame, sceneId, ms) }]);
        if (frame.checkpoint) this.#lanes.listener.onCheckpoint(runId, frame.checkpoint);
      }
      if (this.#frame % STATS_FRAMES === 0) this.#report(camera.deviceId);
    }
  }

  #report(deviceId: string): void {
    const frames = { processedFrames: this.#frame, deliveredFrames: this.#frame, ownFps: FPS, fps: FPS };
    this.#lanes.listener.onStats(cameraStats(deviceId, frames));
  }
}
