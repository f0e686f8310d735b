import type { Tx } from '../../platform/database/db.ts';
import type { EventData, EventType } from './catalogue.ts';
import { type EventHead, insertEvent, nextEventId } from './event.store.ts';

export interface NewEvent<Type extends EventType> extends EventHead {
  readonly type: Type;
  readonly data: EventData<Type>;
}

/**
 * Stores an event of a user in the transaction that causes it, so that it exists only if the transaction commits. The body is
 * serialised here once. If the user's webhook subscribes to the type, its first delivery is scheduled. Event streams get the
 * event at commit.
 * @returns the event's id; null when an event with this key exists
 */
export async function emit<Type extends EventType>(tx: Tx, event: NewEvent<Type>): Promise<string | null> {
  const id = await nextEventId(tx);
  const { type, data, occurredAt } = event;
  const body = JSON.stringify({ id, type, timestamp: occurredAt.toISOString(), data });
  return (await insertEvent(tx, { ...event, id, body: Buffer.from(body) })) ? id : null;
}
