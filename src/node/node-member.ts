import { randomUUID } from 'node:crypto';
import type { Db } from '../platform/database/db.ts';
import type { WriteFaults } from '../platform/write-faults.ts';
import { heartbeat, leaveNode, type NodeIdentity, noteHolders, registerNode } from './node.store.ts';
import { notifyNodeError, notifyOnline, notifyOverload } from './node-notices.store.ts';

/** Above this the node's clock is wrong, and its health says so. */
const MAX_SKEW_MS = 2_000;
/** Weight of the newest start in the mean time to the first frame. */
const NEWEST = 0.3;
/** Lanes that ended again and again make the node a bad choice for so long. */
const TROUBLED_MS = 5 * 60_000;

interface NodeMemberOptions {
  /** A connection of its own for the heartbeats. */
  readonly lifeline?: Db;
  /** What is wrong with it for as long as it runs, one sentence. */
  readonly handicap?: string | null;
  /** Writes of this node that fail: it is degraded as long as they do. */
  readonly faults?: Pick<WriteFaults, 'sentence'>;
}

/** This worker among the nodes: registered, alive, gone. */
export class NodeMember {
  readonly #db: Db;
  readonly #lifeline: Db;
  readonly #identity: NodeIdentity;
  #averageInitMs: number | null = null;
  /** What is wrong with it for as long as it runs, one sentence; null: nothing. */
  readonly #handicap: string | null;
  #trouble: { readonly reason: string; readonly sinceMs: number } | null = null;

  readonly #faults: Pick<WriteFaults, 'sentence'> | null;

  constructor(
    db: Db,
    identity: Omit<NodeIdentity, 'incarnation'> & { incarnation?: string },
    options: NodeMemberOptions = {},
  ) {
    this.#db = db;
    this.#lifeline = options.lifeline ?? db;
    this.#handicap = options.handicap ?? null;
    this.#faults = options.faults ?? null;
    this.#identity = { incarnation: randomUUID(), ...identity };
  }

  get id(): string {
    return this.#identity.id;
  }

  join(): Promise<void> {
    return registerNode(this.#db, this.#identity);
  }

  /** A run has taken so long from its claim to its first frame. */
  tookInitMs(tookMs: number): void {
    this.#averageInitMs =
      this.#averageInitMs === null ? tookMs : this.#averageInitMs + NEWEST * (tookMs - this.#averageInitMs);
  }

  /** Its lanes end again and again: degraded for a while, and whose runs it holds is told. */
  async troubled(reason: string): Promise<void> {
    this.#trouble = { reason, sinceMs: performance.now() };
    await notifyNodeError(this.#db, this.id);
  }

  /**
   * @returns what to add to this machine's clock to have the database's, in ms; null when another worker is
   * this node now
   */
  async beat(held: {
    activeDeviceCount: number;
    maxConcurrentDevices: number;
    lastSkewMs: number;
    /** Why it is overloaded, one sentence; null while it is not. */
    overload: string | null;
  }): Promise<number | null> {
    const { activeDeviceCount, maxConcurrentDevices, lastSkewMs, overload } = held;
    const healthReason = this.#complaint(lastSkewMs) ?? overload;
    const sentMs = Date.now();
    const nowMs = await heartbeat(this.#lifeline, {
      nodeId: this.id,
      incarnation: this.#identity.incarnation,
      activeDeviceCount,
      maxConcurrentDevices,
      health: healthReason === null ? 'healthy' : 'degraded',
      healthReason,
      isOverloaded: overload !== null,
      clockSkewMs: lastSkewMs,
      averageInitMs: this.#averageInitMs,
    });
    return nowMs === null ? null : nowMs - (sentMs + Date.now()) / 2;
  }

  /** Keeps whose runs it holds, and tells them what they do not know yet: that it is back, overloaded, or not any more. */
  async tellHolders(userIds: readonly string[], overload: string | null): Promise<void> {
    await noteHolders(this.#db, this.id, userIds);
    await notifyOnline(this.#db, this.id);
    await notifyOverload(this.#db, this.id, overload);
  }

  /** @returns why it is degraded, one sentence; null when it is well */
  #complaint(lastSkewMs: number): string | null {
    if (Math.abs(lastSkewMs) > MAX_SKEW_MS) {
      return `The node's clock differs from the database's by ${(lastSkewMs / 1000).toFixed(1)} s.`;
    }
    const isTroubled = this.#trouble && performance.now() - this.#trouble.sinceMs < TROUBLED_MS;
    return isTroubled ? this.#trouble!.reason : (this.#faults?.sentence ?? this.#handicap);
  }

  leave(): Promise<void> {
    return leaveNode(this.#db, this.id, this.#identity.incarnation);
  }
}
