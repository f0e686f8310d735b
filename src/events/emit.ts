import type { Tx } from '../platform/database/db.ts';
import type { Severity } from '../platform/prisma-client/client.ts';
import type { EventData, EventType } from './catalogue.ts';
import { insertEvent, nextEventId } from './event.store.ts';

export interface NewEvent<Type extends EventType> {
  readonly userId: string;
  readonly type: Type;
  readonly data: EventData<Type>;
  /** When it happened; the body's `timestamp`. */
  readonly occurredAt: Date;
  /** What makes it this event and no other, e.g. `analysis_started:<run>`: a second of the same is left out. */
  readonly dedupeKey: string;
  readonly severity?: Severity | null;
  readonly deviceId?: string | null;
  readonly sceneId?: string | null;
  readonly alertEventId?: string | null;
}

/**
 * Tells a user that something happened, in the transaction that makes it true: no commit, no event. The body is
 * serialised here, once; a webhook that wants it gets its first delivery scheduled, and whoever follows the stream
 * sees it at commit.
 * @returns the event's id; null when it was told before
 */
export async function emit<Type extends EventType>(tx: Tx, event: NewEvent<Type>): Promise<string | null> {
  const id = await nextEventId(tx);
  const { type, data, occurredAt } = event;
  const body = JSON.stringify({ id, type, timestamp: occurredAt.toISOString(), data });
  return (await insertEvent(tx, { ...event, id, body: Buffer.from(body) })) ? id : null;
}
