import type { Express } from 'express';
import pino from 'pino';
import { createHttpApp } from '../../src/http/app.ts';
import { openApiDocument } from '../../src/http/openapi/openapi.ts';
import type { Authenticate, Caller } from '../../src/http/permission.ts';
import type { Route } from '../../src/http/route.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { Sealer } from '../../src/platform/crypto.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { LocalImages } from '../../src/platform/images/local-images.ts';
import type { Answer } from '../../src/platform/prometheus.ts';
import type { ReadinessChecks } from '../../src/platform/readiness.ts';
import { testShared } from '../support/shared.ts';

const CALLER: Caller = {
  userId: '11111111-1111-1111-1111-111111111111',
  credentialId: '22222222-2222-2222-2222-222222222222',
  keyId: '22222222-2222-2222-2222-222222222222',
  sessionId: null,
  scopes: new Set(['scene:read', 'scene:write'] as const),
};

export interface KitOptions {
  readonly environment?: NodeJS.ProcessEnv;
  readonly ready?: ReadinessChecks;
  readonly logLines?: string[];
  readonly db?: Db;
  readonly authenticate?: Authenticate;
  /** Between two signs of life of an event stream. */
  readonly heartbeatMs?: number;
  readonly stuckMs?: number;
  readonly stopping?: AbortSignal;
  readonly observe?: (answer: Answer) => void;
}

export const authenticate: Authenticate = async ({ authorization }) =>
  authorization === 'Bearer good' ? CALLER : null;

/** The HTTP kit around routes of the test: no feature, no database. The key is `good`. */
export function kit(routes: readonly Route[], options: KitOptions = {}): Express {
  const logLines = options.logLines ?? [];
  const context = {
    config: loadConfig({ NODE_ENV: 'test', ...options.environment }),
    db: options.db ?? (undefined as never),
    logger: pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) }),
    clock: systemClock,
    sealer: new Sealer([{ id: 'test', key: Buffer.alloc(32) }]),
    images: new LocalImages('/nowhere'),
    chat: null,
    shared: testShared(loadConfig({})),
    urlSigningKey: 'a key for tests that is long enough',
  };
  return createHttpApp({
    context,
    routes,
    document: () => openApiDocument({ routes, tags: [], glossary: {}, version: '1', publicUrl: '' }),
    authenticate: options.authenticate ?? authenticate,
    ready: options.ready ?? {},
    checkResponses: true,
    ...(options.heartbeatMs && { heartbeatMs: options.heartbeatMs }),
    ...(options.stuckMs && { stuckMs: options.stuckMs }),
    ...(options.stopping && { stopping: options.stopping }),
    observe: options.observe,
  });
}

/** `[status, error code]`: what most tests look at. */
export const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
  status,
  body.error?.code,
];
