import { once } from 'node:events';
import { Agent, createServer, type Server } from 'node:http';
import type { Express } from 'express';
import request, { type Test } from 'supertest';
import { createKey } from '../../src/access/create-key.ts';
import { createApp } from '../../src/app.ts';
import { SCOPES, type Scope } from '../../src/http/permission.ts';
import { openChat } from '../../src/platform/chat/chat-client.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { loadConfig } from '../../src/platform/config.ts';
import type { Context } from '../../src/platform/context.ts';
import { Sealer } from '../../src/platform/crypto.ts';
import { LocalImages } from '../../src/platform/images/local-images.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { checkedApp } from './checked-app.ts';
import { testDatabase } from './database.ts';
import { FFMPEG_PATHS } from './ffmpeg.ts';
import { testShared } from './shared.ts';

type Verb = 'get' | 'post' | 'patch' | 'put' | 'delete';

/** A user with a key, and calls in its name: `user.get('/scenes')`. */
export interface ApiUser extends Record<Verb, (path: string, body?: object) => Test> {
  readonly userId: string;
  readonly key: string;
}

export interface TestApi {
  readonly app: Express;
  readonly context: Context;
  /** Where its images are; for a worker beside it. */
  readonly imagesDir: string;
  /** @param scopes all but `admin` where not told */
  user(scopes?: readonly Scope[]): Promise<ApiUser>;
  /** Sends without a key. */
  readonly nobody: Record<Verb, (path: string, body?: object) => Test>;
  drop(): Promise<void>;
}

/** A clock the test sets; it stands still. */
export class TestClock implements Clock {
  time = new Date();
  now(): Date {
    return this.time;
  }
  forward(seconds: number): void {
    this.time = new Date(this.time.getTime() + seconds * 1000);
  }
}

const EVERY_SCOPE = (Object.keys(SCOPES) as Scope[]).filter((scope) => scope !== 'admin');

function caller(
  { server, agent }: Listening,
  key?: string,
): Record<Verb, (path: string, body?: object) => Test> {
  const call = (verb: Verb) => (path: string, body?: object) => {
    const test = request(server)[verb](`/api/v1${path}`).agent(agent);
    if (key) test.set('Authorization', `Bearer ${key}`);
    return body ? test.send(body) : test;
  };
  return {
    get: call('get'),
    post: call('post'),
    patch: call('patch'),
    put: call('put'),
    delete: call('delete'),
  };
}

/** One server and its connections for all calls: starting one for each call costs half as much as the call itself. */
interface Listening {
  readonly server: Server;
  readonly agent: Agent;
}

async function listen(app: Express): Promise<Listening> {
  const server = createServer(app);
  // A connection that the server closes while the next call begins would fail it.
  server.keepAliveTimeout = 0;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, agent: new Agent({ keepAlive: true }) };
}

/** The whole API over a database of its own; every answer is held against the published OpenAPI document. */
export async function testApi(
  environment: NodeJS.ProcessEnv = {},
  clock: Clock = new TestClock(),
): Promise<TestApi> {
  const { db, url, imagesDir, drop } = await testDatabase();
  const config = loadConfig({
    NODE_ENV: 'test',
    DATABASE_URL: url,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_MINUTE: '1000000',
    KEYLESS_RATE_LIMIT_PER_MINUTE: '1000000',
    AUTH_FAILURES_PER_MINUTE: '1000000',
    // E-mails wait in the database until a test sends them.
    SMTP_URL: 'smtp://localhost:9',
    MAIL_FROM: 'video@example.com',
    FFMPEG_PATH: FFMPEG_PATHS.ffmpegPath,
    FFPROBE_PATH: FFMPEG_PATHS.ffprobePath,
    ...environment,
  });
  const context: Context = {
    config,
    db,
    clock,
    logger: createLogger({ level: config.logLevel, program: 'test' }),
    sealer: new Sealer([{ id: 'test', key: Buffer.alloc(32, 1) }]),
    images: new LocalImages(imagesDir),
    chat: openChat(config, clock),
    shared: testShared(config),
    urlSigningKey: 'a key for tests that is long enough',
    passwordCost: { logN: 4, r: 8, p: 1 },
  };
  const { app, verify } = checkedApp(createApp(context, { checkResponses: true }));
  const listening = await listen(app);
  let users = 0;
  return {
    app,
    context,
    imagesDir,
    nobody: caller(listening),
    async user(scopes = EVERY_SCOPE) {
      users += 1;
      const { id } = await db.user.create({ data: { email: `user${users}@example.com` } });
      const { key } = await createKey(db, { userId: id, name: 'test', scopes });
      return { userId: id, key, ...caller(listening, key) };
    },
    async drop() {
      listening.agent.destroy();
      listening.server.close().closeAllConnections();
      await drop();
      verify();
    },
  };
}

/** `[status, error code]`: what most tests look at. */
export const codeOf = ({ status, body }: { status: number; body: unknown }): [number, string | undefined] => [
  status,
  (body as { error?: { code: string } } | undefined)?.error?.code,
];

export const SHOP = { name: 'Shop', streamUrl: 'sim:shop?seed=1' };

export const QUEUE_ZONE = {
  type: 'polygon',
  points: [
    [0.1, 0.1],
    [0.9, 0.1],
    [0.9, 0.9],
  ],
};

/** A device of the user and a scene on it. */
export async function shopOf(user: ApiUser): Promise<{ deviceId: string; sceneId: string }> {
  const device = await user.post('/devices', SHOP);
  const sceneBody = { deviceId: device.body.data.id, name: 'Till', analysisType: 'queue_analysis' };
  const scene = await user.post('/scenes', { ...sceneBody, config: { zones: { queueZone: QUEUE_ZONE } } });
  return { deviceId: device.body.data.id, sceneId: scene.body.data.id };
}
