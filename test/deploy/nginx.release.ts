import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { makeCertificate } from '../../scripts/webhook-receiver/certificate.ts';
import { createLoginLink } from '../../src/access/administer.ts';
import { createApp } from '../../src/app.ts';
import { type RunningServer, startServer } from '../../src/http/server/server.ts';
import { type ApiUser, type TestApi, testApi } from '../support/api.ts';
import { testWhere } from '../support/installed.ts';
import { hasNginx, type Nginx, startNginx } from '../support/servers/nginx.ts';
import { folderOf, read } from './known.ts';

const test = testWhere(hasNginx);
const [HOST, SHARED_HOST] = ['video.example.com', 'example.com'];

const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
const file = (name: string) => join(folder, name);
const opened: { stop(): Promise<unknown> }[] = [];
let certificate: string;
let api: TestApi;
let user: ApiUser;

/** The API at a port of its own, as `PUBLIC_URL` says where clients find it. */
async function serve(publicUrl: string, port = 0): Promise<RunningServer> {
  const context = { ...api.context, config: { ...api.context.config, publicUrl } };
  const app = createApp(context, { checkResponses: true });
  const server = await startServer(app, { host: '127.0.0.1', port, shutdownSeconds: 5 });
  opened.push(server);
  return server;
}
const portOf = ({ url }: RunningServer) => Number(new URL(url).port);

/** A configuration of `scripts/deploy/nginx` with the addresses of this test. */
const configured = (text: string, apis: readonly RunningServer[]) =>
  text
    .replaceAll('/etc/nginx/snippets/video-analytics.conf', resolve(folderOf('nginx/api.conf')))
    .replaceAll(/127\.0\.0\.1:808(\d)/g, (_, at) => `127.0.0.1:${portOf(apis[Number(at)]!)}`);

async function startHost(apis: readonly RunningServer[]): Promise<Nginx> {
  const site = configured(read('nginx/host.conf'), apis)
    .replaceAll(/\/etc\/ssl\/video\.example\.com\.(pem|key)/g, (_, kind) => file(`host.${kind}`))
    .replaceAll(/^ *listen \[::\].*$/gm, '');
  const nginx = await startNginx((port, own) =>
    site
      .replace('listen 80;', `listen unix:${own}/http.sock;`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`),
  );
  opened.push(nginx);
  return nginx;
}

async function startPath(apis: readonly RunningServer[]): Promise<Nginx> {
  const locations = configured(read('nginx/path.conf'), apis);
  const nginx = await startNginx(
    (port) => `server {
      listen 127.0.0.1:${port} ssl;
      server_name ${SHARED_HOST};
      ssl_certificate ${file('host.pem')};
      ssl_certificate_key ${file('host.key')};
      location / { return 200 "another site"; }
      ${locations}
    }`,
  );
  opened.push(nginx);
  return nginx;
}

interface Call {
  readonly method?: string;
  readonly headers?: IncomingHttpHeaders;
  readonly body?: Uint8Array | string;
}
interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request and gives the answer when it begins. @param isWhole whether the body is all that is sent */
function open(
  { port }: Pick<Nginx, 'port'>,
  { method = 'GET', headers = {}, body }: Call,
  { host, path, isWhole = true }: { host: string; path: string; isWhole?: boolean },
): Promise<IncomingMessage> {
  return new Promise((done, failed) => {
    const place = { host: '127.0.0.1', port, servername: host, path, ca: certificate, agent: false as const };
    const sent = request({ ...place, method, headers: { host, ...headers } }, done);
    sent.on('error', failed);
    if (body) sent.write(body);
    if (isWhole) sent.end();
  });
}

const caller =
  (nginx: Pick<Nginx, 'port'>, host: string) =>
  async (path: string, call: Call = {}): Promise<Answer> => {
    const answer = await open(nginx, call, { host, path });
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part as Buffer);
    const { statusCode, headers } = answer;
    return { status: statusCode!, headers, text: Buffer.concat(parts).toString() };
  };

const authorized = () => ({ authorization: `Bearer ${user.key}` });
const json = { 'content-type': 'application/json' };

beforeAll(async () => {
  if (!hasNginx) return;
  const made = await makeCertificate([HOST, SHARED_HOST]);
  certificate = made.certificate;
  writeFileSync(file('host.pem'), certificate);
  writeFileSync(file('host.key'), made.key);
  api = await testApi({ TRUST_PROXY: '1' });
  user = await api.user();
});
afterAll(async () => {
  for (const one of opened.reverse()) await one.stop();
  await api?.drop();
  rmSync(folder, { recursive: true });
});

describe('a host of its own', () => {
  let apis: RunningServer[];
  let nginx: Nginx;
  let call: ReturnType<typeof caller>;
  beforeAll(async () => {
    if (!hasNginx) return;
    apis = [await serve(`https://${HOST}`), await serve(`https://${HOST}`)];
    nginx = await startHost(apis);
    call = caller(nginx, HOST);
  });

  test('the page, its files and calls of the API pass', async () => {
    const page = await call('/');
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    for (const link of linksOf(page.text))
      expect([link, (await call(new URL(link, `https://${HOST}`).pathname)).status]).toEqual([link, 200]);
    expect((await call('/api/v1/devices', { headers: authorized() })).status).toBe(200);
    expect((await call('/api/v1/devices')).status).toBe(401);
  });

  test('what an event stream sends arrives while it is open', async () => {
    const path = '/api/v1/stream';
    const stream = await open(nginx, { headers: authorized() }, { host: HOST, path });
    expect(stream.headers['content-type']).toContain('text/event-stream');
    // A proxy that holds answers back passes this on hours later, when signs of life have filled its memory.
    const [first] = (await once(stream, 'data')) as [Buffer];
    stream.destroy();
    expect(first.toString()).toMatch(/^retry: \d+/);
  });

  test('an upload of more than a megabyte is stored', async () => {
    const clip = readFileSync('test/support/clips/two-seconds.mp4');
    // A box that players leave out.
    const free = Buffer.alloc(3 * 1024 * 1024);
    free.writeUInt32BE(free.length);
    free.write('free', 4);
    const answer = await call('/api/v1/recordings?recordedAt=2026-11-20T09:00:00Z&timezone=UTC', {
      method: 'POST',
      headers: { ...authorized(), 'content-type': 'application/octet-stream' },
      body: Buffer.concat([clip, free]),
    });
    expect([answer.status, JSON.parse(answer.text).data?.sizeBytes]).toEqual([
      201,
      clip.length + free.length,
    ]);
  });

  test('an upload reaches the API before it has all come, up to RECORDING_MAX_BYTES', async () => {
    const begin = (gigabytes: number) =>
      open(
        nginx,
        {
          method: 'POST',
          headers: {
            'content-type': 'application/octet-stream',
            'content-length': String(gigabytes * 2 ** 30),
          },
          body: Buffer.alloc(1024),
        },
        { host: HOST, path: '/api/v1/recordings?recordedAt=2026-11-20T09:00:00Z', isWhole: false },
      );
    // Only the API knows that there is no key.
    const refused = await begin(4);
    expect(refused.statusCode).toBe(401);
    refused.destroy();
    const tooLarge = await begin(5);
    expect([tooLarge.statusCode, tooLarge.headers.server]).toEqual([413, expect.stringContaining('nginx')]);
    tooLarge.destroy();
  });

  test('nobody chooses the address by which they are counted and audited, or the host that the API sees', async () => {
    const forged = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      forwarded: 'for=203.0.113.9;host=evil.example',
    };
    const { email } = await api.context.db.user.findUniqueOrThrow({ where: { id: user.userId } });
    const { code } = await createLoginLink(api.context, email, { role: 'owner', screen: false });
    const signedIn = await call('/api/v1/session', {
      method: 'POST',
      headers: { ...json, ...forged },
      body: JSON.stringify({ code }),
    });
    expect(signedIn.status).toBe(200);
    const [set] = signedIn.headers['set-cookie']!;
    expect(set).toMatch(/^__Host-vas=.*; Secure/);
    const audited = await api.context.db.auditEntry.findFirstOrThrow({
      where: { userId: user.userId, action: 'signed_in' },
    });
    expect(audited.networkAddress).toBe('127.0.0.1');

    const cookie = set!.split(';')[0]!;
    const rename = async (origin: string) =>
      (
        await call('/api/v1/users/me', {
          method: 'PATCH',
          headers: { ...json, ...forged, cookie, origin },
          body: JSON.stringify({ name: 'Ada' }),
        })
      ).status;
    expect(await rename(`https://${HOST}`)).toBe(200);
    expect(await rename('https://evil.example')).toBe(403);
  });

  test('APIs that restart one after the other lose no call', async () => {
    let isOver = false;
    const statuses: number[] = [];
    const client = (async () => {
      while (!isOver) {
        const made = await Promise.all([
          call('/api/v1/scenes', { headers: authorized() }),
          call('/api/v1/devices', {
            method: 'POST',
            headers: { ...authorized(), ...json },
            body: JSON.stringify({ name: 'Till', streamUrl: 'sim:shop?seed=1' }),
          }),
        ]);
        statuses.push(...made.map(({ status }) => status));
      }
    })();
    const answered = async (more: number) => {
      const until = statuses.length + more;
      while (statuses.length < until) await call('/healthz');
    };
    await answered(10);
    for (const [at, one] of apis.entries()) {
      await one.stop();
      await answered(10);
      apis[at] = await serve(`https://${HOST}`, portOf(one));
      await answered(10);
    }
    isOver = true;
    await client;
    expect([...new Set(statuses)].sort()).toEqual([200, 201]);
  });
});

describe('below a path of a host', () => {
  const PUBLIC = `https://${SHARED_HOST}/video`;
  let call: ReturnType<typeof caller>;
  beforeAll(async () => {
    if (!hasNginx) return;
    call = caller(await startPath([await serve(PUBLIC)]), SHARED_HOST);
  });

  /** The path to which a redirect leads. */
  const target = (from: string, { headers }: Answer) =>
    new URL(headers.location!, `https://${SHARED_HOST}${from}`).pathname;

  test('the page and all of its files are below the path', async () => {
    expect(target('/video', await call('/video'))).toBe('/video/');
    const page = await call('/video/');
    expect(page.status).toBe(200);
    const links = linksOf(page.text);
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) {
      const { pathname } = new URL(link, `${PUBLIC}/`);
      expect(pathname).toMatch(/^\/video\//);
      expect([pathname, (await call(pathname)).status]).toEqual([pathname, 200]);
    }
    expect((await call('/')).text).toBe('another site');
  });

  test('the description of the API is below the path, and calls the API there', async () => {
    const docs = await call('/video/docs/');
    expect(target('/video/docs/', docs)).toBe('/video/docs');
    for (const link of linksOf((await call('/video/docs')).text))
      expect([link, (await call(new URL(link, `${PUBLIC}/docs`).pathname)).status]).toEqual([link, 200]);
    const document = JSON.parse((await call('/video/api/v1/openapi.json')).text);
    expect(document.servers).toEqual([{ url: `${PUBLIC}/api/v1` }]);
    expect((await call('/video/api/v1/devices', { headers: authorized() })).status).toBe(200);
  });
});

/** The files that a page names. */
const linksOf = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="([^"#]+)"/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^https?:/.test(link));
