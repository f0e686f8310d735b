import { z } from 'zod';
import { actorOf } from '../../audit/record-audit.ts';
import { ApiError, notFound } from '../../http/errors.ts';
import { idParams, orNothing } from '../../http/fields.ts';
import { mapPage } from '../../http/paging.ts';
import { route } from '../../http/route.ts';
import { endedCaller, findOwnAccount } from '../account/own-account.ts';
import { presentAccount } from '../account/present.ts';
import { findAccount } from '../user.store.ts';
import { presentSession, presentSignedIn } from './present.ts';
import { listSessionsQuery, session, signedIn } from './schema.ts';
import { findListed, listSessions, revokeSession } from './session.store.ts';

export const sessionRoutes = [
  route({
    name: 'getSession',
    method: 'get',
    path: '/session',
    scope: 'any',
    summary: 'Who is signed in, and what they may do',
    description:
      'Also tells the holder of an API key about the key’s user and scopes. The answer sets the session cookie again, so that a browser that is used does not lose it.',
    query: z.object({ orNothing: orNothing('401 to who sends neither key nor cookie') }),
    response: signedIn,
    orNothing: 'signedOut',
  }).answers(async ({ context: { db }, caller, client }) => {
    const { userId, sessionId } = caller;
    const account = await findOwnAccount(db, caller);
    if (sessionId === null)
      return { user: presentAccount(account), scopes: [...caller.scopes], session: null };
    const row = await findListed(db, { userId, id: sessionId });
    if (!row) throw endedCaller(caller);
    client.keepSession();
    return presentSignedIn(account, row);
  }),

  route({
    name: 'signOut',
    method: 'delete',
    path: '/session',
    scope: 'any',
    summary: 'End the session of this call and remove its cookie',
    description: 'Its open event streams and live pictures end within 30 seconds.',
    errors: ['NOT_FOUND'],
  }).answers(async ({ context: { db, clock }, caller, client }) => {
    const { userId, sessionId } = caller;
    if (sessionId === null) {
      throw new ApiError(
        'NOT_FOUND',
        'This call has an API key, not a session: DELETE /api-keys/{id} revokes a key',
      );
    }
    await revokeSession(db, { userId, id: sessionId, at: clock.now() }, actorOf(caller, client));
    client.setCookie('vas', null);
  }),

  route({
    name: 'listSessions',
    method: 'get',
    path: '/sessions',
    scope: 'key:manage',
    summary: 'List sessions that are neither ended nor expired, newest first',
    query: listSessionsQuery,
    paging: 'A',
    response: session,
  }).answers(async ({ context: { db, clock }, caller, query }) => {
    const { userId, sessionId } = caller;
    const [account, page] = await Promise.all([
      findAccount(db, userId),
      listSessions(db, { userId, now: clock.now() }, query),
    ]);
    const viewer = { isAdmin: account?.isAdmin ?? false, sessionId };
    return mapPage(page, (row) => presentSession(row, viewer));
  }),

  route({
    name: 'revokeSession',
    method: 'delete',
    path: '/sessions/{id}',
    scope: 'key:manage',
    summary: 'Revoke a session; it stops working within ten seconds',
    description: 'Its open event streams and live pictures end within 30 seconds.',
    params: idParams,
  }).answers(async ({ context: { db, clock }, caller, client, params }) => {
    const session = { userId: caller.userId, id: params.id, at: clock.now() };
    if (!(await revokeSession(db, session, actorOf(caller, client)))) throw notFound('Session');
  }),
];
