import { z } from 'zod';
import { actorOf } from '../../audit/record-audit.ts';
import { notFound } from '../../http/errors.ts';
import { orNothing } from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import { presentSignedIn } from '../sessions/present.ts';
import { signedIn } from '../sessions/schema.ts';
import { grantCode, type MadeCode } from './make-login-code.ts';
import { createLoginCodeBody, loginCode, setUpBody, setup, signInBody } from './schema.ts';
import { setUp } from './set-up.ts';
import { hasUsers } from './setup.store.ts';
import { signIn } from './sign-in.ts';

export const signInRoutes = [
  route({
    name: 'signIn',
    method: 'post',
    path: '/session',
    scope: null,
    signsIn: true,
    summary: 'Sign in: begin a session and set its cookie',
    description:
      'With e-mail address and password, with an API key, or with a one-time code. The cookie is `__Host-vas` over https and `vas` over http; scripts cannot read it. Wrong passwords are limited by account and by network address. An account has at most 200 people and as many screens that signed in by codes, those of each API key counted apart; one more is answered 409, and its code still works when a session was ended.',
    body: signInBody,
    response: signedIn,
    errors: ['LIMIT_REACHED'],
  }).answers(async ({ context, client, body }) => {
    const { account, session } = await signIn(context, client, body);
    return presentSignedIn(account, session);
  }),

  route({
    name: 'createLoginCode',
    method: 'post',
    path: '/login-codes',
    scope: 'key:manage',
    summary: 'Make a one-time code that begins a session on another device',
    description:
      'The session has at most the scopes of the caller. It does not end when the session of the caller ends; if the caller has an API key, or a session that comes from one, it ends with that key.',
    body: createLoginCodeBody,
    status: 201,
    response: loginCode,
    idempotency: 'key',
    errors: ['LIMIT_REACHED'],
  }).answers(async ({ context, caller, client, body, keepAnswer }) => {
    const present = (made: MadeCode) => ({ ...made, expiresAt: made.expiresAt.toISOString() });
    const wanted = { ...body, by: actorOf(caller, client) };
    return present(await grantCode(context, caller, wanted, (tx, made) => keepAnswer(tx, present(made))));
  }),

  route({
    name: 'getSetup',
    method: 'get',
    path: '/setup',
    scope: null,
    summary: 'Whether the first administrator has to be created',
    description: 'Answers 404 as soon as there is a user.',
    query: z.object({ orNothing: orNothing('404') }),
    response: setup,
    orNothing: true,
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, query }) => {
    if (!(await hasUsers(context.db))) return { needed: true } as const;
    if (query.orNothing) return null;
    throw notFound('Setup');
  }),

  route({
    name: 'setUp',
    method: 'post',
    path: '/setup',
    scope: null,
    signsIn: true,
    summary: 'Create the first administrator and sign in',
    description:
      'Needs the code that the API prints in its terminal. Answers 404 as soon as there is a user.',
    body: setUpBody,
    status: 201,
    response: signedIn,
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, client, body }) => {
    const { account, session } = await setUp(context, client, body);
    return presentSignedIn(account, session);
  }),
];
