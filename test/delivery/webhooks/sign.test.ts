import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { makeSecret } from '../../../src/delivery/webhooks/secret.ts';
import { faultInDelivery, type Signed, signedHeaders } from '../../../src/delivery/webhooks/sign.ts';
import { isInstalled } from '../../support/installed.ts';
import { anyCharacter, fc } from '../../support/property.ts';

const NOW = new Date(Math.floor(Date.now() / 1000) * 1000 + 987);
const IDS = {
  eventId: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d01',
  deliveryId: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d02',
};
const signed = (body: string | Buffer, secret: string, rest: Partial<Signed> = {}): Signed => ({
  ...{ ...IDS, eventType: 'alert_triggered', at: NOW, secret, body: Buffer.from(body), ...rest },
});
const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const ODD = ['', 'ü', '\u2028\u2029', '\ud83d\ude00', '\ufeff', '"\\/\b', '1e21', '\u0000', 'ﬃ', '\u202e'];
const odd = fc.oneof(
  fc.constantFrom(...ODD),
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme' }),
);
const number = fc.oneof(fc.constantFrom(1e21, -0, 5e-324, 0.1 + 0.2, Number.MAX_SAFE_INTEGER), fc.double());
const { data } = fc.letrec((tie) => ({
  data: fc.dictionary(odd, tie('value')),
  value: fc.oneof(
    { depthSize: 'small' },
    odd,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
  ),
}));
/** As they are stored; and bodies that no event has. */
const bodies = fc.oneof(
  {
    weight: 20,
    arbitrary: (data as fc.Arbitrary<object>).map((each) => JSON.stringify({ ...IDS, data: each })),
  },
  { weight: 1, arbitrary: fc.constantFrom('', '{}', '-0', '1e21', '"\u2028"') },
);
const secrets = fc.oneof(
  fc.constant(0).map(makeSecret),
  fc.string({ minLength: 16, maxLength: 128, unit: 'grapheme' }).filter((text) => !text.startsWith('whsec_')),
);

describe('signatures of 1,000 random payloads', () => {
  const cases = fc.sample(fc.tuple(bodies, secrets), { numRuns: 1_000, seed: 6 }).map(([body, secret]) => {
    const delivery = signed(body, secret);
    return { body, secret, delivery, headers: lowerCase(signedHeaders(delivery)) };
  });

  test('signatures equal those of node’s crypto for `<timestamp>.<body>`', () => {
    for (const { body, secret, headers } of cases) {
      const timestamp = String(Math.floor(NOW.getTime() / 1000));
      const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`, 'utf8').digest('hex');
      expect(headers).toMatchObject({
        ...{ 'x-saas-signature': `sha256=${expected}`, 'x-saas-timestamp': timestamp },
      });
    }
  });

  test('signatures are verified by the package standardwebhooks', () => {
    for (const { body, secret, headers } of cases) {
      // Each byte of a raw secret is one letter for the package.
      const raw = Buffer.from(secret).toString('latin1');
      const webhook = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(raw, { format: 'raw' });
      expect(() => webhook.verify(body, headers, { jsonParse: false })).not.toThrow();
    }
  });

  test('signatures equal those of openssl', () => {
    if (!isInstalled('openssl')) return;
    const folder = mkdtempSync(join(tmpdir(), 'sign-'));
    try {
      // openssl starts once per secret, with the bodies as files.
      const secret = makeSecret();
      const files = cases.map(({ body }, at) => {
        const file = join(folder, String(at));
        writeFileSync(file, `${Math.floor(NOW.getTime() / 1000)}.${body}`);
        return file;
      });
      const key = `hexkey:${Buffer.from(secret).toString('hex')}`;
      const printed = execFileSync('openssl', ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', key, ...files], {
        encoding: 'utf8',
      });
      const theirs = [...printed.matchAll(/= ([0-9a-f]{64})/g)].map(([, hex]) => `sha256=${hex}`);
      expect(theirs).toEqual(
        cases.map(({ body }) => signedHeaders(signed(body, secret))['X-SaaS-Signature']),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('our own check accepts signatures only with the right body, secret and time', () => {
    for (const { delivery, headers, secret } of cases) {
      const received = { body: delivery.body, headers, secret, now: NOW };
      expect(faultInDelivery(received)).toBeNull();
      expect(faultInDelivery({ ...received, secret: `${secret}x` })).toContain('signature');
      expect(
        faultInDelivery({ ...received, body: Buffer.concat([delivery.body, Buffer.from(' ')]) }),
      ).toContain('signature');
    }
  });
});

test('the standard header holds for both secrets while the old one is valid', () => {
  const [secret, previousSecret] = [makeSecret(), makeSecret()];
  const headers = lowerCase(signedHeaders(signed('{"a":1}', secret, { previousSecret })));
  for (const each of [secret, previousSecret]) {
    expect(new Webhook(each).verify('{"a":1}', headers)).toEqual({ a: 1 });
  }
  expect(() => new Webhook(makeSecret()).verify('{"a":1}', headers)).toThrow();
});

test('a secret with the prefix whsec_ but without a standard key after it is used unchanged', () => {
  const body = '{}';
  for (const secret of ['whsec_not base64 at all', 'whsec_abc', 'whsec_']) {
    const headers = lowerCase(signedHeaders(signed(body, secret)));
    const content = `${IDS.eventId}.${headers['webhook-timestamp']}.${body}`;
    const expected = createHmac('sha256', secret).update(content).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
  }
});

test.each([
  ['no signature', { 'x-saas-signature': undefined }, 'not signed'],
  ['no timestamp', { 'x-saas-timestamp': undefined }, 'not signed'],
  ['a timestamp in words', { 'x-saas-timestamp': 'now' }, 'no number'],
  ['an old timestamp', { 'x-saas-timestamp': String(Math.floor(NOW.getTime() / 1000) - 301) }, '300 seconds'],
  [
    'an early timestamp',
    { 'x-saas-timestamp': String(Math.floor(NOW.getTime() / 1000) + 302) },
    '300 seconds',
  ],
  ['another’s timestamp', { 'x-saas-timestamp': String(Math.floor(NOW.getTime() / 1000) - 1) }, 'signature'],
  ['half a signature', { 'x-saas-signature': 'sha256=00' }, 'signature'],
])('%s is refused', (_what, change, words) => {
  const delivery = signed('{}', 'a secret that is long');
  const headers = { ...lowerCase(signedHeaders(delivery)), ...change };
  expect(faultInDelivery({ body: delivery.body, headers, secret: delivery.secret, now: NOW })).toContain(
    words,
  );
});
