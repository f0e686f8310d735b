import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '../../support/loopback.ts';

export interface Arrival {
  readonly eventId: string;
  readonly deliveryId: string;
  readonly body: string;
  readonly atMs: number;
}

export interface CountingReceiver {
  /** Answers at once. */
  readonly fastUrl: string;
  /** Accepts the request and never answers. */
  readonly blackHoleUrl: string;
  /** The deliveries to the fast address, in order. */
  readonly arrivals: Arrival[];
  stop(): Promise<void>;
}

/** A receiver of webhooks that records each delivery and its time. */
export async function countingReceiver(tls: { key: string; certificate: string }): Promise<CountingReceiver> {
  const arrivals: Arrival[] = [];
  const server = createServer({ key: tls.key, cert: tls.certificate }, async (request, response) => {
    if (request.url !== '/fast') return;
    const body = await text(request);
    arrivals.push({
      eventId: String(request.headers['webhook-id']),
      deliveryId: String(request.headers['x-saas-delivery-id']),
      body,
      atMs: Date.now(),
    });
    response.writeHead(204).end();
  });
  const base = `https://localhost:${await listen(server)}`;
  return {
    fastUrl: `${base}/fast`,
    blackHoleUrl: `${base}/hole`,
    arrivals,
    stop: () => closeServer(server),
  };
}
