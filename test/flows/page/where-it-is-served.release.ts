import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLoginLink } from '../../../src/access/administer.ts';
import { addRows, type Rows } from '../../contract/rows.ts';
import type { ApiUser } from '../../support/api.ts';
import { type Site, startSite } from '../../support/page/browser.ts';
import { placesOf, settled, visit } from '../../support/page/screens.ts';
import { LAN_HOST, OTHER_HOST } from '../../support/page/worker-chromium.ts';
import { IS_THOROUGH } from '../../support/thorough.ts';

const PREFIX = '/shops/vision';

let site: Site;
let owner: ApiUser;
let rows: Rows;
let proxy: Server;
const strays: string[] = [];
let hostile: Server;
beforeAll(async () => {
  site = await startSite();
  owner = await site.api.user();
  rows = await addRows(site.api.context, owner.userId);
  proxy = createServer((incoming, answer) => {
    const { url = '', method, headers } = incoming;
    if (!url.startsWith(`${PREFIX}/`)) {
      strays.push(url);
      answer.writeHead(404).end();
      return;
    }
    const sent = forward(`${site.url}${url.slice(PREFIX.length)}`, { method, headers }, (back) => {
      answer.writeHead(back.statusCode!, back.headers);
      back.pipe(answer);
    });
    sent.on('error', () => answer.destroy());
    answer.on('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  hostile = createServer((_request, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Prizes</title>');
  });
  for (const server of [proxy, hostile])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
});
afterAll(async () => {
  for (const server of [proxy, hostile]) {
    server?.closeAllConnections();
    server?.close();
  }
  await site?.stop();
});

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const codeOf = async (): Promise<string> => {
  const { email } = await site.api.context.db.user.findUniqueOrThrow({ where: { id: owner.userId } });
  return (await createLoginLink(site.api.context, email, { role: 'owner', screen: false })).code;
};

/** By plain http and a name of the local network: browsers call that no secure context. */
const lanAddress = () => site.url.replace('127.0.0.1', LAN_HOST);

describe.each([
  [
    `below a path of a proxy, ${IS_THOROUGH ? 'all' : 'some'} screens`,
    () => `http://${LAN_HOST}:${portOf(proxy)}${PREFIX}`,
    () => placesOf(rows).filter((place, at) => !place.startsWith('/admin') && (IS_THOROUGH || at % 4 === 0)),
  ],
  ['at the service itself, the first screens', lanAddress, () => ['/cameras', '/feed']],
])('over plain http, by a name of the local network, %s', (_name, addressOf, places) => {
  test('somebody signs in, screens open, and the session holds', async () => {
    const address = addressOf();
    const page = await site.openPage({ url: address, path: `/enter?code=${await codeOf()}`, width: 'wide' });
    await page.getByRole('navigation').first().waitFor();
    const failed: string[] = [];
    page.on('response', (response) => {
      if ([401, 403, 500].includes(response.status())) failed.push(`${response.status()} ${response.url()}`);
    });
    for (const place of places()) await visit(page, place);
    await visit(page, '/');
    await page.reload();
    await settled(page);
    await page.getByRole('navigation').first().waitFor();
    expect({ failed, strays }).toEqual({ failed: [], strays: [] });
    // A write goes through, too: its page and the host agree.
    const status = await page.evaluate(
      `fetch('api/v1/users/me', { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: '{"name":"Ada"}' }).then((answer) => answer.status)`,
    );
    expect(status).toBe(200);
  });
});

describe('a page of somebody else', () => {
  test.each([
    ['of another site', OTHER_HOST],
    ['at another port of the same host', LAN_HOST],
  ])('%s cannot write, and reads nothing', async (_name, host) => {
    const address = lanAddress();
    // A context of its own: the browser writes there what it refuses.
    const context = await site.browser.newContext();
    await context.addCookies([
      { name: 'vas', value: await site.signIn(owner), url: address, sameSite: 'Strict' },
    ]);
    const { db } = site.api.context;
    const before = await db.device.count();
    const statuses: number[] = [];
    context.on('response', (response) => {
      if (response.url().includes('/api/v1/')) statuses.push(response.status());
    });
    const other = await context.newPage();
    await other.goto(`http://${host}:${portOf(hostile)}/`);
    const body = JSON.stringify({ name: 'Theirs', streamUrl: 'sim:shop?seed=1' });
    const read = await other.evaluate(
      `(async ([api, body]) => {
        const options = { method: 'POST', credentials: 'include', body };
        const outcomes = [
          await fetch(api + '/devices', { ...options, mode: 'no-cors' }).catch((error) => error),
          await fetch(api + '/devices', { ...options, headers: { 'Content-Type': 'application/json' } }).catch((error) => error),
          await fetch(api + '/devices', { credentials: 'include' }).catch((error) => error),
        ];
        const form = document.createElement('form');
        form.method = 'post';
        form.enctype = 'text/plain';
        form.action = api + '/devices';
        document.body.append(form);
        const image = new Image();
        await new Promise((resolve) => {
          image.onload = image.onerror = resolve;
          image.src = api + '/devices/${rows.device}/frame';
        });
        return [outcomes.map((outcome) => outcome.name), image.naturalWidth];
      })(${JSON.stringify([`${address}/api/v1`, body])})`,
    );
    expect(read).toEqual([['TypeError', 'TypeError', 'TypeError'], 0]);
    await Promise.all([other.waitForNavigation(), other.evaluate(`document.forms[0].submit()`)]);
    expect(await db.device.count()).toBe(before);
    expect(statuses.filter((status) => status < 400 && status !== 204)).toEqual([]);
    // Browsers send the cookie to another port of its host, but not to another site.
    expect(statuses).toContainEqual(host === LAN_HOST ? 403 : 401);
    await context.close();
  });
});

test('signing out ends the session and leads to the sign-in, also after going back', async () => {
  const page = await site.openPage({ user: owner, width: 'wide' });
  await settled(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.context().cookies()).toEqual([]);
  await page.goBack().catch(() => null);
  await page.goto(`${site.url}/#/cameras`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});
