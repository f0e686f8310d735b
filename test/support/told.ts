import { type EventType, eventBody } from '../../src/delivery/events/catalogue.ts';
import type { Db } from '../../src/platform/database/db.ts';
import type { Prisma } from '../../src/platform/prisma-client/client.ts';

export interface ToldEvent {
  readonly type: EventType;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}

/** Events as a receiver would read them, oldest first; every body is held against its published schema. */
export async function told(db: Db, where: Prisma.EventWhereInput): Promise<ToldEvent[]> {
  const rows = await db.event.findMany({ where, orderBy: { sequence: 'asc' } });
  return rows.map(({ id, type, body }) => {
    const sent = JSON.parse(Buffer.from(body).toString());
    eventBody(type).parse(sent);
    if (sent.id !== id) throw new Error(`The event ${id} says that it is ${sent.id}.`);
    return sent;
  });
}
