import type { Db } from '../platform/database/db.ts';
import type { ActiveRun } from '../recording/active-run.ts';
import type { NodeRuns } from '../recording/node-runs.ts';
import { type Lease, type RenewedRun, renewLeases } from '../runs/lease.store.ts';
import type { NodeMember } from './node-member.ts';

export interface LeaseKeeperParts {
  /** Nobody who writes rows of users keeps its connections waiting. */
  readonly db: Db;
  readonly node: NodeMember;
  readonly held: NodeRuns;
  readonly leaseSeconds: number;
  readonly maxDevices: () => number;
  /** Why the node is overloaded, one sentence; null while it is not. */
  readonly overload: () => string | null;
  /** Monotonic ms. */
  readonly now: () => number;
  /** Another worker is this node now. */
  readonly onReplaced: () => void;
  /** What is to be added to this machine's clock to have the database's, ms. */
  readonly onOffset: (offsetMs: number) => void;
  /** The run is another's. */
  readonly onLost: (run: ActiveRun) => void;
  /** A paused run of this device is another's. */
  readonly onLeft: (deviceId: string) => void;
  /** What its row says of a run that is still this node's. */
  readonly onKept: (run: ActiveRun, renewed: RenewedRun) => void;
}

/** The node's sign of life, and the leases of its runs. It waits for nothing that writes rows of users. */
export class LeaseKeeper {
  readonly #parts: LeaseKeeperParts;
  #skewMs = 0;
  /** Paused runs whose leases were had again, with the monotonic ms of that. */
  #again = new Map<string, number>();

  constructor(parts: LeaseKeeperParts) {
    this.#parts = parts;
  }

  /** @returns whether paused runs are to be taken up again */
  async prolong(): Promise<boolean> {
    const { db, node, held, leaseSeconds, maxDevices, overload, now, onOffset, onReplaced } = this.#parts;
    const offsetMs = await node.beat({
      activeDeviceCount: held.deviceIds.length,
      maxConcurrentDevices: maxDevices(),
      lastSkewMs: this.#skewMs,
      overload: overload(),
    });
    if (offsetMs === null) {
      onReplaced();
      return false;
    }
    this.#skewMs = -offsetMs;
    onOffset(offsetMs);
    const sentMs = now();
    const leases = [...held.all.map(({ claim }) => claim), ...held.paused];
    const renewed = await renewLeases(db, node.id, { leases, leaseSeconds });
    const byId = new Map(renewed.map((run) => [run.id, run]));
    for (const lease of leases) this.#renewed(lease, byId.get(lease.id), sentMs);
    return this.#again.size > 0;
  }

  /** Paused runs that are to be taken up again from what is stored, with the monotonic ms of their renewal. */
  takeAgain(): ReadonlyMap<string, number> {
    const again = this.#again;
    this.#again = new Map();
    return again;
  }

  #renewed({ id, epoch }: Lease, renewed: RenewedRun | undefined, sentMs: number): void {
    const { held, leaseSeconds, onLost, onLeft, onKept } = this.#parts;
    const run = held.get(id);
    const paused = held.paused.find((one) => one.id === id && one.epoch === epoch);
    if (paused) {
      if (renewed?.isRenewed) this.#again.set(id, sentMs);
      if (renewed) return;
      held.forgetPaused(id);
      onLeft(paused.deviceId);
    }
    // It was given up and taken anew meanwhile, or its end is being written: that says what became of it.
    if (run?.claim.epoch !== epoch || (!renewed && run.hasEnded)) return;
    if (renewed?.isRenewed) run.leaseUntilMs = sentMs + leaseSeconds * 1000;
    if (renewed) onKept(run, renewed);
    else onLost(run);
  }
}
