import { randomUUID } from 'node:crypto';
import { SilentLanes } from '../../scripts/support/silent-lanes.ts';
import type { PoolListener } from '../../src/lanes/lane-pool.ts';
import type { RunObservation } from '../../src/lanes/lane-protocol.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { type Config, loadConfig } from '../../src/platform/config.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { LocalImages } from '../../src/platform/images/local-images.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { NodeMember } from '../../src/runs/node/node-member.ts';
import { Supervisor } from '../../src/runs/node/supervisor.ts';
import type { Visit } from '../../src/vision/types.ts';
import { testSealer } from './rows/runs.ts';

/** A node with its supervisor and lanes, and with a clock in seconds that the test sets. */
export class TestNode {
  seconds = 0;
  /** Cameras that the node takes at most. */
  maxDevices = 8;
  readonly supervisor: Supervisor;
  readonly lanes = new SilentLanes();
  readonly member: NodeMember;
  /** The staff counts of the next frames. */
  staff: RunObservation['observation']['staff'] = null;
  /** What the next frame adds to the floor map. */
  floor: RunObservation['observation']['floor'] = [];
  /** The people in the next frames. */
  tracks: RunObservation['observation']['tracks'] = [];
  #frameMs = Date.parse('2026-01-05T10:00:00Z');

  constructor(db: Db, name: string, changes: Partial<Config> = {}) {
    const identity = {
      id: randomUUID(),
      name,
      host: 'test',
      version: '0',
      model: 'none',
      executionProvider: 'cpu',
      maxConcurrentDevices: 8,
    };
    this.member = new NodeMember(db, identity, { clock: systemClock });
    const config = { ...loadConfig({}), ...changes };
    const logger = createLogger({ level: 'silent', program: 'test' });
    this.supervisor = new Supervisor({
      context: {
        config,
        db,
        logger,
        sealer: testSealer,
        clock: systemClock,
        images: new LocalImages(config.dataDir),
        urlSigningKey: 'a key for tests that is long enough',
        // Nobody works on the jobs.
        queue: { send: async () => null },
      },
      node: this.member,
      lanes: this.lanes,
      maxDevices: () => this.maxDevices,
      onReplaced: () => undefined,
      now: () => this.seconds * 1000,
    });
  }

  static async join(db: Db, name: string, changes: Partial<Config> = {}): Promise<TestNode> {
    const node = new TestNode(db, name, changes);
    await node.member.join();
    return node;
  }

  /** Takes the reports that lanes would send. */
  get events(): PoolListener {
    return this.lanes.listener;
  }

  /** The only run of a camera, as the lane gets it. */
  run(deviceId: string) {
    return this.lanes.cameras.get(deviceId)!.scenes[0]!;
  }

  /** Leaves this time without frames. */
  skip(seconds: number): void {
    this.#frameMs += seconds * 1000;
  }

  /** The next frame comes 0.2 s after this time. @returns it, in ms */
  forwardTo(time: string): number {
    this.#frameMs = Date.parse(time);
    return this.#frameMs;
  }

  /** The next frame of a camera, 0.2 s after the last one. All its runs see the tracks, the first one also the visits. */
  frame(deviceId: string, changes: readonly Visit[] = [], openVisits: readonly Visit[] = []): void {
    this.#frameMs += 200;
    const [first, ...others] = this.lanes.cameras.get(deviceId)!.scenes;
    const dated = changes.map((visit) => ({
      ...visit,
      ...(visit.state === 'closed' || visit.state === 'discarded'
        ? { outcomeDecidedAtMs: this.#frameMs }
        : { arrivalDecidedAtMs: this.#frameMs }),
    }));
    const observation: Omit<RunObservation['observation'], 'sceneId'> = {
      timeMs: this.#frameMs,
      frameIndex: 0,
      tracks: this.tracks,
      changes: dated,
      open: { queued: openVisits.length, inService: 0 },
      staff: this.staff,
      floor: this.floor,
    };
    this.floor = [];
    const still = { ...observation, changes: [], open: { queued: 0, inService: 0 } };
    this.events.onObservations([
      { runId: first!.runId, observation: { ...observation, sceneId: first!.sceneId }, openVisits },
      ...others.map(({ runId, sceneId }) => ({ runId, observation: { ...still, sceneId }, openVisits: [] })),
    ]);
    if (changes.length > 0)
      this.events.onCheckpoint(first!.runId, JSON.stringify({ version: 1, visits: changes.length }));
  }
}
