import type { LookupAddress } from 'node:dns';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Sender } from '../../../src/delivery/outbox/send.ts';
import { HOSTILE_ADDRESSES, HOSTILE_HOSTS } from '../../delivery/webhooks/hostile.ts';
import { answering, type TestReceiver, testReceiver } from '../../support/servers/receiver.ts';

/** Accepts and counts every connection on all addresses of this machine. */
let trap: Server;
let port: number;
let caught = 0;
beforeAll(async () => {
  trap = createServer((socket) => {
    caught += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => trap.listen(0, '::', resolve));
  port = (trap.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => trap.close(resolve)));

const body = Buffer.from('{}');
const send = (sender: Sender, url: string) => sender.send({ url, body, headers: {}, timeoutMs: 60_000 });
const leadingTo = (...addresses: string[]) => {
  const found: LookupAddress[] = addresses.map((address) => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }));
  return async () => found;
};

describe('no delivery gets to the trap', () => {
  test('the trap accepts connections, and there are enough addresses to try', async () => {
    expect(HOSTILE_HOSTS.length).toBeGreaterThanOrEqual(80);
    expect(new Set(HOSTILE_HOSTS).size).toBe(HOSTILE_HOSTS.length);
    const opened = new Sender({ allowedHosts: ['127.0.0.1'] });
    await send(opened, `https://127.0.0.1:${port}/`);
    opened.close();
    expect(caught).toBe(1);
  });

  test('no delivery reaches the trap by any spelling of its address', async () => {
    const sender = new Sender({ allowedHosts: [], resolve: leadingTo('127.0.0.1') });
    const before = caught;
    for (const host of HOSTILE_HOSTS) {
      for (const scheme of ['https', 'http']) {
        const { httpStatusCode, errorMessage } = await send(sender, `${scheme}://${host}:${port}/`);
        expect([host, httpStatusCode, errorMessage]).toEqual([host, null, expect.stringMatching(/\S/)]);
      }
    }
    sender.close();
    expect(caught - before).toBe(0);
  });

  test('no delivery reaches the trap by a name that resolves to such an address, alone or beside a public one', async () => {
    const before = caught;
    for (const address of HOSTILE_ADDRESSES) {
      for (const found of [[address], ['8.8.8.8', address]]) {
        const sender = new Sender({ allowedHosts: [], resolve: leadingTo(...found) });
        const { errorMessage } = await send(sender, `https://hooks.example.com:${port}/`);
        expect([address, errorMessage]).toEqual([
          ...[
            address,
            'hooks.example.com leads to an address that is not of the public internet. The operator allows hosts with WEBHOOK_ALLOW_HOSTS.',
          ],
        ]);
        sender.close();
      }
    }
    expect(caught - before).toBe(0);
  });

  test('a name without an address is refused', async () => {
    const sender = new Sender({ allowedHosts: [], resolve: leadingTo() });
    expect((await send(sender, `https://hooks.example.com:${port}/`)).errorMessage).toContain(
      'No address is known',
    );
    sender.close();
  });

  test('no delivery reaches the trap by DNS rebinding, because each connection resolves the name once', async () => {
    const answers = [['203.0.114.1'], ['127.0.0.1']];
    let asked = 0;
    const sender = new Sender({
      allowedHosts: [],
      resolve: () => leadingTo(...answers[Math.min(asked++, 1)]!)(),
    });
    const before = caught;
    const url = `https://rebinding.example.com:${port}/`;
    const first = await sender.send({ url, body, headers: {}, timeoutMs: 200 });
    // The connection used the address that was checked: no second lookup, and not this machine.
    expect([asked, first.httpStatusCode, first.errorMessage]).toEqual([1, null, expect.any(String)]);
    expect((await send(sender, url)).errorMessage).toContain('not of the public internet');
    expect(asked).toBe(2);
    sender.close();
    expect(caught - before).toBe(0);
  });

  test('no delivery reaches the trap by a redirect of an allowed receiver', async () => {
    const receiver: TestReceiver = await testReceiver();
    const sender = new Sender({ allowedHosts: ['localhost'], caFile: receiver.caFile });
    const before = caught;
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answer = answering(status, { location: `https://127.0.0.1:${port}/` });
      expect((await send(sender, receiver.url)).httpStatusCode).toBe(status);
    }
    receiver.answer = answering(200, {
      refresh: `0; url=https://127.0.0.1:${port}/`,
      link: '<x>; rel=preload',
    });
    await send(sender, receiver.url);
    sender.close();
    await receiver.stop();
    expect(caught - before).toBe(0);
  });
});
