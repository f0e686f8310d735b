import { createServer } from 'node:https';
import { faultInDelivery } from '../../src/delivery/webhooks/sign.ts';
import { closeServer, listen } from '../support/loopback.ts';

export interface ReceivedDelivery {
  readonly deliveryId: string;
  /** The body, parsed. */
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly timestamp: string;
    readonly data: unknown;
  };
  /** The same event arrived before. A receiver must act on an event only once. */
  readonly isRepeat: boolean;
}

export interface ReceiverOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly key: string;
  readonly certificate: string;
  readonly secret: string;
  readonly onDelivery: (delivery: ReceivedDelivery) => void;
  /** Gets the reason for each request that was refused. */
  readonly onRefused: (fault: string) => void;
}

/** Much more than any event has. */
const MAX_BODY_BYTES = 1_000_000;

/** An example of a receiver: it verifies the signature, recognises repeats, answers at once and works afterwards. */
export async function startReceiver(
  options: ReceiverOptions,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { key, certificate, secret, host, port } = options;
  const seen = new Set<string>();
  const server = createServer({ key, cert: certificate }, async (request, response) => {
    const refuse = (status: number, fault: string) => {
      options.onRefused(fault);
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${fault}\n`);
    };
    if (request.method !== 'POST') return refuse(405, 'Only POST is accepted.');
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of request) {
      bytes += (chunk as Buffer).length;
      if (bytes > MAX_BODY_BYTES) return refuse(413, 'The body is too long.');
      chunks.push(chunk as Buffer);
    }
    const body = Buffer.concat(chunks);
    const fault = faultInDelivery({ body, headers: request.headers, secret, now: new Date() });
    if (fault) return refuse(401, fault);
    const event = JSON.parse(body.toString('utf8')) as ReceivedDelivery['event'];
    response.writeHead(204).end();
    const isRepeat = seen.has(event.id);
    seen.add(event.id);
    options.onDelivery({ deliveryId: String(request.headers['x-saas-delivery-id']), event, isRepeat });
  });
  const actualPort = await listen(server, port, host).catch((error: Error) => {
    throw new Error(`Cannot listen on ${host}:${port}: ${error.message}`);
  });
  return { url: `https://localhost:${actualPort}/`, stop: () => closeServer(server) };
}
