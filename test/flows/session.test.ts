import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLoginLink, deleteUser } from '../../src/access/administer.ts';
import { makeSetupCode } from '../../src/access/sign-in/set-up.ts';
import { createApp } from '../../src/app.ts';
import { type RunningServer, startServer } from '../../src/http/server/server.ts';
import { loadConfig } from '../../src/platform/config.ts';
import type { Context } from '../../src/platform/context.ts';
import { type TestApi, TestClock, testApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { Browser, exchange, replyOf } from './browser.ts';

const EMAIL = 'ada@example.com';
const PASSWORD = 'seven tills on a rainy day';
const clock = new TestClock();
let api: TestApi;
let server: RunningServer;
/** The browser of the first administrator. */
let ada: Browser;

const serve = (context: Context) =>
  startServer(createApp(context, { checkResponses: true, heartbeatMs: 20 }), {
    host: '127.0.0.1',
    port: 0,
    shutdownSeconds: 1,
  });

beforeAll(async () => {
  api = await testApi({}, clock);
  server = await serve(api.context);
  ada = new Browser({ url: server.url });
});
afterAll(async () => {
  await server?.stop();
  await api?.drop();
});

const browser = () => new Browser({ url: server.url });
const codeFor = async (role: string, kind = 'person'): Promise<string> =>
  (await ada.call('POST', '/login-codes', { kind, role })).body.data.code;
const withKey = (key: string, path: string) =>
  exchange(server.url, { path: `/api/v1${path}`, headers: { authorization: `Bearer ${key}` } }).then(replyOf);

describe('the first administrator', () => {
  test('is created once, by one of two calls with the codes of two APIs', async () => {
    expect((await browser().call('GET', '/setup')).body.data).toEqual({ needed: true });
    const [first, second] = [await makeSetupCode(api.context), await makeSetupCode(api.context)];
    const body = { email: EMAIL, password: PASSWORD, timezone: 'Europe/Berlin' };
    const wrong = await browser().call('POST', '/setup', { ...body, code: 'aaaaa-bbbbb-ccccc-ddddd-eeeee' });
    expect([wrong.status, wrong.body.message]).toEqual([401, expect.stringContaining('terminal of the API')]);

    const browsers = [ada, browser()];
    const answers = await Promise.all(
      browsers.map((each, at) => each.call('POST', '/setup', { ...body, code: [first, second][at] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404]);
    if (answers[0]!.status !== 201) ada = browsers[1]!;
    expect(await api.context.db.user.count()).toBe(1);
    expect(await api.context.db.setupCode.count()).toBe(0);
  });

  test('is signed in by it, with the scope admin, and nobody is set up again', async () => {
    const { body } = await ada.call('GET', '/session');
    expect(body.data.user).toMatchObject({ email: EMAIL, isAdmin: true, timezone: 'Europe/Berlin' });
    expect(body.data.scopes).toContain('admin');
    expect(body.data.session).toMatchObject({ role: 'owner', kind: 'person', lastAddress: '127.0.0.1' });
    expect((await ada.call('GET', '/admin/users')).status).toBe(200);
    expect(await makeSetupCode(api.context)).toBeNull();
    expect((await browser().call('GET', '/setup')).status).toBe(404);
    expect((await browser().call('GET', '/setup?orNothing=true')).status).toBe(204);
    const again = { code: 'aaaaa-bbbbb-ccccc-ddddd-eeeee', email: 'b@example.com', password: PASSWORD };
    expect((await browser().call('POST', '/setup', again)).status).toBe(404);
  });
});

describe('a person with a password', () => {
  test('signs in and out; the cookie is for scripts invisible and not for other sites', async () => {
    const phone = browser();
    // Phones write the first letter large.
    const { status, body } = await phone.call('POST', '/session', {
      email: 'Ada@example.com',
      password: PASSWORD,
    });
    expect([status, body.data.session.method]).toEqual([200, 'password']);
    expect(phone.received.at(-1)).toMatch(
      /^vas=[\w-]{43}; Max-Age=34560000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    expect((await phone.call('GET', '/scenes')).status).toBe(200);
    expect((await phone.call('POST', '/devices', { name: 'C', streamUrl: 'sim:shop?seed=1' })).status).toBe(
      201,
    );
    const { cookie } = phone;
    expect((await phone.call('DELETE', '/session')).status).toBe(204);
    expect(phone.cookies.has('vas')).toBe(false);
    clock.forward(10);
    const stolen = await browser().call('GET', '/scenes', undefined, { cookie });
    expect([stolen.status, stolen.body.message]).toEqual([401, expect.stringContaining('POST /session')]);
  });

  test('gets the same answer for a wrong password and an unknown address', async () => {
    const wrong = await browser().call('POST', '/session', { email: EMAIL, password: 'wrong' });
    const unknown = await browser().call('POST', '/session', {
      email: 'nobody@example.com',
      password: 'wrong',
    });
    expect([wrong.status, wrong.body.message]).toEqual([401, 'The e-mail address or the password is wrong']);
    expect([unknown.status, unknown.body.message]).toEqual([wrong.status, wrong.body.message]);
    expect(wrong.headers['set-cookie']).toBeUndefined();
  });
});

describe('a one-time code', () => {
  test('begins one session with its role, whoever is first', async () => {
    const code = await codeFor('viewer');
    const phones = [browser(), browser(), browser()];
    // People type it as they like.
    const answers = await Promise.all(
      phones.map((phone) =>
        phone.call('POST', '/session', { code: code.toUpperCase().replaceAll('-', ' ') }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const phone = phones[answers.findIndex(({ status }) => status === 200)]!;
    expect((await phone.call('GET', '/devices')).status).toBe(200);
    const refused = await phone.call('POST', '/devices', { name: 'C', streamUrl: 'sim:shop?seed=1' });
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'This session does not have the scope device:write',
    ]);
    expect((await phone.call('PATCH', '/users/me', { password: 'another long password' })).status).toBe(403);
    expect((await phone.call('POST', '/session', { code })).status).toBe(401);
  });

  test('is worth nothing after five minutes, or after the session that made it was revoked', async () => {
    const late = await codeFor('viewer');
    clock.forward(5 * 60);
    expect((await browser().call('POST', '/session', { code: late })).status).toBe(401);
    const other = browser();
    await other.call('POST', '/session', { code: await codeFor('owner') });
    const { code } = (await other.call('POST', '/login-codes', { kind: 'person', role: 'viewer' })).body.data;
    const { id } = (await other.call('GET', '/session')).body.data.session;
    expect((await ada.call('DELETE', `/sessions/${id}`)).status).toBe(204);
    expect((await browser().call('POST', '/session', { code })).status).toBe(401);
  });

  test('of the command line signs in, also as administrator, and lets the person set a password', async () => {
    const { code, path } = await createLoginLink(api.context, EMAIL, { role: 'owner', screen: false });
    expect(path).toBe(`/#/enter?code=${code}`);
    const laptop = browser();
    const { body } = await laptop.call('POST', '/session', { code });
    expect(body.data.scopes).toContain('admin');
    expect((await laptop.call('PATCH', '/users/me', { password: PASSWORD })).status).toBe(200);
    // Setting it has ended the other sessions.
    clock.forward(10);
    expect((await ada.call('GET', '/session')).status).toBe(401);
    ada = laptop;
  });

  test('for a screen begins a session without an end', async () => {
    const wall = browser();
    await wall.call('POST', '/session', { code: await codeFor('viewer', 'screen') });
    clock.forward(400 * 86_400);
    expect((await wall.call('GET', '/session')).body.data.session).toMatchObject({
      kind: 'screen',
      expiresAt: null,
    });
    // A person's session that was not used for thirty days has ended.
    expect((await ada.call('GET', '/session')).status).toBe(401);
    await ada.call('POST', '/session', { email: EMAIL, password: PASSWORD });
  });
});

describe('a revoked session', () => {
  test('ends its event streams', async () => {
    const phone = browser();
    const { body } = await phone.call('POST', '/session', { code: await codeFor('viewer') });
    const headers = phone.headers();
    const stream = await exchange(server.url, { path: '/api/v1/stream', headers });
    let text = '';
    let hasEnded = false;
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    stream.once('end', () => {
      hasEnded = true;
    });
    await eventually('two heartbeats', () => text.split(': alive').length > 2);
    expect([stream.statusCode, text.slice(0, 7)]).toEqual([200, 'retry: ']);
    expect((await ada.call('DELETE', `/sessions/${body.data.session.id}`)).status).toBe(204);
    clock.forward(10);
    await eventually('the end of the stream', () => hasEnded);
    const listed = (await ada.call('GET', '/sessions')).body.data as { id: string; isCurrent: boolean }[];
    expect(listed.map(({ id }) => id)).not.toContain(body.data.session.id);
    expect(listed.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
  });

  test('leaves the API keys that it made; the session of a key ends with the key', async () => {
    const laptop = browser();
    await laptop.call('POST', '/session', { code: await codeFor('owner') });
    const scopes = ['scene:read', 'key:manage'];
    const { key, id } = (await laptop.call('POST', '/api-keys', { name: 'k', scopes })).body.data;
    const admin = await laptop.call('POST', '/api-keys', { name: 'k', scopes: ['admin'] });
    expect(admin.status).toBe(403);
    await laptop.call('DELETE', '/session');
    clock.forward(10);
    expect((await withKey(key, '/scenes')).status).toBe(200);

    const tablet = browser();
    const { body } = await tablet.call('POST', '/session', { apiKey: key });
    expect(body.data.scopes).toEqual(scopes);
    const child = (await tablet.call('POST', '/api-keys', { name: 'c', scopes: ['scene:read'] })).body.data;
    const { code } = (await tablet.call('POST', '/login-codes', { kind: 'person', scopes: ['scene:read'] }))
      .body.data;
    const phone = browser();
    expect((await phone.call('POST', '/session', { code })).status).toBe(200);
    expect((await ada.call('DELETE', `/api-keys/${id}`)).status).toBe(204);
    clock.forward(10);
    for (const each of [tablet, phone]) expect((await each.call('GET', '/scenes')).status).toBe(401);
    expect((await withKey(child.key, '/scenes')).status).toBe(401);
  });
});

describe('places', () => {
  /** An API with other settings over the same database. */
  async function within(environment: NodeJS.ProcessEnv, work: (url: string) => Promise<void>) {
    const { databaseUrl } = api.context.config;
    const config = loadConfig({
      NODE_ENV: 'test',
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'silent',
      ...environment,
    });
    const other = await serve({ ...api.context, config });
    await work(other.url).finally(() => other.stop());
  }

  async function signsIn(place: Browser): Promise<string[]> {
    expect((await place.call('POST', '/session', { code: await codeFor('owner') })).status).toBe(200);
    expect((await place.call('GET', '/session')).status).toBe(200);
    expect((await place.call('POST', '/login-codes', { kind: 'person', role: 'viewer' })).status).toBe(201);
    const names = [...place.cookies.keys()];
    expect((await place.call('DELETE', '/session')).status).toBe(204);
    expect(place.cookies.size).toBe(0);
    return names;
  }

  test('plain http at an address of the local network, where browsers do not send Sec-Fetch-Site', async () => {
    const lan = new Browser({ url: server.url, shown: 'http://192.168.1.5:8080', saysSite: false });
    expect(await signsIn(lan)).toEqual(['vas']);
  });

  test('https behind a proxy', async () => {
    await within({ TRUST_PROXY: '1' }, async (url) => {
      const added = { 'x-forwarded-proto': 'https' };
      const proxied = new Browser({ url, shown: 'https://shop.example.com', added });
      expect(await signsIn(proxied)).toEqual(['__Host-vas']);
      expect(proxied.received[0]).toMatch(/; HttpOnly; Secure; SameSite=Strict$/);
    });
  });

  test('https behind a proxy that says nothing, by the host of PUBLIC_URL', async () => {
    await within({ PUBLIC_URL: 'https://shop.example.com' }, async (url) => {
      const shown = 'https://shop.example.com';
      expect(await signsIn(new Browser({ url, shown }))).toEqual(['__Host-vas']);
      // The same API over the local network.
      expect(await signsIn(new Browser({ url, shown: 'http://192.168.1.5:8080' }))).toEqual(['vas']);
    });
  });

  test('below a path of a proxy', async () => {
    const proxy = createServer((incoming, outgoing) => {
      const { method, headers, url = '' } = incoming;
      const passed = forward(`${server.url}${url.replace(/^\/video/, '')}`, { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(passed);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    try {
      expect(await signsIn(new Browser({ url, shown: `${url}/video` }))).toEqual(['vas']);
    } finally {
      proxy.close();
    }
  });
});

describe('hostile requests', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
  const EVIL = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };

  test.each<[string, string, Record<string, string | undefined>, number, string]>([
    ['a form of another site', 'POST', { ...EVIL, ...FORM }, 403, 'CROSS_ORIGIN'],
    ['fetch of another site', 'POST', EVIL, 403, 'CROSS_ORIGIN'],
    [
      'an old browser at another site',
      'POST',
      { origin: EVIL.origin, 'sec-fetch-site': undefined },
      403,
      'CROSS_ORIGIN',
    ],
    [
      'another port of this host',
      'POST',
      { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
      403,
      'CROSS_ORIGIN',
    ],
    ['a sandboxed page', 'POST', { origin: 'null', 'sec-fetch-site': undefined }, 403, 'CROSS_ORIGIN'],
    [
      'neither Origin nor Sec-Fetch-Site',
      'POST',
      { origin: undefined, 'sec-fetch-site': undefined },
      403,
      'CROSS_ORIGIN',
    ],
    ['an image of another site', 'GET', { 'sec-fetch-site': 'cross-site' }, 403, 'CROSS_ORIGIN'],
    ['an image of another port', 'GET', { 'sec-fetch-site': 'same-site' }, 403, 'CROSS_ORIGIN'],
    ['a body that is text', 'POST', { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a body that is a form', 'POST', FORM, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a wrong key beside the cookie', 'GET', { authorization: 'Bearer vas_x' }, 401, 'UNAUTHORIZED'],
    ['only the cookie of https', 'GET', { cookie: `__Host-vas=${'a'.repeat(43)}` }, 401, 'UNAUTHORIZED'],
  ])('%s is refused', async (_what, method, headers, status, code) => {
    const rows = await api.context.db.apiKey.count();
    const body = method === 'POST' ? { name: 'k', scopes: ['scene:read'] } : undefined;
    const { status: answered, body: answer } = await ada.call(method, '/api-keys', body, headers);
    expect([answered, answer.error?.code]).toEqual([status, code]);
    expect(await api.context.db.apiKey.count()).toBe(rows);
  });

  test('a form is refused also by a call that reads no body', async () => {
    const sent = await ada.call('POST', '/users/me/webhook/secret/regenerate', { a: 1 }, FORM);
    expect([sent.status, sent.body.error?.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test('nobody is signed in by a page of another site, but by a program', async () => {
    const body = { code: await codeFor('viewer') };
    expect((await browser().call('POST', '/session', body, EVIL)).body.error?.code).toBe('CROSS_ORIGIN');
    const headers = { origin: undefined, 'sec-fetch-site': undefined };
    expect((await browser().call('POST', '/session', body, headers)).status).toBe(200);
  });

  test('both cookies: the scheme decides; the same cookie twice counts as none', async () => {
    const { cookie } = ada;
    const both = await ada.call('GET', '/session', undefined, {
      cookie: `__Host-vas=${'a'.repeat(43)}; ${cookie}`,
    });
    expect(both.status).toBe(200);
    const twice = await ada.call('GET', '/session', undefined, {
      cookie: `vas=${'a'.repeat(43)}; ${cookie}`,
    });
    expect(twice.status).toBe(401);
  });

  test('malformed and huge cookies change nothing', async () => {
    const odd = [
      'vas',
      'vas=',
      'vas=%00',
      `vas=${'a'.repeat(10_000)}`,
      ';;;=;',
      'vas="x"',
      `${'a='.repeat(3000)}`,
    ];
    for (const cookie of odd) {
      expect([
        cookie.slice(0, 20),
        (await ada.call('GET', '/session', undefined, { cookie })).status,
      ]).toEqual([cookie.slice(0, 20), 401]);
    }
    const huge = await ada.call('GET', '/session', undefined, { cookie: `vas=${'a'.repeat(100_000)}` }).then(
      ({ status }) => status,
      () => 'closed',
    );
    expect([431, 'closed']).toContain(huge);
    expect((await ada.call('GET', '/session')).status).toBe(200);
  });
});

test('the session of an erased user opens nothing', async () => {
  const { userId } = await api.user();
  const email = (await api.context.db.user.findUniqueOrThrow({ where: { id: userId } })).email;
  const { code } = await createLoginLink(api.context, email, { role: 'owner', screen: false });
  const unused = await createLoginLink(api.context, email, { role: 'owner', screen: false });
  const phone = browser();
  expect((await phone.call('POST', '/session', { code })).status).toBe(200);
  await deleteUser(api.context, email);
  clock.forward(10);
  expect((await phone.call('GET', '/scenes')).status).toBe(401);
  expect((await phone.call('POST', '/session', { code: unused.code })).status).toBe(401);
  expect(await api.context.db.session.count({ where: { userId } })).toBe(0);
});
