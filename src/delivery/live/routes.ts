import { ApiError, invalidField } from '../../http/errors.ts';
import { wordFor } from '../../http/permission.ts';
import { route } from '../../http/route.ts';
import { newestSequence } from '../events/event.store.ts';
import { followUser } from './event-stream.ts';
import { EVERY_TOPIC_SCOPE, streamEvent, streamQuery, TOPICS, type Topic } from './schema.ts';

export const streamRoutes = [
  route({
    name: 'streamEvents',
    method: 'get',
    path: '/stream',
    scope: EVERY_TOPIC_SCOPE,
    summary: 'Follow events as server-sent events',
    description:
      '`metrics` sends the newest metrics of each scene that is being analysed, at once and then about every second. `alerts`, `analysis`, `device` and `system` (nodes, quotas, months, announcements) send the same bodies as webhooks; with Last-Event-ID they continue after the last received event. `insights` sends new and changed insights. A key or session receives only the topics that its scopes allow. When it is revoked, its event streams end within 30 seconds. It may have 50 open event streams, and its user MAX_EVENT_STREAMS_PER_USER. `retry` says after how many milliseconds a client that lost the connection opens a new one. A comment every 15 seconds shows that the connection is alive.',
    query: streamQuery,
    events: streamEvent,
  }).answers(async ({ context, caller, query, lastEventId, signal }) => {
    const allowed = (Object.keys(TOPICS) as Topic[]).filter((topic) =>
      TOPICS[topic].some((scope) => caller.scopes.has(scope)),
    );
    const topics = new Set(query.types ? allowed.filter((topic) => query.types?.includes(topic)) : allowed);
    if (topics.size === 0) {
      const scopes = [...new Set(query.types?.flatMap((topic) => TOPICS[topic]))].join(' or ');
      throw new ApiError('INSUFFICIENT_SCOPE', `This ${wordFor(caller)} does not have the scope ${scopes}`);
    }
    const { userId, credentialId } = caller;
    const after = lastEventId === undefined ? await newestSequence(context.db, userId) : placeOf(lastEventId);
    return followUser(context, { userId, credentialId, topics, scopes: caller.scopes, after, signal });
  }),
];

/** @throws ApiError VALIDATION_ERROR */
function placeOf(text: string): bigint {
  if (/^\d{1,18}$/.test(text)) return BigInt(text);
  throw invalidField('Last-Event-ID', 'must be the id of an event of this stream');
}
