import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  certificateFile,
  ensureIdentity,
  type Identity,
  readIdentity,
} from '../../scripts/webhook-receiver/certificate.ts';
import { type ReceivedDelivery, startReceiver } from '../../scripts/webhook-receiver/receiver.ts';
import { Sender } from '../../src/delivery/outbox/send.ts';
import { signedHeaders } from '../../src/delivery/webhooks/sign.ts';

const folder = mkdtempSync(join(tmpdir(), 'receiver-'));
const BODY = Buffer.from(
  '{"id":"e","type":"device_online","timestamp":"2026-01-31T08:00:00.000Z","data":{"deviceName":"Käse"}}',
);
let identity: Identity;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let sender: Sender;
const received: ReceivedDelivery[] = [];
const refused: string[] = [];

beforeAll(async () => {
  identity = await ensureIdentity(folder);
  receiver = await startReceiver({
    ...{ ...identity, host: '127.0.0.1', port: 0 },
    onDelivery: (delivery) => received.push(delivery),
    onRefused: (fault) => refused.push(fault),
  });
  sender = new Sender({ allowedHosts: ['localhost'], caFile: certificateFile(folder) });
});
afterAll(async () => {
  sender.close();
  await receiver.stop();
  rmSync(folder, { recursive: true });
});

const send = (secret: string, body = BODY) => {
  const ids = { eventId: 'e', eventType: 'device_online', deliveryId: 'd' };
  const headers = signedHeaders({ ...ids, body: BODY, at: new Date(), secret });
  return sender.send({ url: receiver.url, body, headers, timeoutMs: 10_000 });
};

describe('the receiver', () => {
  test('accepts deliveries that are signed with its secret, and recognises a repeat', async () => {
    expect((await send(identity.secret)).httpStatusCode).toBe(204);
    expect((await send(identity.secret)).httpStatusCode).toBe(204);
    expect(received.map(({ event, isRepeat, deliveryId }) => [event.type, isRepeat, deliveryId])).toEqual([
      ...[
        ['device_online', false, 'd'],
        ['device_online', true, 'd'],
      ],
    ]);
  });

  test('refuses all other requests and reports the reason', async () => {
    expect((await send('another secret of length')).httpStatusCode).toBe(401);
    expect((await send(identity.secret, Buffer.from('{}'))).httpStatusCode).toBe(401);
    expect((await send(identity.secret, Buffer.alloc(1_000_001))).httpStatusCode).toBe(413);
    expect(refused).toEqual([
      ...Array(2).fill('Its signature does not belong to this body and this secret.'),
      'The body is too long.',
    ]);
  });

  test('keeps its certificate and secret in files that only their owner can read', async () => {
    expect(await ensureIdentity(folder)).toEqual(identity);
    expect(readIdentity(join(folder, 'elsewhere'))).toBeNull();
    for (const name of ['key.pem', 'secret']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });
});
