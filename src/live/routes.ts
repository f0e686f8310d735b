import { newestSequence } from '../events/event.store.ts';
import { ApiError, invalidField } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { followUser } from './event-stream.ts';
import { streamEvent, streamQuery, TOPICS, type Topic } from './schema.ts';

export const streamRoutes = [
  route({
    method: 'get',
    path: '/stream',
    scope: [...new Set(Object.values(TOPICS))],
    summary: 'Follow what happens, as server-sent events',
    description:
      'The newest `metrics` of each scene being analysed come at once and then about every second; `alerts`, ' +
      '`analysis` and `device` carry the bodies that a webhook is sent, and can be taken up again where they were ' +
      'left with Last-Event-ID; `insights` tells those that are new or have changed. A key gets only what its scopes ' +
      'allow; revoked, its stream ends within 30 seconds. A key may have 50 streams open. Comments show every 15 seconds that the stream lives.',
    query: streamQuery,
    events: streamEvent,
    handler: async ({ context, caller, query, lastEventId, signal }) => {
      const allowed = (Object.keys(TOPICS) as Topic[]).filter((topic) => caller.scopes.has(TOPICS[topic]));
      const topics = new Set(query.types ? allowed.filter((topic) => query.types?.includes(topic)) : allowed);
      if (topics.size === 0) {
        const scopes = [...new Set(query.types?.map((topic) => TOPICS[topic]))].join(' or ');
        throw new ApiError('INSUFFICIENT_SCOPE', `This API key lacks the scope ${scopes}`);
      }
      const { userId, keyId } = caller;
      const after =
        lastEventId === undefined ? await newestSequence(context.db, userId) : placeOf(lastEventId);
      return followUser(context, { userId, keyId, topics, after, signal });
    },
  }),
];

/** @throws ApiError VALIDATION_ERROR */
function placeOf(text: string): bigint {
  if (/^\d{1,18}$/.test(text)) return BigInt(text);
  throw invalidField('Last-Event-ID', 'must be the id of an event of this stream');
}
