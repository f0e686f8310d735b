import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../platform/database/db.ts';
import { findNameOwner, isNodeKnown, type PlaceTerms } from './node.store.ts';

/** Pause between two looks at the heartbeat of a worker that may have ended. */
const LOOK_MS = 500;
/** Characters of the id behind a name that was not chosen. */
const ID_END = 8;

export interface WantedPlace extends PlaceTerms {
  readonly name: string;
  /** Somebody chose the name (NODE_NAME). Otherwise it is the name of the host, which another machine may have too. */
  readonly isChosen: boolean;
  /** The id of a new node. */
  readonly nodeId: string;
}

export interface Place {
  readonly id: string;
  readonly name: string;
}

/**
 * The place of a worker in the set of nodes: that of its name, with the id that it always had. After a crash without a lock
 * file nobody knows whether the former worker lives; then its heartbeat is watched, for the time of a lease at most.
 * @throws Error with one sentence: a living worker has the name
 */
export async function takePlace(db: Db, wanted: WantedPlace, signal?: AbortSignal): Promise<Place> {
  const { name, isChosen, nodeId } = wanted;
  let firstSeenMs = Number.POSITIVE_INFINITY;
  for (;;) {
    const owner = await findNameOwner(db, name, wanted);
    // A name was changed: the id stays behind the former one.
    if (!owner) return { id: (await isNodeKnown(db, nodeId)) ? randomUUID() : nodeId, name };
    if (owner.isGone) return { id: owner.id, name };
    const seenMs = owner.lastHeartbeatAt.getTime();
    firstSeenMs = Math.min(firstSeenMs, seenMs);
    if (seenMs > firstSeenMs) {
      if (isChosen) throw new Error(takenBy(name, owner.host));
      const ownName = `${name.slice(0, 99 - ID_END)}-${nodeId.slice(-ID_END)}`;
      return takePlace(db, { ...wanted, name: ownName, isChosen: true }, signal);
    }
    await pause(LOOK_MS, undefined, { signal });
  }
}

/** @param host where the other worker runs */
export const takenBy = (name: string, host: string): string =>
  `Another worker (on ${host}) is the node "${name}" already. Stop it, or give this one another NODE_NAME.`;
