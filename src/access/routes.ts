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
    method: 'post',
    path: '/api-keys',
    scope: 'key:manage',
    summary: 'Make an API key; it is shown only now',
    description:
      'The new key has only scopes that the calling key has itself; the scope `admin` is given on the command line only. The new key ends no later than the calling key and is revoked with it.',
    body: createKeyBody,
    status: 201,
    response: createdKey,
    idempotency: 'key',
    errors: ['LIMIT_REACHED'],
    handler: async ({ context, caller, body, keepAnswer }) => {
      const present = ({ key, ...row }: ListedKey & { key: string }) => ({ ...presentKey(row), key });
      return present(await grantKey(context, caller, body, (tx, made) => keepAnswer(tx, present(made))));
    },
  }),

  route({
    method: 'get',
    path: '/api-keys',
    scope: 'key:manage',
    summary: 'List API keys that are not revoked, newest first',
    query: listKeysQuery,
    paging: 'A',
    response: apiKey,
    handler: async ({ context, caller, query }) => {
      return mapPage(await listKeys(context.db, caller.userId, query), presentKey);
    },
  }),

  route({
    method: 'delete',
    path: '/api-keys/{id}',
    scope: 'key:manage',
    summary: 'Revoke an API key and every key that was made with it; they work for ten more seconds at most',
    params: idParams,
    handler: async ({ context, caller, params }) => {
      const key = { userId: caller.userId, id: params.id, at: context.clock.now() };
      if (!(await revokeKey(context.db, key))) throw notFound('API key');
    },
  }),

  route({
    method: 'post',
    path: '/admin/users',
    scope: 'admin',
    summary: 'Make a user with a first API key, which is shown only now',
    body: createUserBody,
    status: 201,
    response: createdUser,
    idempotency: 'key',
    handler: async ({ context, body, keepAnswer }) => {
      const present = ({ user, key }: AddedUser) => ({ ...presentUser(user), apiKey: key });
      const wanted = { email: body.email, name: body.name ?? null, isAdmin: false };
      const added = await addUser(context.db, wanted, (tx, made) => keepAnswer(tx, present(made)));
      if (added) return present(added);
      throw invalidField('email', 'belongs to another user already');
    },
  }),

  route({
    method: 'get',
    path: '/admin/users',
    scope: 'admin',
    summary: 'List users, newest first',
    query: listUsersQuery,
    paging: 'A',
    response: user,
    handler: async ({ context, query }) => {
      return mapPage(await listUsers(context.db, query), presentUser);
    },
  }),
];
