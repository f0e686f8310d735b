import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { encodeCells } from '../../../src/metrics/floor/encode-cells.ts';
import { FloorSums } from '../../../src/metrics/floor/floor-sums.ts';
import { rectangle } from '../../catalogue/zones/shapes.ts';
import type { ApiUser } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import {
  checkAccessible,
  checkFitsPhone,
  checkLooks,
  type Site,
  startSite,
} from '../../support/page/browser.ts';
import { addLiveCamera, type LiveCamera, PERSON, PICTURE } from '../../support/page/live-camera.ts';
import { addAlert, addRule } from '../../support/rows/alert-rows.ts';
import { addCheck, addTimesCheck } from '../../support/rows/checks.ts';

const MARKUP = '<img src=x onerror=alert(1)>';
const EACH_MS = 400;
let site: Site;
let ada: ApiUser;
let camera: LiveCamera;
let feed: ReturnType<typeof setInterval>;
beforeAll(async () => {
  site = await startSite();
  ada = await site.api.user();
  camera = await addLiveCamera(site.api, ada, { name: MARKUP, sceneName: `Till ${MARKUP}` });
  await camera.count(4);
  const { sceneId, deviceId } = camera;
  const rule = await addRule(site.api.context.db, { userId: ada.userId, sceneId, deviceId });
  await addAlert(site.api.context.db, rule, {
    event: { triggeredAt: new Date(), message: 'Not shown' },
  });
  // A node sends pictures while somebody wants them: as few as do, because each is stored, read and painted.
  feed = setInterval(() => void camera.show().catch(() => undefined), EACH_MS);
});
afterAll(async () => {
  clearInterval(feed);
  await site?.stop();
});

const watchers = () => site.api.context.db.liveWish.count();
const pathOf = (tab = '') => `/scenes/${camera.sceneId}${tab}`;
const shown = (page: Page) => page.locator('canvas[data-captured-at]').waitFor();
/** A colour of the canvas, at a place in pixels of the picture. */
const colourAt = (page: Page, x: number, y: number): Promise<number[]> =>
  page.evaluate(
    `(() => {
      const canvas = document.querySelector('canvas');
      const copy = new OffscreenCanvas(1, 1).getContext('2d');
      const scale = canvas.width / ${PICTURE.width};
      copy.drawImage(canvas, -Math.round(${x} * scale), -Math.round(${y} * scale));
      return [...copy.getImageData(0, 0, 1, 1).data];
    })()`,
  );
const isRed = ([r, g]: number[]) => r! > 150 && g! < 80;
const isYellow = ([r, g, b]: number[]) => r! > 200 && g! > 140 && b! < 120;

describe('a scene', () => {
  test('shows picture, numbers, curve and alert, names as text; its one connection for pictures rests while it is hidden', async () => {
    const page = await site.openPage({ path: pathOf(), user: ada });
    await page.getByRole('heading', { level: 1, name: `Till ${MARKUP}` }).waitFor();
    await shown(page);
    await page.getByText('People waiting 7, limit 5').waitFor();
    await page
      .getByRole('img', { name: /^Live picture of <img.*: 1 in the queue, 0 being served$/ })
      .waitFor();
    await page.getByText(/^4\s*waiting$/).waitFor();
    await checkLooks(page);
    expect(await watchers()).toBe(1);
    const hide = (state: string) =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await hide('hidden');
    await eventually('nobody wants pictures', async () => (await watchers()) === 0);
    const paintedMs = () => page.evaluate<string>(`document.querySelector('canvas').dataset.capturedAt`);
    const before = await paintedMs();
    await hide('visible');
    await eventually('a newer picture is painted', async () => (await paintedMs()) > before);
    await page.goto(`${site.url}/#/keys`);
    await eventually('nobody wants pictures', async () => (await watchers()) === 0);
  });

  test('paints each box exactly where its person is, and leaves it out when asked', async () => {
    const page = await site.openPage({ path: pathOf(), user: ada, width: 'wide' });
    await shown(page);
    const middle = PERSON.top + PERSON.height / 2;
    const right = PERSON.left + PERSON.width;
    expect(isRed(await colourAt(page, PERSON.left + 6, middle))).toBe(true);
    // The line of the box lies on the edge of the person.
    for (const x of [PERSON.left, right]) expect(isYellow(await colourAt(page, x, middle))).toBe(true);
    await page.getByRole('button', { name: 'People' }).click();
    await eventually('the box is gone', async () => !isYellow(await colourAt(page, right, middle)));
    expect(isRed(await colourAt(page, right - 3, middle))).toBe(true);
  });

  test('is shown to a viewer without buttons that change anything', async () => {
    const page = await site.openPage({ path: pathOf(), user: ada, role: 'viewer' });
    await shown(page);
    expect(await page.getByRole('button', { name: /Stop|Start|Restart/ }).count()).toBe(0);
    expect(await page.getByRole('link', { name: /rule/i }).count()).toBe(0);
  });

  test('is checked: people are counted by taps and keys, and the result shows both answers', async () => {
    const { db } = site.api.context;
    const scene = await db.scene.findUniqueOrThrow({ where: { id: camera.sceneId } });
    const page = await site.openPage({ path: pathOf('?tab=check'), user: ada });
    await page.getByRole('button', { name: 'Check the counts' }).click();
    await page.getByRole('spinbutton', { name: 'Pictures' }).fill('5');
    const start = page.getByRole('dialog').getByRole('button', { name: 'Check the counts' });
    await start.click();
    await page.getByRole('dialog').getByText(/20/).nth(1).waitFor();
    await page.getByRole('spinbutton', { name: 'Pictures' }).fill('20');
    await start.click();
    await page.getByText('0 of 20 pictures so far.').waitFor();
    await checkLooks(page);
    await page.getByRole('button', { name: 'Delete this check' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete this check' }).click();
    await page.getByRole('button', { name: 'Check the counts' }).waitFor();

    const { check } = await addCheck(db, scene, { at: new Date(), ours: [1, 2, 3] });
    await page.reload();
    await page.getByRole('button', { name: 'Count now' }).click();
    await page.getByRole('heading', { name: 'Picture 1 of 3' }).waitFor();
    // A person is tapped by mistake and taken back.
    const picture = page.getByRole('button', { name: /Tap a person/ });
    await picture.click({ position: { x: 40, y: 40 } });
    await picture.click({ position: { x: 120, y: 60 } });
    await checkLooks(page);
    await picture.click({ position: { x: 124, y: 58 } });
    // The next picture is there before the answer is stored; one that cannot be stored is asked for again, with its taps.
    const nextPicture = `document.querySelector('[hidden] > img')?.naturalWidth`;
    await eventually('it is loaded', async () => Number(await page.evaluate(nextPicture)) > 0);
    let isHeld = true;
    await page.route('**/answer', async (route) => {
      await eventually('it may fail', () => !isHeld);
      await route.fulfill({ status: 429, json: { error: { code: 'RATE_LIMITED', message: 'Later' } } });
    });
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('heading', { name: 'Picture 2 of 3' }).waitFor();
    isHeld = false;
    await page.getByRole('alert').waitFor();
    await page.getByRole('heading', { name: 'Picture 1 of 3' }).waitFor();
    await page.unroute('**/answer');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('heading', { name: 'Picture 2 of 3' }).waitFor();
    for (const key of ['1', '2', 'Backspace', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('heading', { name: 'Picture 3 of 3' }).waitFor();
    await page.keyboard.press('x');
    await page.getByText('You have counted on every picture.').waitFor();
    const answers = await db.checkStill.findMany({
      where: { checkId: check.id },
      orderBy: { stratum: 'asc' },
    });
    expect(answers.map((still) => Object.values(still.answers as object)[0])).toMatchObject([
      { waiting: 1, waitingPoints: [[expect.any(Number), expect.any(Number)]], isSkipped: false },
      { waiting: 11, waitingPoints: null, isSkipped: false },
      { isSkipped: true },
    ]);
    await page.getByRole('button', { name: 'Show the result' }).click();
    await page.getByLabel(/Who has counted/).fill(MARKUP);
    await page.getByRole('dialog').getByRole('button', { name: 'Show the result' }).click();
    await page
      .getByText(/^Counts within one person in 50.?% \(\d+ to \d+\) of 2 moments: not good enough/)
      .waitFor();
    await page.getByText('Waiting: we 2, you 11').waitFor();
    await page.getByText(MARKUP, { exact: true }).waitFor();
    // Three stills are too few for a view without people.
    const view = page.getByRole('img', { name: 'What the camera sees, without people' });
    expect(await view.count()).toBe(0);
    const { jpeg } = answers[0]!;
    await db.checkView.create({ data: { checkId: check.id, jpeg: new Uint8Array(jpeg!) } });
    await page.reload();
    await view.waitFor();
    await checkLooks(page);
    // The printed report has no picture of people but small ones that are asked for.
    const wrong = page.locator('figure img').first();
    await page.emulateMedia({ media: 'print' });
    await wrong.waitFor({ state: 'hidden' });
    await view.waitFor({ state: 'hidden' });
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('checkbox', { name: 'With small pictures' }).check();
    await page.emulateMedia({ media: 'print' });
    await wrong.waitFor({ state: 'visible' });
    await view.waitFor({ state: 'visible' });
    await page.emulateMedia({ media: 'screen' });
    await page.goto(`${site.url}/#${pathOf()}`);
    await page.getByRole('link', { name: /Checked .*50.?% within one person/ }).waitFor();

    // On a film, who joins and leaves is marked by keys and taps, and the visits are compared.
    const at = new Date(Date.now() - 60_000);
    const { id } = await addTimesCheck(db, scene, { at, seconds: 30 });
    await page.goto(`${site.url}/#${pathOf('?tab=check')}`);
    await page.reload();
    await page.getByRole('button', { name: 'Mark now' }).click();
    const place = page.getByRole('slider', { name: 'Place in the film' });
    const seek = (second: number) => place.fill(String(second));
    await page.getByText('0:00 / 0:30', { exact: true }).waitFor();
    await page.keyboard.press('j');
    await seek(10);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    // The third was a slip.
    await page.keyboard.press('Backspace');
    await checkLooks(page);
    await seek(20);
    await page.getByRole('button', { name: '2: left' }).click();
    await page.getByText('2 people marked.', { exact: false }).waitFor();
    // Space plays, and what is shown goes on.
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('4');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByText('0:30 / 0:30').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Show the result' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Show the result' }).click();
    await page.getByText(/^Counts 0.?% of 2 visits right/).waitFor();
    await page.getByText('0:10–0:20 · Waiting · only you: 2').waitFor();
    await checkLooks(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Times as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('labels.csv');
    const marks = await db.checkMarks.findFirstOrThrow({ where: { checkId: id } });
    expect(marks.visits).toEqual([
      { person: '1', joinedAt: 0, servedAt: null, leftAt: null },
      { person: '2', joinedAt: 10, servedAt: null, leftAt: 20 },
    ]);
  });

  test('has a map of where people stood, for a chosen time; one that does not exist says so', async () => {
    const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
    const sums = new FloorSums();
    sums.add([16 * 32 + 3, 120_000, 6, 0]);
    const cells = encodeCells({
      sums,
      analysed: Uint8Array.from({ length: 576 }, (_, at) => (at < 570 ? 1 : 0)),
    });
    await site.api.context.db.floorHour.create({
      data: { sceneId: camera.sceneId, hour, coveredMs: 1_800_000, cells },
    });
    const page = await site.openPage({ path: pathOf('?tab=floor'), user: ada });
    const map = page.getByRole('img', { name: /People spent up to 2 min in one spot/ });
    await map.waitFor();
    const box = (await map.boundingBox())!;
    await page.mouse.move(box.x + (3.5 / 32) * box.width, box.y + (16.5 / 18) * box.height);
    await page.getByText('2 min here · 0.07 people on average').waitFor();
    await page.mouse.move(box.x + (29.5 / 32) * box.width, box.y + (17.5 / 18) * box.height);
    await page.getByText('Not seen here').waitFor();
    await checkAccessible(page);
    await checkFitsPhone(page);
    await page.getByRole('button', { name: 'Dates' }).click();
    await page.getByLabel('From', { exact: true }).fill('2026-01-02');
    await page.getByLabel('To', { exact: true }).fill('2026-01-01');
    await page.getByText('The first date lies after the last one.').waitFor();
    await page.getByLabel('To', { exact: true }).fill('2026-01-02');
    await page.getByText('Nobody was counted in this time').waitFor();
  });

  test('says in plain words what is wrong with the camera, in the language of the browser', async () => {
    const fault = { reason: 'no_frames', message: 'No frame came.', since: new Date().toISOString() };
    const warnings = [{ reason: 'view_changed', message: 'x', since: new Date().toISOString() }];
    const { db } = site.api.context;
    await db.device.update({ where: { id: camera.deviceId }, data: { fault, warnings } });
    const page = await site.openPage({ path: pathOf(), user: ada, locale: 'de-DE' });
    await page.getByText('Die Kamera ist verbunden, sendet aber kein Bild').waitFor();
    await page.getByText('Die Kamera blickt woandershin als zuvor').waitFor();
    await page.getByText('Kein Bild', { exact: true }).waitFor();
    await checkAccessible(page);
  });
});

test('each till of a scene has a lamp, a word and a timer, and Now counts the open ones', async () => {
  const names = [1, 2, 3, 4].map((number) => `Kiosk ${number}`);
  const { sceneId, ...tilled } = await addLiveCamera(site.api, ada, {
    ...{ name: 'Row', sceneName: 'Main row' },
    tills: names.map((name, at) => ({
      ...{ id: `t${at}`, name, type: 'polygon', points: rectangle(at / 4, 0.1, (at + 1) / 4, 0.3) },
    })),
  });
  const sinceMs = Date.now() - 125_000;
  const states = ['serving', 'free', 'closed'] as const;
  await tilled.count(
    2,
    states.map((state, at) => ({
      ...{ tillId: `t${at}`, state, sinceMs, confidence: state === 'free' ? 'low' : 'high' },
    })),
  );
  const page = await site.openPage({ path: `/scenes/${sceneId}`, user: ada });
  const list = page.getByRole('region', { name: 'Tills' });
  await list.getByText('Unknown').waitFor();
  const said = (await list.getByRole('listitem').allTextContents()).map((text) =>
    text.replace(/ for .*/, ''),
  );
  expect(said).toEqual(['Kiosk 1Serving', 'Kiosk 2Probably free', 'Kiosk 3Closed', 'Kiosk 4Unknown']);
  expect(await list.getByText('Serving').textContent()).toMatch(/^Serving for \d+ min/);
  const shows = setInterval(() => void tilled.show().catch(() => undefined), EACH_MS);
  try {
    await shown(page);
    expect(await page.locator('[data-narrow]').count()).toBe(4);
    await checkLooks(page);
  } finally {
    clearInterval(shows);
  }
  await page.goto(page.url().replace(/#.*/, '#/'));
  await page.getByText('2 of 4 tills open').waitFor();
});
