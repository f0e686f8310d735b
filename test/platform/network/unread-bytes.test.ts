import { createConnection, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { listenOnLoopback } from '../../../src/platform/network/loopback.ts';
import { loopbackQueues, unreadBytes } from '../../../src/platform/network/unread-bytes.ts';
import { eventually } from '../../support/eventually.ts';

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 0100007F:C350 01 000003E8:00000000 01:00000014 00000000  1000        0 101 2
   1: 0100007F:C350 0100007F:1F90 01 00000000:00000010 00:00000000 00000000  1000        0 102 1
   3: 0100007F:1F90 0100007F:C351 01 00000000:00000000 00:00000000 00000000  1000        0 104 1
   2: 0A00000A:01BB 0B00000A:C350 01 00000005:00000005 00:00000000 00000000  1000        0 103 1
`;

test('the queues of connections on loopback are read from the table of the kernel', () => {
  expect([...loopbackQueues(TABLE)]).toEqual([
    ['8080:50000', { sent: 1000, received: 0 }],
    ['50000:8080', { sent: 0, received: 16 }],
  ]);
  expect([...loopbackQueues('')]).toEqual([]);
});

test('what the other end does not read is counted, and nothing once it was read', async () => {
  const clients: Socket[] = [];
  const server = createServer((client) => void clients.push(client));
  const reader = createConnection({ host: '127.0.0.1', port: await listenOnLoopback(server) });
  try {
    const client = await eventually('the reader is connected', () => clients[0]);
    expect(unreadBytes([client])).toBe(0);
    const sent = Buffer.alloc(2_000_000);
    reader.pause();
    client.write(sent);
    // A paused socket may have read a first part.
    await eventually('bytes wait', () => process.platform !== 'linux' || unreadBytes([client]) > 0);
    reader.resume();
    await eventually('nothing waits', () => unreadBytes([client]) === 0);
    client.destroy();
    expect(unreadBytes([client])).toBe(0);
  } finally {
    reader.destroy();
    server.close();
  }
});
