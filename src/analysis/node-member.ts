import { randomUUID } from 'node:crypto';
import type { Db } from '../platform/db.ts';
import { heartbeat, leaveNode, type NodeIdentity, registerNode } from './node.store.ts';

/** Above this the node's clock is wrong, and its health says so. */
const MAX_SKEW_MS = 2_000;
/** Weight of the newest start in the mean time to the first frame. */
const NEWEST = 0.3;

/** This worker among the nodes: registered, alive, gone. */
export class NodeMember {
  readonly #db: Db;
  readonly #identity: NodeIdentity;
  #averageInitMs: number | null = null;

  constructor(db: Db, identity: Omit<NodeIdentity, 'incarnation'>) {
    this.#db = db;
    this.#identity = { ...identity, incarnation: randomUUID() };
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

  /**
   * @returns what to add to this machine's clock to have the database's, in ms; null when another worker is
   * this node now
   */
  async beat(activeDeviceCount: number, lastSkewMs: number): Promise<number | null> {
    const isSkewed = Math.abs(lastSkewMs) > MAX_SKEW_MS;
    const sentMs = Date.now();
    const databaseMs = await heartbeat(this.#db, {
      nodeId: this.id,
      incarnation: this.#identity.incarnation,
      activeDeviceCount,
      health: isSkewed ? 'degraded' : 'healthy',
      healthReason: isSkewed
        ? `The node's clock differs from the database's by ${(lastSkewMs / 1000).toFixed(1)} s.`
        : null,
      clockSkewMs: lastSkewMs,
      averageInitMs: this.#averageInitMs,
    });
    return databaseMs === null ? null : databaseMs - (sentMs + Date.now()) / 2;
  }

  leave(): Promise<void> {
    return leaveNode(this.#db, this.id, this.#identity.incarnation);
  }
}
