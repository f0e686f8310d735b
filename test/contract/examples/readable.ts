import { EXAMPLE_ID } from '../../../src/http/openapi/example-shop.ts';
import type { Rows } from '../rows.ts';
import { NOW } from './shop.ts';

/** Ids of the documentation, by the kind of the row. */
const KNOWN: { readonly [K in keyof Rows]?: keyof typeof EXAMPLE_ID } = {
  ...{ user: 'user', device: 'device', scene: 'scene', site: 'site', rule: 'rule', alert: 'alert' },
  ...{
    insight: 'insight',
    attribute: 'attributes',
    check: 'check',
    checkStill: 'still',
    endedTask: 'analysis',
  },
  ...{ apiKey: 'key', session: 'session', delivery: 'delivery', recording: 'recording', export: 'dataJob' },
  ...{ mailChannel: 'channel', subscription: 'subscription', reportSubscription: 'reports', node: 'node' },
  announcement: 'announcement',
};

/** What is secret, random or measured, by the name of its field. */
const FIELDS: Readonly<Record<string, unknown>> = {
  key: 'vas_Ab3dEf9h_EXAMPLEexampleEXAMPLEexample0000aBx7Qz',
  prefix: 'vas_Ab3dEf9h',
  last4: 'x7Qz',
  secret: 'whsec_RVhBTVBMRWV4YW1wbGVFWEFNUExFZXhhbXBsZSE=',
  secretLast4: 'ZSE=',
  code: 'k7m2p-9xwqr-4tn8v-hj3fz-b6cde',
  path: '/#/enter?code=k7m2p-9xwqr-4tn8v-hj3fz-b6cde',
  publicKey: 'BEXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEX',
  endpoint: 'https://push.example.com/send/EXAMPLE',
  p256dh: 'BEXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEX',
  auth: 'EXAMPLEexampleEXAMPLEex',
  base64: '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgICAgMCAgID',
  databaseMs: 0.84,
  clockSkewMs: 3,
  estimatedInitMs: 850,
};

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const DAYS_MS = 40 * 86_400_000;
const MINUTE_MS = 60_000;

/** Makes recordings the same each time: ids, times of the database's own clock, and what is secret or random. */
export function readable() {
  const startedAt = Date.now();
  const ids = new Map<string, string>(Object.values(EXAMPLE_ID).map((id) => [id, id]));
  let others = 0x3000;

  const idOf = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `0197a0c4-5f3e-7d20-9a5c-0f6f0b1c${(others++).toString(16)}`);
    return ids.get(id)!;
  };
  /** The database has its own clock: what it says is told in whole minutes from the shop's. */
  const timeOf = (time: string): string => {
    const ms = Date.parse(time) - startedAt;
    if (Math.abs(ms) > DAYS_MS) return time;
    return new Date(NOW.getTime() + Math.round(ms / MINUTE_MS) * MINUTE_MS).toISOString();
  };
  const text = (value: string): string =>
    value
      .replace(UUID, idOf)
      .replace(TIME, timeOf)
      .replace(/signature=[\w-]+/g, 'signature=EXAMPLE')
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1');

  function value<Value>(given: Value, name?: string): Value;
  function value(given: unknown, name = ''): unknown {
    if (given === null) return null;
    if (name in FIELDS && typeof FIELDS[name] === typeof given) return FIELDS[name];
    if (typeof given === 'string') return text(given);
    if (Array.isArray(given)) return brief(given).map((one) => value(one));
    if (typeof given !== 'object') return given;
    return Object.fromEntries(Object.entries(given).map(([field, one]) => [field, value(one, field)]));
  }

  return {
    value,
    answer: (body: string, isJson: boolean): unknown =>
      isJson ? value(JSON.parse(body)) : text(body.split('\r\n').slice(0, 3).join('\r\n')),
    /** Names the rows of a user as the documentation does. */
    know(rows: Rows): void {
      for (const [kind, name] of Object.entries(KNOWN)) ids.set(rows[kind as keyof Rows], EXAMPLE_ID[name]);
    },
  };
}

/** Of many objects, as of the steps of a series, the first two. */
const brief = (list: readonly unknown[]): readonly unknown[] =>
  list.every((one) => typeof one === 'object' && !Array.isArray(one)) ? list.slice(0, 2) : list;
