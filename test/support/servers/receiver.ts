import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from '../../../scripts/webhook-receiver/certificate.ts';

export interface Arrived {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface TestReceiver {
  /** `https://localhost:…/hook` */
  readonly url: string;
  /** For WEBHOOK_CA_FILE. */
  readonly caFile: string;
  /** What came, in order. */
  readonly arrived: Arrived[];
  /** Connections opened to it. */
  readonly connections: number;
  /** How it answers; 204 where not told. */
  answer: (arrived: Arrived, response: ServerResponse) => void;
  stop(): Promise<void>;
}

/** A receiver of webhooks on loopback, with TLS. @param names that its certificate is for */
export async function testReceiver(names: readonly string[] = ['localhost']): Promise<TestReceiver> {
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'));
  const caFile = join(folder, 'certificate.pem');
  const { key, certificate } = await makeCertificate(names);
  writeFileSync(caFile, certificate);
  let connections = 0;
  const server = createServer({ key, cert: certificate }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const arrived = { headers: request.headers, body: Buffer.concat(chunks) };
    receiver.arrived.push(arrived);
    receiver.answer(arrived, response);
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: TestReceiver = {
    url: `https://localhost:${(server.address() as AddressInfo).port}/hook`,
    caFile,
    arrived: [],
    get connections() {
      return connections;
    },
    answer: (_arrived, response) => void response.writeHead(204).end(),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
  return receiver;
}

export const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): TestReceiver['answer'] =>
  (_arrived, response) =>
    void response.writeHead(status, headers).end(body);
