import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Express } from 'express';
import { apiDocument } from '../../src/app.ts';
import { Contract } from './contract.ts';

/** The document of the API, made once in a run of the tests: making it takes longer than most tests. */
export function publishedDocument(): object {
  const folder = process.env.TEST_CLUSTER_DIR;
  const file = folder && join(folder, 'openapi.json');
  if (file && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as object;
  const document = JSON.stringify(apiDocument(''));
  if (file) {
    const whole = `${file}.${randomUUID()}`;
    writeFileSync(whole, document);
    renameSync(whole, file);
  }
  return JSON.parse(document) as object;
}

/** The contract of the API as it is published. */
export const PUBLISHED = new Contract(publishedDocument);

export interface CheckedApp {
  readonly app: Express;
  /** @throws Error naming every answer so far that was not as documented */
  verify(): void;
}

/**
 * The application with every answer held against the published document before it is sent. An answer that is not as
 * documented becomes 500 and fails `verify`.
 */
export function checkedApp(app: Express): CheckedApp {
  const faults = new Set<string>();
  const watched = new Proxy(app, {
    apply(target, _self, [request, response, ...rest]: [IncomingMessage, ServerResponse]) {
      watch(request, response, faults);
      return Reflect.apply(target, undefined, [request, response, ...rest]);
    },
  });
  return {
    app: watched,
    verify() {
      if (faults.size > 0) throw new Error(`Answers that are not as documented:\n${[...faults].join('\n')}`);
    },
  };
}

/** Looks at an answer when it ends; what was written before, as of a CSV or an event stream, is no JSON. */
function watch(request: IncomingMessage, response: ServerResponse, faults: Set<string>): void {
  const { method = '', url = '' } = request;
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.end = ((...args: unknown[]) => {
    const [chunk] = args;
    const sent = typeof chunk === 'string' || chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.of();
    const isPacked = response.getHeader('Content-Encoding') === 'gzip' && sent.length > 0;
    const body = (isPacked ? gunzipSync(sent) : sent).toString();
    const fault = PUBLISHED.faultOf({
      method,
      path: url,
      status: response.statusCode,
      headers: response.getHeaders(),
      body,
    });
    if (fault === undefined) return end(...args);
    faults.add(fault);
    if (response.headersSent) return end(...args);
    const answer = JSON.stringify({ success: false, message: fault });
    response.statusCode = 500;
    response.removeHeader('Content-Encoding');
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Content-Length', Buffer.byteLength(answer));
    return end(answer);
  }) as typeof response.end;
}
