import { ApiError } from '../../http/errors.ts';
import { mapPage } from '../../http/paging.ts';
import { wordFor } from '../../http/permission.ts';
import { route } from '../../http/route.ts';
import { listEvents } from '../events/event.store.ts';
import { presentListedEvent } from './present.ts';
import {
  EVERY_TOPIC_SCOPE,
  eventList,
  HEARD_TYPES,
  listEventsQuery,
  mayHear,
  scopesOfType,
} from './schema.ts';

export const eventListRoutes = [
  route({
    name: 'listEvents',
    method: 'get',
    path: '/events',
    scope: EVERY_TOPIC_SCOPE,
    summary: 'List events of the last two months, newest first',
    description:
      'The events that webhooks and the event stream get, without signed addresses of images. A key gets only the types that its scopes allow, as on the event stream.',
    query: listEventsQuery,
    paging: 'A',
    response: eventList,
    errors: ['INVALID_DATE_RANGE'],
  }).answers(async ({ context, caller, query }) => {
    const asked = query.types ?? HEARD_TYPES;
    const types = asked.filter((type) => mayHear(caller.scopes, type));
    if (types.length === 0) {
      const scopes = [...new Set(asked.flatMap(scopesOfType))].join(' or ');
      throw new ApiError('INSUFFICIENT_SCOPE', `This ${wordFor(caller)} does not have the scope ${scopes}`);
    }
    const found = await listEvents(context.db, caller.userId, { ...query, types });
    return mapPage(found, presentListedEvent);
  }),
];
