import type { Context } from '../../../platform/context.ts';
import { TOLD_KINDS } from '../kinds.ts';
import { type EventBody, loadMessage } from './load-message.store.ts';
import { type ToldFacts, type WrittenMessage, writeMessage } from './write-message.ts';

/** A picture of an e-mail or push message has at most so many bytes. */
const MOST_PICTURE_BYTES = 1_000_000;

export interface MessageOfEvents {
  readonly userId: string;
  readonly deviceId: string | null;
  readonly alertEventId: string | null;
  readonly eventIds: readonly string[];
  readonly eventCount: number;
  readonly since: Date | null;
}

/**
 * Writes a message about events, in the language of the user.
 * @returns null when its events have been erased
 */
export async function readMessage(
  { db }: Pick<Context, 'db'>,
  message: MessageOfEvents,
): Promise<{ readonly message: WrittenMessage; readonly pictureKey: string | null } | null> {
  const { events, pictureKey, ...about } = await loadMessage(db, message, MOST_PICTURE_BYTES);
  const facts = events.map(factsOf).filter((event) => event !== null);
  const [oldest] = facts;
  const newest = facts.at(-1);
  if (!oldest || !newest) return null;
  const told = { newest, earlier: facts.slice(0, -1), eventCount: message.eventCount };
  const since = message.since ?? oldest.occurredAt;
  return { message: writeMessage({ ...about, ...told, since }), pictureKey };
}

function factsOf({ type, body, occurredAt }: EventBody): ToldFacts | null {
  if (!(TOLD_KINDS as readonly string[]).includes(type)) return null;
  const { data } = JSON.parse(Buffer.from(body).toString('utf8')) as { data: unknown };
  // The body was made by `emit`, whose types hold it against the catalogue.
  return { kind: type, data, occurredAt } as ToldFacts;
}
