import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect } from '@jest/globals';
import { signedHeaders } from '../../../src/delivery/webhooks/sign.ts';
import { isInstalled, testWhere } from '../../support/installed.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const EVENT = {
  id: '01980000-0000-7000-8000-000000000001',
  type: 'alert_triggered',
  timestamp: '2026-11-02T09:00:00.000Z',
  data: { message: 'Schlange länger als 5' },
};
const delivery = (at: Date, secret = SECRET, event: object = EVENT) => {
  const body = Buffer.from(JSON.stringify(event));
  const signed = { body, eventId: EVENT.id, eventType: EVENT.type, deliveryId: EVENT.id, at, secret };
  return { body, headers: signedHeaders(signed) };
};

let receiver: ChildProcess;
afterEach(async () => {
  receiver.kill('SIGKILL');
  await once(receiver, 'exit');
});

describe.each([
  ['Node', process.execPath, 'scripts/examples/receive-webhook.mjs'],
  ['Python', 'python3', 'scripts/examples/receive_webhook.py'],
])('the receiver for %s', (_, program, file) => {
  testWhere(isInstalled(program, '--version'))(
    'prints each genuine delivery once and refuses the others',
    async () => {
      receiver = spawn(program, [file], {
        env: { ...process.env, WEBHOOK_SECRET: SECRET, PORT: '0' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const lines = createInterface({ input: receiver.stdout! })[Symbol.asyncIterator]();
      const next = async () => (await lines.next()).value as string;
      const url = /http:\S+/.exec(await next())![0];
      const send = async ({ body, headers }: ReturnType<typeof delivery>) =>
        (await fetch(url, { method: 'POST', body, headers })).status;
      const now = new Date();
      expect(await send(delivery(now, 'whsec_of somebody else'))).toBe(401);
      expect(await send(delivery(new Date(now.getTime() - 301_000)))).toBe(401);
      expect(await send({ ...delivery(now), body: Buffer.from('{"id":"changed"}') })).toBe(401);
      const { 'X-SaaS-Signature': _signature, ...unsigned } = delivery(now).headers;
      expect(await send({ ...delivery(now), headers: unsigned })).toBe(401);
      expect(await send(delivery(now))).toBe(204);
      expect(await send(delivery(now))).toBe(204);
      const other = { ...EVENT, id: '01980000-0000-7000-8000-000000000002', type: 'device_offline' };
      expect(await send(delivery(now, SECRET, other))).toBe(204);
      expect([await next(), await next()].map((line) => line.split(' ').slice(0, 2))).toEqual([
        [EVENT.timestamp, 'alert_triggered'],
        [EVENT.timestamp, 'device_offline'],
      ]);
    },
  );
});
