import { newestSequence } from '../events/event.store.ts';
import { ApiError, invalidField } from '../http/errors.ts';
import { route } from '../http/route.ts';
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
      '`metrics` sends the newest metrics of each scene that is being analysed, at once and then about every second. `alerts`, `analysis`, `device` and `system` (nodes, quotas, months, announcements) send the same bodies as webhooks; with Last-Event-ID they continue after the last received event. `insights` sends new and changed insights. A key receives only the topics that its scopes allow. When a key is revoked, its event streams end within 30 seconds. A key may have 50 open event streams. A comment every 15 seconds shows that the connection is alive.',
    query: streamQuery,
    events: streamEvent,
    handler: async ({ context, caller, query, lastEventId, signal }) => {
      const allowed = (Object.keys(TOPICS) as Topic[]).filter((topic) =>
        TOPICS[topic].some((scope) => caller.scopes.has(scope)),
      );
      const topics = new Set(query.types ? allowed.filter((topic) => query.types?.includes(topic)) : allowed);
      if (topics.size === 0) {
        const scopes = [...new Set(query.types?.flatMap((topic) => TOPICS[topic]))].join(' or ');
        throw new ApiError('INSUFFICIENT_SCOPE', `This API key does not have the scope ${scopes}`);
      }
      const { userId, keyId } = caller;
      const after =
        lastEventId === undefined ? await newestSequence(context.db, userId) : placeOf(lastEventId);
      return followUser(context, { userId, keyId, topics, scopes: caller.scopes, after, signal });
    },
  }),
];

/** @throws ApiError VALIDATION_ERROR */
function placeOf(text: string): bigint {
  if (/^\d{1,18}$/.test(text)) return BigInt(text);
  throw invalidField('Last-Event-ID', 'must be the id of an event of this stream');
}
