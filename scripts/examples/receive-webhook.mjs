// Receives webhooks, checks that they are genuine, and prints them. It needs nothing but Node.
//
//   WEBHOOK_SECRET=whsec_… PORT=8080 node scripts/examples/receive-webhook.mjs

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET = '', PORT = '8080' } = process.env;
const TOLERANCE_SECONDS = 300;
if (!WEBHOOK_SECRET) throw new Error('Set WEBHOOK_SECRET to the secret of your webhook.');

/** @param {Buffer} body the bytes as they came: parsed and serialised again they may differ */
function isGenuine(body, headers) {
  const timestamp = headers['x-saas-timestamp'] ?? '';
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return false;
  const hex = createHmac('sha256', WEBHOOK_SECRET).update(`${timestamp}.`).update(body).digest('hex');
  const wanted = Buffer.from(`sha256=${hex}`);
  const given = Buffer.from(headers['x-saas-signature'] ?? '');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Ids of the newest events: an event may arrive more than once. */
const known = new Set();

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isGenuine(body, request.headers)) return response.writeHead(401).end();
  // Answer first and work afterwards: a slow answer counts as a failure.
  response.writeHead(204).end();
  const event = JSON.parse(body.toString('utf8'));
  if (known.has(event.id)) return;
  known.add(event.id);
  if (known.size > 10_000) known.delete(known.values().next().value);
  console.log(`${event.timestamp} ${event.type} ${JSON.stringify(event.data)}`);
});
server.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`Waiting for webhooks at http://127.0.0.1:${server.address().port}`),
);
