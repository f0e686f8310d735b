import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { overrideQuota } from '../../../src/billing/admin/administer-quota.ts';
import { Discoveries } from '../../../src/cameras/discovery/discoveries.ts';
import type { ApiUser } from '../../support/api.ts';
import {
  checkAccessible,
  checkFitsPhone,
  checkLooks,
  type PageOptions,
  type Site,
  startSite,
} from '../../support/page/browser.ts';
import { cameraPicture } from '../../support/page/camera-picture.ts';
import { addNode } from '../../support/rows/runs.ts';
import { CAMERA_LOGIN, startOnvifCamera } from '../../support/servers/onvif-camera.ts';

/** A camera of a test, on an address of this machine. */
const CAMERA = '127.0.3.7';
const HOSTILE = '<img src=x onerror=alert(1)>';
const since = '2026-11-23T10:00:00.000Z';

let site: Site;
let user: ApiUser;
beforeAll(async () => {
  site = await startSite({ environment: { STREAM_ALLOW_HOSTS: CAMERA }, still: await cameraPicture() });
  user = await site.api.user();
});
afterAll(() => site?.stop());

const db = () => site.api.context.db;

async function addCamera(of: ApiUser, name: string, columns: object = {}): Promise<string> {
  const { id } = (
    await of.post('/devices', { name, streamUrl: 'sim:shop?seed=1', timezone: 'Europe/Berlin' })
  ).body.data;
  await db().device.update({ where: { id }, data: columns });
  return id;
}

const addScene = async (of: ApiUser, deviceId: string, analysisStatus?: 'running'): Promise<string> => {
  const body = { deviceId, name: 'Queue', analysisType: 'queue_analysis' };
  const { id } = (await of.post('/scenes', body)).body.data;
  if (analysisStatus) await db().scene.update({ where: { id }, data: { analysisStatus } });
  return id;
};

const open = (path: string, options: PageOptions = {}): Promise<Page> =>
  site.openPage({ user, path, ...options });

describe('the list', () => {
  let of: ApiUser;
  beforeAll(async () => {
    of = await site.api.user();
    const fault = { reason: 'wrong_credentials', message: '401 Unauthorized', since };
    await addCamera(of, HOSTILE, { onlineStatus: 'offline', fault });
    const counting = await addCamera(of, 'Till 1', { onlineStatus: 'online' });
    await addScene(of, counting, 'running');
    await addCamera(of, 'Till 2', { onlineStatus: 'online' });
  });

  test('shows the worst first with the reason in plain words', async () => {
    const page = await open('/cameras', { user: of });
    await page.getByText('The camera wants another user name or password.').waitFor();
    const names = await page.getByRole('heading', { level: 2 }).allTextContents();
    expect(names).toEqual([HOSTILE, 'Till 2', 'Till 1']);
    await checkLooks(page);
    await page.getByRole('button', { name: /With a problem/ }).click();
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(1);
  });

  test('a viewer sees the state and is offered no change', async () => {
    const page = await open('/cameras', { user: of, role: 'viewer' });
    await page.getByRole('heading', { name: 'Till 1' }).waitFor();
    expect(await page.getByRole('link', { name: 'Add camera' }).count()).toBe(0);
    await page.getByRole('heading', { name: 'Till 1' }).click();
    await page.getByRole('link', { name: 'See numbers of Till 1' }).waitFor();
    expect(await page.getByRole('button', { name: /counting/ }).count()).toBe(0);
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Now']);
  });

  test('starts and stops the analysis of a scene; a used-up quota leads to Usage', async () => {
    const shop = await site.api.user();
    const till = await addScene(shop, await addCamera(shop, 'Till 5', { onlineStatus: 'online' }));
    await addNode(db(), 'list');
    const statusOf = async () => (await db().scene.findUniqueOrThrow({ where: { id: till } })).analysisStatus;
    const page = await open('/cameras', { user: shop, role: 'manager' });
    await page.getByRole('button', { name: 'Start counting: Till 5' }).click();
    await page.getByRole('button', { name: 'Stop counting: Till 5' }).click();
    expect(await statusOf()).toBe('starting');
    await page.getByRole('dialog').getByRole('button', { name: 'Stop counting' }).click();
    await page.getByRole('button', { name: 'Start counting: Till 5' }).waitFor();
    expect(['idle', 'stopped']).toContain(await statusOf());
    const quota = { scope: 'user', scopeId: shop.userId, userId: shop.userId, now: new Date() } as const;
    await overrideQuota(db(), { ...quota, limits: { analysis: 0 } });
    await page.getByRole('button', { name: 'Start counting: Till 5' }).click();
    await page.getByRole('alert').getByRole('link').click();
    await page.waitForURL(/#\/usage/);
    const viewer = await open('/cameras', { user: shop, role: 'viewer' });
    await viewer.getByRole('heading', { name: 'Till 5' }).waitFor();
    expect(await viewer.getByRole('button', { name: /counting/ }).count()).toBe(1);
  });

  test('without a camera the next step is offered, to a viewer it is not', async () => {
    const nobody = await site.api.user();
    const page = await open('/cameras', { user: nobody });
    await page.getByRole('heading', { name: 'No camera yet' }).waitFor();
    expect(await page.getByRole('link', { name: 'Add camera' }).count()).toBe(2);
    const viewer = await open('/cameras', { user: nobody, role: 'viewer' });
    await viewer.getByText('Whoever sets up this service can add cameras.').waitFor();
  });

  test('200 cameras are all there, and one is found', async () => {
    const many = await site.api.user();
    const first = await addCamera(many, 'Camera 1', { onlineStatus: 'online' });
    const row = await db().device.findUniqueOrThrow({ where: { id: first }, omit: { id: true } });
    await db().device.createMany({
      data: Array.from({ length: 199 }, (_, at) => ({ ...row, name: `Camera ${at + 2}` })) as never,
    });
    const page = await open('/cameras', { user: many, width: 'wide' });
    await page.getByRole('button', { name: 'All 200' }).waitFor();
    await page.getByRole('searchbox').fill('camera 137');
    await page.waitForFunction('document.querySelectorAll("main h2").length === 1');
  });
});

describe('the wizard', () => {
  /** Answers a probe as the API does for a camera that works. */
  const answerProbe = async (page: Page, data: object) =>
    page.route('**/api/v1/devices/probe', (route) =>
      route.fulfill({ status: 200, json: { success: true, statusCode: 200, data, meta: {} } }),
    );

  test('says in plain words why there is no picture, and keeps the camera on request', async () => {
    const page = await open('/cameras/new', { locale: 'de-DE', theme: 'dark' });
    await answerProbe(page, {
      ...{ onlineStatus: 'offline', width: null, height: null, codec: null, sourceFps: null },
      ...{ fault: { reason: 'timeout', message: 'It timed out' }, image: null, imageError: null },
    });
    await page.getByLabel('Adresse eingeben').fill('rtsp://192.168.1.20/stream1');
    await page.getByRole('button', { name: 'Bild zeigen' }).click();
    await page.getByText('Die Kamera antwortet nicht').waitFor();
    await checkAccessible(page);
    expect(await page.getByRole('button', { name: 'Trotzdem speichern' }).isEnabled()).toBe(true);
  });

  test('finds cameras in the network, asks for their login, and looks at the stream that is chosen', async () => {
    const camera = await startOnvifCamera({ address: CAMERA, udpPort: 0, login: 'digest' });
    const nodeId = await addNode(db(), 'node');
    const searches = new Discoveries({
      context: site.api.context,
      nodeId,
      probe: { port: camera.udpPort, multicast: false, probeMs: 200 },
    });
    try {
      const page = await open('/cameras/new');
      await page.getByText('The cameras ask for a login').click();
      await page.getByLabel('Also ask every address').fill('no network');
      await page.getByRole('button', { name: 'Find cameras in my network' }).click();
      await page.locator('[aria-invalid]').waitFor();
      await page.getByLabel('Also ask every address').fill(`${CAMERA}/32`);
      const search = async () => {
        const begun = page.waitForResponse((response) => response.url().endsWith('/devices/discover'));
        await page.getByRole('button', { name: 'Find cameras in my network' }).click();
        expect((await begun).status()).toBe(202);
        await page.getByText('Looking for cameras').waitFor();
        await searches.run();
      };
      await search();
      await page.getByText('asks for a login').waitFor();
      await checkAccessible(page);
      await checkFitsPhone(page);
      await page.getByLabel('User name').fill(CAMERA_LOGIN.user);
      await page.getByLabel('Password').fill(CAMERA_LOGIN.password);
      await search();
      const asked = page.waitForRequest((request) => request.url().endsWith('/devices/probe'));
      await page.getByRole('button', { name: 'Use main 1920 × 1080' }).click();
      const login = `${CAMERA_LOGIN.user}:${encodeURIComponent(CAMERA_LOGIN.password)}`;
      expect((await asked).postDataJSON()).toEqual({
        streamUrl: `rtsp://${login}@${CAMERA}:554/stream?channel=1&subtype=0`,
      });
      // The camera of this test has no video, so the page says why, and names it as it names itself.
      await page.getByText('The camera refuses the connection').first().waitFor();
      expect(await page.getByLabel('What is here?').inputValue()).toBe('Till 3');
    } finally {
      await camera.close();
      await db().computeNode.delete({ where: { id: nodeId } });
    }
  });
});

describe('a camera', () => {
  test('every part is accessible and fits', async () => {
    const id = await addCamera(user, 'Till 3', { onlineStatus: 'online' });
    await addScene(user, id);
    const page = await open(`/cameras/${id}`);
    for (const name of ['Now', 'Zones', 'Privacy', 'Schedule', 'Settings']) {
      await page.getByRole('tab', { name }).click();
      await page.getByRole('tabpanel', { name }).waitFor();
      if (name !== 'Now') await page.locator('button:enabled', { hasText: /^Save/ }).waitFor();
      await checkLooks(page);
    }
  });

  test('settings, schedule and masks are stored', async () => {
    const id = await addCamera(user, 'Till 4');
    const stored = () => db().device.findUniqueOrThrow({ where: { id } });
    const page = await open(`/cameras/${id}?tab=settings`);
    await page.getByLabel('Name').fill('Till four');
    await page.getByLabel('Time zone of the camera').selectOption('America/New_York');
    await page.getByLabel('Analysed part of the picture').selectOption('whole');
    await page.getByLabel('Sharpness of the analysis').selectOption('high');
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const address = `**/api/v1/devices/${id}`;
    await page.route(address, async (route) => {
      if (route.request().method() === 'PATCH') await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Save' }).click();
    // What is typed while it is being saved stays.
    await page.getByLabel('Note').fill('At the door');
    const readAgain = page.waitForResponse(
      (response) => response.url().endsWith(id) && response.request().method() === 'GET',
    );
    answer();
    await (await readAgain).finished();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await stored()).description).toBe('At the door');
    expect(await stored()).toMatchObject({
      name: 'Till four',
      timezone: 'America/New_York',
      analysisRegion: 'whole',
      analysisAccuracy: 'high',
    });

    await page.getByRole('tab', { name: 'Schedule' }).click();
    await page.getByLabel('Count by a schedule').check();
    await page.getByLabel('Sat').uncheck({ force: true });
    await page.getByRole('button', { name: 'Save schedule' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await stored()).schedule).toEqual({
      timezone: 'America/New_York',
      windows: [{ days: [1, 2, 3, 4, 5], start: '09:00', end: '20:00' }],
    });

    await page.getByRole('tab', { name: 'Privacy' }).click();
    await page.getByRole('button', { name: 'Privacy mask' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Count nobody under the masks').check();
    await page.getByRole('button', { name: 'Save masks' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await stored()).toMatchObject({ maskAnalysis: true, privacyMask: [{ type: 'polygon' }] });
  });

  test('is deleted after a question, with what counts on it; one of somebody else does not exist', async () => {
    const id = await addCamera(user, 'Till 5');
    await addScene(user, id);
    const page = await open(`/cameras/${id}?tab=settings`);
    await page.getByRole('button', { name: 'Delete camera' }).click();
    await page.getByRole('dialog', { name: 'Delete Till 5?' }).waitFor();
    await checkAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete camera' }).click();
    await page.getByRole('heading', { name: 'Cameras', level: 1 }).waitFor();
    expect((await user.get(`/devices/${id}`)).status).toBe(404);
    const foreign = await addCamera(await site.api.user(), 'Foreign');
    await page.goto(`${site.url}/#/cameras/${foreign}`);
    await page.getByRole('alert').waitFor();
    expect(await page.getByText('Foreign').count()).toBe(0);
  });
});

test('a site is made with its cameras', async () => {
  const of = await site.api.user();
  const id = await addCamera(of, 'Till 1');
  const page = await open('/cameras/sites', { user: of });
  await page.getByRole('button', { name: 'New site' }).click();
  await page.getByLabel('Name').fill('Shop Berlin');
  await page.getByRole('checkbox', { name: 'Till 1' }).check();
  await checkAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Shop Berlin' }).waitFor();
  const [made] = (await of.get('/sites')).body.data;
  expect(made).toMatchObject({ name: 'Shop Berlin', deviceIds: [id], timezone: 'Europe/Berlin' });
});
