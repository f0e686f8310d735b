import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface Arrival {
  readonly eventId: string;
  readonly deliveryId: string;
  readonly body: string;
  readonly atMs: number;
}

export interface CountingReceiver {
  /** Answers at once. */
  readonly fastUrl: string;
  /** Takes the request and never answers. */
  readonly blackHoleUrl: string;
  /** What came to the fast address, in order. */
  readonly arrivals: Arrival[];
  stop(): Promise<void>;
}

/** A receiver that writes down what comes and when. */
export async function countingReceiver(tls: { key: string; certificate: string }): Promise<CountingReceiver> {
  const arrivals: Arrival[] = [];
  const server = createServer({ key: tls.key, cert: tls.certificate }, async (request, response) => {
    if (request.url !== '/fast') return;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    arrivals.push({
      eventId: String(request.headers['webhook-id']),
      deliveryId: String(request.headers['x-saas-delivery-id']),
      body: Buffer.concat(chunks).toString('utf8'),
      atMs: Date.now(),
    });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `https://localhost:${(server.address() as AddressInfo).port}`;
  return {
    fastUrl: `${base}/fast`,
    blackHoleUrl: `${base}/hole`,
    arrivals,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
