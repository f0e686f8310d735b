import { EXAMPLE_ID } from '../../../src/http/openapi/example-shop.ts';
import type { Rows } from '../rows.ts';
import { NOW } from './shop.ts';

type Kinds = { readonly [K in keyof Rows]?: keyof typeof EXAMPLE_ID };

/** Ids of the documentation, by the kind of a row that only its user sees. */
export const OWN: Kinds = {
  ...{ device: 'device', scene: 'scene', site: 'site', rule: 'rule', alert: 'alert' },
  ...{
    insight: 'insight',
    attribute: 'attributes',
    check: 'check',
    checkStill: 'still',
    endedTask: 'analysis',
  },
  ...{ apiKey: 'key', session: 'session', delivery: 'delivery', recording: 'recording', export: 'dataJob' },
  ...{ mailChannel: 'channel', subscription: 'subscription', reportSubscription: 'reports' },
};
const KNOWN: Kinds = { ...OWN, user: 'user', node: 'node', announcement: 'announcement' };

/** What is secret, random or measured, by the name of its field. */
const FIELDS: Readonly<Record<string, unknown>> = {
  prefix: 'vas_Ab3dEf9h',
  last4: 'x7Qz',
  secret: 'whsec_RVhBTVBMRWV4YW1wbGVFWEFNUExFZXhhbXBsZSE=',
  secretLast4: 'ZSE=',
  publicKey: 'BEXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEX',
  endpoint: 'https://push.example.com/send/EXAMPLE',
  p256dh: 'BEXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEX',
  auth: 'EXAMPLEexampleEXAMPLEex',
  base64: '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgICAgMCAgID',
  databaseMs: 0.84,
  clockSkewMs: 3,
  estimatedInitMs: 850,
  oldestQueuedAgeMs: 2100,
  oldestDueAgeMs: 850,
  metricsAgeMs: 850,
};

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Makes recordings the same each time: ids, times of the database's own clock, and what is secret or random. */
export function readable() {
  const startedAt = Date.now();
  const ids = new Map<string, string>(Object.values(EXAMPLE_ID).map((id) => [id, id]));
  let others = 0x3000;

  const idOf = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `0197a0c4-5f3e-7d20-9a5c-0f6f0b1c${(others++).toString(16)}`);
    return ids.get(id)!;
  };
  /** The database has its own clock: what it says is told in whole hours from the shop's. */
  const timeOf = (time: string): string => {
    const ms = Date.parse(time) - startedAt;
    if (ms < -HOUR_MS || ms > 35 * DAY_MS) return time;
    return new Date(NOW.getTime() + Math.round(ms / HOUR_MS) * HOUR_MS).toISOString();
  };
  const text = (value: string): string =>
    value
      .replace(UUID, idOf)
      .replace(TIME, timeOf)
      .replace(/vas_\w{20,}/g, 'vas_Ab3dEf9h_EXAMPLEexampleEXAMPLEexample0000aBx7Qz')
      .replace(/signature=[\w-]+/g, 'signature=EXAMPLE')
      .replace(/(?:\w{5}-){4}\w{5}/g, 'k7m2p-9xwqr-4tn8v-hj3fz-b6cde')
      .replace(/[0-9a-f-]{32}([0-9a-f]{4})@example/g, 'user-$1@example')
      .replace(/^spare(-[0-9a-f]{8})?$/, 'node-1')
      .replaceAll('http://127.0.0.1:8080', 'https://video.example.com')
      .replaceAll('https://93.184.216.34/hook', 'https://hooks.example.com/video')
      .replaceAll('93.184.216.34', 'push.example.com')
      .replaceAll('sim:shop?seed=1', 'rtsp://192.168.1.20:554/stream1');

  function value<Value>(given: Value, name?: string): Value;
  function value(given: unknown, name = ''): unknown {
    if (given === null) return null;
    if (name in FIELDS && typeof FIELDS[name] === typeof given) return FIELDS[name];
    if (typeof given === 'string') return text(given);
    if (Array.isArray(given)) return brief(given, name).map((one) => value(one));
    if (typeof given !== 'object') return given;
    return Object.fromEntries(Object.entries(given).map(([field, one]) => [field, value(one, field)]));
  }

  return {
    value,
    answer: (body: string, isJson: boolean): unknown =>
      isJson ? value(JSON.parse(body)) : text(body.split('\r\n').slice(0, 3).join('\r\n')),
    /** Names the rows of a user as the documentation does. @param kinds by default all */
    know(rows: Rows, kinds = KNOWN): void {
      for (const [kind, name] of Object.entries(kinds)) ids.set(rows[kind as keyof Rows], EXAMPLE_ID[name]);
    },
  };
}

/** Of many objects, as of the steps of a series, the first two; of a whole day every hour. */
const brief = (list: readonly unknown[], name: string): readonly unknown[] =>
  name !== 'hourlyDistribution' &&
  list.every((one) => one !== null && Object(one) === one && !Array.isArray(one))
    ? list.slice(0, 2)
    : list;
