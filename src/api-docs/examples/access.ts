import { EXAMPLE_ID as ID, EXAMPLE_TIME as TIME } from '../../http/openapi/example-shop.ts';
import type { Examples } from '../../http/openapi/examples.ts';
import { ROLES } from '../../http/roles.ts';

const CODE = 'k7m2p-9xwqr-4tn8v-hj3fz-b6cde';
const PASSWORD = 'seven tills on a rainy day';
const ACCOUNT = {
  id: ID.user,
  email: 'ada@example.com',
  name: 'Ada',
  isAdmin: false,
  timezone: 'Europe/Berlin',
  locale: 'de',
  blurPeople: 'none',
  attributeGroups: ['gender', 'age'],
  hasPassword: true,
  createdAt: TIME.created,
  updatedAt: TIME.updated,
};
const SESSION = {
  id: ID.session,
  kind: 'person',
  role: 'viewer',
  scopes: [...ROLES.viewer.scopes],
  method: 'code',
  label: 'Tablet at the entrance',
  isCurrent: true,
  createdAt: TIME.created,
  lastUsedAt: TIME.alert,
  lastAddress: '192.168.1.40',
  lastUserAgent: 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0',
  expiresAt: '2026-03-02T08:15:00.000Z',
};

/** Examples of signing in, of sessions and of the account. */
export const ACCESS_EXAMPLES: Examples = {
  'POST /session': { email: 'ada@example.com', password: PASSWORD },
  'POST /login-codes': { kind: 'person', role: 'viewer', label: 'Tablet at the entrance' },
  LoginCode: {
    id: ID.loginCode,
    code: CODE,
    path: `/#/enter?code=${CODE}`,
    expiresAt: '2026-01-31T08:20:00.250Z',
  },
  'POST /setup': { code: CODE, email: 'ada@example.com', password: PASSWORD, timezone: 'Europe/Berlin' },
  'PATCH /users/me': { name: 'Ada', timezone: 'Europe/Berlin', locale: 'de' },
  Account: ACCOUNT,
  Session: SESSION,
  SignedIn: { user: ACCOUNT, scopes: SESSION.scopes, session: SESSION },
};
