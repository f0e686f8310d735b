import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import type { NodeReason } from '../../platform/processes/node-reason.ts';
import type { WriteFaults } from '../../platform/write-faults.ts';
import {
  heartbeat,
  leaveNode,
  type NodeDecoder,
  type NodeIdentity,
  type NodeLoad,
  type NodeProvider,
  noteHolders,
  type PlaceTerms,
  registerNode,
} from './node.store.ts';
import { notifyNodeError, notifyOnline, notifyOverload } from './node-notices.store.ts';
import { takenBy } from './take-place.ts';

/** Above this the clock of the node is wrong, and the node is degraded. */
const MAX_SKEW_MS = 2_000;
/** Weight of the newest start in the mean time to the first frame. */
const NEWEST = 0.3;
/** A node whose lanes ended again and again is degraded for this time. */
const CRASHED_MS = 5 * 60_000;

interface NodeMemberOptions {
  readonly clock: Clock;
  /** A connection for the heartbeats alone; by default the same as for the rest. */
  readonly lifeline?: Db;
  /** Why the node is degraded for as long as it runs. */
  readonly handicap?: NodeReason | null;
  /** What runs the detector now; by default what the identity names. */
  readonly provider?: () => NodeProvider;
  /** What decodes video now; by default software. */
  readonly decoder?: () => NodeDecoder;
  /** When the node may take the place of its former worker; by default at once. */
  readonly terms?: PlaceTerms;
  /** The node is degraded while its writes fail. */
  readonly faults?: Pick<WriteFaults, 'sentence'>;
}

/** The membership of this worker in the set of compute nodes: it registers, sends heartbeats and leaves. */
export class NodeMember {
  readonly #db: Db;
  readonly #identity: NodeIdentity;
  readonly #options: NodeMemberOptions;
  #averageInitMs: number | null = null;
  /** What to add to this machine's clock to get the database's; null before the first heartbeat. */
  #offsetMs: number | null = null;
  /** Monotonic ms of the last heartbeat that was stored. */
  #beatAtMs: number | null = null;
  #crash: { readonly reason: NodeReason; readonly atMs: number } | null = null;

  constructor(
    db: Db,
    identity: Omit<NodeIdentity, 'incarnation'> & { incarnation?: string },
    options: NodeMemberOptions,
  ) {
    this.#db = db;
    this.#identity = { incarnation: randomUUID(), ...identity };
    this.#options = options;
  }

  get id(): string {
    return this.#identity.id;
  }

  /** @throws Error with one sentence: a living worker has its name */
  async join(): Promise<void> {
    const node = { ...this.#identity, ...this.#provider, ...this.#decoder };
    if (await registerNode(this.#db, node, this.#options.terms)) return;
    throw new Error(takenBy(node.name, 'another machine'));
  }

  /** Why the node does not count as living, in a few words; null while its heartbeats are stored. */
  silence(leaseSeconds: number): string | null {
    if (this.#beatAtMs === null) return 'no heartbeat yet';
    const seconds = (performance.now() - this.#beatAtMs) / 1000;
    return seconds < leaseSeconds ? null : `no heartbeat for ${Math.floor(seconds)} s`;
  }

  /** @param tookMs the time of a run from its claim to its first frame */
  addInitMs(tookMs: number): void {
    const average = this.#averageInitMs ?? tookMs;
    this.#averageInitMs = average + NEWEST * (tookMs - average);
  }

  /** Its lanes end again and again: the node is degraded for a while, and the users of its runs are notified. */
  async lanesCrashed(reason: NodeReason): Promise<void> {
    this.#crash = { reason, atMs: performance.now() };
    await notifyNodeError(this.#db, this.id);
  }

  /**
   * Sends a heartbeat.
   * @returns what to add to this machine's clock to get the database's, in ms; null when another worker has taken the place
   *   of this node
   */
  async beat(load: NodeLoad): Promise<number | null> {
    const { clock, lifeline = this.#db } = this.#options;
    const { id, incarnation } = this.#identity;
    const healthReason = this.#degradedReason(load.lastSkewMs) ?? load.overload;
    const averageInitMs = this.#averageInitMs;
    const sentMs = clock.now().getTime();
    const nowMs = await heartbeat(lifeline, {
      ...{ ...load, id, incarnation, healthReason, averageInitMs },
      ...this.#provider,
      ...this.#decoder,
    });
    this.#beatAtMs = nowMs === null ? null : performance.now();
    if (nowMs === null) return null;
    const receivedMs = clock.now().getTime();
    // The database read its clock at some moment of the heartbeat. A slow one allows many offsets, and the nearest of them to the
    // known one is right: a busy machine must not move the time of the frames.
    const [least, most] = [nowMs - receivedMs, nowMs - sentMs];
    this.#offsetMs = Math.min(most, Math.max(least, this.#offsetMs ?? (least + most) / 2));
    return this.#offsetMs;
  }

  /** Stores whose runs the node executes, and notifies these users when it is online again, overloaded, or no longer overloaded. */
  async notifyUsers(userIds: readonly string[], overload: NodeReason | null): Promise<void> {
    await noteHolders(this.#db, this.id, userIds);
    await notifyOnline(this.#db, this.id);
    await notifyOverload(this.#db, this.id, overload);
  }

  leave(): Promise<void> {
    return leaveNode(this.#db, this.id, this.#identity.incarnation);
  }

  get #provider(): NodeProvider {
    const { executionProvider } = this.#identity;
    return this.#options.provider?.() ?? { executionProvider, adapter: null, providerReason: null };
  }

  get #decoder(): NodeDecoder {
    return this.#options.decoder?.() ?? { videoDecoder: 'software', videoDecoderReason: null };
  }

  /** Null when nothing is wrong. */
  #degradedReason(lastSkewMs: number): NodeReason | null {
    if (Math.abs(lastSkewMs) > MAX_SKEW_MS) {
      const seconds = Math.round(lastSkewMs / 100) / 10;
      return {
        sentence: `The node's clock differs from the database's by ${(lastSkewMs / 1000).toFixed(1)} s.`,
        cause: { code: 'clock_differs', seconds },
      };
    }
    if (this.#crash && performance.now() - this.#crash.atMs < CRASHED_MS) return this.#crash.reason;
    const { faults, handicap = null } = this.#options;
    const sentence = faults?.sentence ?? null;
    return sentence === null ? handicap : { sentence, cause: { code: 'writes_failed', detail: sentence } };
  }
}
