import { actorOf } from '../../audit/record-audit.ts';
import { route } from '../../http/route.ts';
import { changeOwnAccount } from './change-account.ts';
import { findOwnAccount } from './own-account.ts';
import { presentAccount } from './present.ts';
import { account, changeAccountBody } from './schema.ts';

export const accountRoutes = [
  route({
    name: 'getCurrentUser',
    method: 'get',
    path: '/users/me',
    scope: 'any',
    summary: 'The account of the caller',
    response: account,
  }).answers(async ({ context, caller }) => presentAccount(await findOwnAccount(context.db, caller))),

  route({
    name: 'updateCurrentUser',
    method: 'patch',
    path: '/users/me',
    scope: 'key:manage',
    summary: 'Change name, time zone, language, password or what pictures hide of people',
    description:
      'A new password needs a session and the present password. In a session of the whole account that a link of `npm run admin -- login-link` has begun in the last ten minutes it needs no present password. It ends all other sessions of the user and removes unused codes; API keys stay valid.',
    body: changeAccountBody,
    response: account,
    errors: ['FORBIDDEN'],
  }).answers(async ({ context, caller, client, body }) =>
    presentAccount(await changeOwnAccount(context, caller, { ...body, by: actorOf(caller, client) })),
  ),
];
