import { actorOf, administrator } from '../audit/record-audit.ts';
import { invalidField, notFound } from '../http/errors.ts';
import { idParams } from '../http/fields.ts';
import { mapPage } from '../http/paging.ts';
import { route } from '../http/route.ts';
import { type AddedUser, addUser } from './administer.ts';
import { type ListedKey, listKeys, revokeKey } from './api-key.store.ts';
import { grantKey } from './grant-key.ts';
import { presentKey, presentUser } from './present.ts';
import {
  apiKey,
  createdKey,
  createdUser,
  createKeyBody,
  createUserBody,
  listKeysQuery,
  listUsersQuery,
  user,
} from './schema.ts';
import { listUsers } from './user.store.ts';

export const accessRoutes = [
  route({
    name: 'createApiKey',
    method: 'post',
    path: '/api-keys',
    scope: 'key:manage',
    summary: 'Create an API key; only this answer shows it',
    description:
      'The new key can have only scopes that the calling key has. The scope `admin` is granted on the command line only. The new key expires no later than the calling key and is revoked together with it.',
    body: createKeyBody,
    status: 201,
    response: createdKey,
    idempotency: 'key',
    errors: ['LIMIT_REACHED'],
  }).answers(async ({ context, caller, client, body, keepAnswer }) => {
    const present = ({ key, ...row }: ListedKey & { key: string }) => ({ ...presentKey(row), key });
    const wanted = { ...body, by: actorOf(caller, client) };
    return present(await grantKey(context, caller, wanted, (tx, made) => keepAnswer(tx, present(made))));
  }),

  route({
    name: 'listApiKeys',
    method: 'get',
    path: '/api-keys',
    scope: 'key:manage',
    summary: 'List API keys that are not revoked, newest first',
    query: listKeysQuery,
    paging: 'A',
    response: apiKey,
  }).answers(async ({ context, caller, query }) => {
    return mapPage(await listKeys(context.db, caller.userId, query), presentKey);
  }),

  route({
    name: 'revokeApiKey',
    method: 'delete',
    path: '/api-keys/{id}',
    scope: 'key:manage',
    summary: 'Revoke an API key and all keys that were created with it; they stop working within ten seconds',
    params: idParams,
  }).answers(async ({ context, caller, client, params }) => {
    const key = { userId: caller.userId, id: params.id, at: context.clock.now() };
    if (!(await revokeKey(context.db, key, actorOf(caller, client)))) throw notFound('API key');
  }),

  route({
    name: 'createUser',
    method: 'post',
    path: '/admin/users',
    scope: 'admin',
    summary: 'Create a user and a first API key; only this answer shows the key',
    body: createUserBody,
    status: 201,
    response: createdUser,
    idempotency: 'key',
  }).answers(async ({ context, caller, client, body, keepAnswer }) => {
    const present = ({ user, key }: AddedUser) => ({ ...presentUser(user), apiKey: key });
    const wanted = { email: body.email, name: body.name ?? null, isAdmin: false };
    const by = { by: administrator(caller, client), at: context.clock.now() };
    const added = await addUser(context.db, wanted, by, (tx, made) => keepAnswer(tx, present(made)));
    if (added) return present(added);
    throw invalidField('email', 'belongs to another user already');
  }),

  route({
    name: 'listUsers',
    method: 'get',
    path: '/admin/users',
    scope: 'admin',
    summary: 'List users, newest first',
    query: listUsersQuery,
    paging: 'A',
    response: user,
  }).answers(async ({ context, query }) => {
    return mapPage(await listUsers(context.db, query), presentUser);
  }),
];
