import type { Db } from '../../platform/database/db.ts';
import { settleAll } from '../record/one-write-each.ts';
import { readRuns } from '../store/claim-runs.store.ts';
import { type Lease, type RenewedRun, renewLeases } from '../store/lease.store.ts';
import type { NodeParts } from './node-parts.ts';
import type { RunLifecycle } from './run-lifecycle.ts';

export interface LeaseKeeperOptions {
  /** No write of user rows uses its connections, so that a renewal never waits for one. */
  readonly db: Db;
  readonly maxDevices: () => number;
  /** Another worker has taken the place of this node. */
  readonly onReplaced: () => void;
}

/** Sends the heartbeat of the node and renews the leases of its runs. It waits for no write of user rows. */
export class LeaseKeeper {
  readonly #parts: NodeParts;
  readonly #lifecycle: RunLifecycle;
  readonly #options: LeaseKeeperOptions;
  #skewMs = 0;
  /** Paused runs whose leases were renewed, with the monotonic ms of the renewal. */
  #regained = new Map<string, number>();

  constructor(parts: NodeParts, lifecycle: RunLifecycle, options: LeaseKeeperOptions) {
    this.#parts = parts;
    this.#lifecycle = lifecycle;
    this.#options = options;
  }

  async renew(): Promise<void> {
    const { context, node, runs, cameras, lanes, frameClock, now, soon } = this.#parts;
    const { db, maxDevices, onReplaced } = this.#options;
    const offsetMs = await node.beat({
      activeDeviceCount: runs.cameraIds.length,
      maxConcurrentDevices: maxDevices(),
      lastSkewMs: this.#skewMs,
      overload: cameras.overload,
    });
    if (offsetMs === null) {
      onReplaced();
      return;
    }
    this.#skewMs = -offsetMs;
    frameClock.anchor(offsetMs);
    lanes.anchor(offsetMs);
    const sentMs = now();
    const { leases } = runs;
    const { leaseSeconds } = context.config;
    const renewed = await renewLeases(db, node.id, { leases, leaseSeconds });
    const byId = new Map(renewed.map((run) => [run.id, run]));
    for (const lease of leases) this.#apply(lease, byId.get(lease.id), sentMs);
    if (this.#regained.size > 0) soon('maintain');
  }

  /** Starts paused runs again whose leases were renewed, from what the database holds. */
  async resumePaused(): Promise<void> {
    const regained = this.#regained;
    this.#regained = new Map();
    await settleAll([...regained].map(([id, renewedAtMs]) => this.#resume(id, renewedAtMs)));
  }

  async #resume(id: string, renewedAtMs: number): Promise<void> {
    const { context, runs, userWrites } = this.#parts;
    const pausedOf = () => runs.paused.find((paused) => paused.id === id);
    const paused = pausedOf();
    if (!paused) return;
    // After the write that was under way at the pause: what it stores belongs to what the run continues from.
    const [claim] = await userWrites.add(paused.userId, () => readRuns(context.db, [id]));
    if (claim && pausedOf()?.epoch === claim.epoch) await this.#lifecycle.start(claim, renewedAtMs);
  }

  /** @param renewed undefined when the run no longer belongs to this node */
  #apply({ id, epoch }: Lease, renewed: RenewedRun | undefined, sentMs: number): void {
    const { runs, context } = this.#parts;
    const paused = runs.paused.find((lease) => lease.id === id && lease.epoch === epoch);
    if (paused) {
      if (renewed?.isRenewed) this.#regained.set(id, sentMs);
      if (renewed) return;
      runs.removePaused(paused);
      this.#lifecycle.releaseCamera(paused.deviceId);
    }
    const run = runs.get(id);
    // The node has claimed the run again meanwhile, or its end is being written, which shows who has the run.
    if (run?.claim.epoch !== epoch || (!renewed && run.hasEnded)) return;
    if (renewed?.isRenewed) run.leaseUntilMs = sentMs + context.config.leaseSeconds * 1000;
    if (renewed) this.#lifecycle.update(run, renewed);
    else this.#lifecycle.lose(run);
  }
}
