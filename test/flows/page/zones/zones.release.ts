import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Point, polygonFault } from '../../../../src/catalogue/zones/polygon.ts';
import { drawingOf } from '../../../../src/page/cameras/zones/shapes.ts';
import { fromBody, masksFromBody, polygonBody, toBody } from '../../../../src/page/cameras/zones/to-body.ts';
import { type Edit, edited, startEdits } from '../../../../src/page/cameras/zones/zone-edits.ts';
import type { ApiUser } from '../../../support/api.ts';
import {
  checkAccessible,
  checkFitsPhone,
  type PageOptions,
  type Site,
  startSite,
} from '../../../support/page/browser.ts';
import { cameraPicture } from '../../../support/page/camera-picture.ts';
import { fc } from '../../../support/property.ts';

let site: Site;
let user: ApiUser;
beforeAll(async () => {
  site = await startSite({ still: await cameraPicture() });
  user = await site.api.user();
});
afterAll(() => site?.stop());

const newCamera = async (name = 'Till 3'): Promise<string> =>
  (await user.post('/devices', { name, streamUrl: 'sim:shop?seed=1' })).body.data.id;

/** The second step of the wizard: a camera without zones. No worker runs, so a run that is started waits for one. */
async function openWizard(deviceId: string, options: PageOptions = {}): Promise<Page> {
  const page = await site.openPage({ user, path: `/cameras/${deviceId}/setup`, ...options });
  await page.getByRole('img', { name: 'Picture of the camera' }).waitFor();
  return page;
}

interface Drawn {
  readonly zones: Record<string, { points: [number, number][] } | undefined>;
}

async function storedZones(deviceId: string): Promise<Drawn['zones']> {
  const { scene } = site.api.context.db;
  const { config } = await scene.findFirstOrThrow({ where: { deviceId, deletedAt: null } });
  return (config as unknown as Drawn).zones;
}

/** Presses the button and waits for the answer that creates or changes the scene. */
async function save(page: Page, press: () => Promise<void>): Promise<void> {
  const saved = page.waitForResponse(
    (response) => /\/scenes(\/|\?|$)/.test(response.url()) && response.request().method() !== 'GET',
  );
  await press();
  expect((await saved).ok()).toBe(true);
}

const canvasOf = (page: Page) => page.getByRole('application', { name: 'Zone editor' });

/** Where a share of the picture is on the screen. */
async function placeOf(page: Page, [x, y]: readonly [number, number]): Promise<[number, number]> {
  const box = (await canvasOf(page).boundingBox())!;
  return [box.x + x * box.width, box.y + y * box.height];
}

const tap = async (page: Page, at: readonly [number, number]) =>
  page.touchscreen.tap(...(await placeOf(page, at)));

const CORNERS = [
  [0.2, 0.3],
  [0.7, 0.3],
  [0.8, 0.8],
  [0.1, 0.8],
] as const;

/** Less than a pixel of a phone. */
const near = (points: readonly (readonly [number, number])[]) =>
  points.map((point) => point.map((share) => expect.closeTo(share, 2)));

describe('zones by touch alone', () => {
  test('tapped corners are stored as drawn, moved by two taps, and counted', async () => {
    const deviceId = await newCamera();
    const page = await openWizard(deviceId);
    for (const corner of CORNERS) await tap(page, corner);
    await checkAccessible(page);
    await checkFitsPhone(page);
    await page.getByRole('button', { name: 'Done' }).tap();
    await tap(page, CORNERS[1]);
    await tap(page, [0.75, 0.2]);
    await save(page, () => page.getByRole('button', { name: 'Count now' }).tap());
    const { queueZone } = await storedZones(deviceId);
    expect(queueZone?.points).toEqual(near([CORNERS[0], [0.75, 0.2], CORNERS[2], CORNERS[3]]));
  });

  test('a corner is dragged with a loupe, one is added at a middle, one is deleted, and all is undone', async () => {
    const deviceId = await newCamera();
    const page = await openWizard(deviceId);
    for (const corner of CORNERS) await tap(page, corner);
    await tap(page, CORNERS[0]);
    const points = () => canvasOf(page).locator('[data-handle]').count();
    const [x, y] = await placeOf(page, CORNERS[2]);
    const to = await placeOf(page, [0.9, 0.9]);
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: [number, number]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [{ x: at[0], y: at[1] }] : [] });
    await send('touchStart', [x, y]);
    await send('touchMove', [x + 10, y + 5]);
    await send('touchMove', to);
    await canvasOf(page).locator('svg').waitFor();
    await send('touchEnd');
    expect(await canvasOf(page).locator('svg').count()).toBe(0);
    await tap(page, [0.45, 0.3]);
    expect(await points()).toBe(5);
    await page.getByRole('button', { name: 'Delete corner', exact: true }).tap();
    expect(await points()).toBe(4);
    await page.getByRole('button', { name: 'Undo' }).tap();
    await page.getByRole('button', { name: 'Undo' }).tap();
    await save(page, () => page.getByRole('button', { name: 'Count now' }).tap());
    const { queueZone } = await storedZones(deviceId);
    expect(queueZone?.points).toEqual(near([CORNERS[0], CORNERS[1], [0.9, 0.9], CORNERS[3]]));
  });
});

describe('zones by keyboard alone', () => {
  test('a square is made, its corners are moved, added and removed, and it is stored', async () => {
    const deviceId = await newCamera();
    const page = await openWizard(deviceId, { width: 'wide', theme: 'dark' });
    const { keyboard } = page;
    const press = async (key: string, times = 1) => {
      for (let time = 0; time < times; time++) await keyboard.press(key);
    };
    await page.getByRole('button', { name: 'Queue' }).focus();
    await press('Enter');
    const first = page.getByRole('button', { name: /^Corner 1 of 4/ });
    await first.waitFor();
    await canvasOf(page).locator('[data-handle="0-0"]:focus').waitFor();
    await press('ArrowLeft', 5);
    await press('Shift+ArrowUp', 3);
    await press('Tab');
    await press('Enter');
    await page.getByRole('button', { name: /^Corner 3 of 5/ }).waitFor();
    await press('ArrowRight', 4);
    await press('Tab');
    await press('Delete');
    await page.getByRole('button', { name: /^Corner 3 of 4/ }).waitFor();
    await press('Control+z');
    await press('Control+Shift+z');
    await checkAccessible(page);
    await page.getByRole('button', { name: 'Count now' }).focus();
    await save(page, () => press('Enter'));
    const { queueZone } = await storedZones(deviceId);
    expect(queueZone?.points).toEqual([
      [0.3, 0.347],
      [0.65, 0.35],
      [0.69, 0.5],
      [0.35, 0.65],
    ]);
  });

  test('corners are typed as numbers, and what is no number says so', async () => {
    const page = await openWizard(await newCamera(), { width: 'wide' });
    await page.getByRole('button', { name: 'Queue' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Corners as numbers').press('Enter');
    const left = page.getByLabel('Corner 1: From the left, %');
    await left.fill('12,5');
    await page.getByRole('button', { name: /^Corner 1 of 4: 12.5 %/ }).waitFor();
    await left.fill('120');
    await page.getByText('Enter a number from 0 to 100.').waitFor();
  });
});

describe('tills', () => {
  test('by touch: a drawn row is divided into as many as there are, and stored with names', async () => {
    const deviceId = await newCamera();
    const page = await openWizard(deviceId);
    await page.getByLabel('How many tills').selectOption('3');
    await page.getByRole('button', { name: 'Till', exact: true }).tap();
    for (const corner of [
      [0.1, 0.2],
      [0.9, 0.2],
      [0.9, 0.9],
      [0.1, 0.9],
    ] as const)
      await tap(page, corner);
    await page.getByRole('button', { name: 'Divide into 3 tills' }).first().tap();
    await checkAccessible(page);
    await checkFitsPhone(page);
    await save(page, () => page.getByRole('button', { name: 'Count now' }).tap());
    const { tills } = (await storedZones(deviceId)) as unknown as {
      tills: { name: string; points: Point[] }[];
    };
    expect(tills.map(({ name }) => name)).toEqual(['Till 1', 'Till 2', 'Till 3']);
    expect(tills[1]!.points).toEqual(
      near([
        [0.3667, 0.2],
        [0.6333, 0.2],
        [0.6333, 0.9],
        [0.3667, 0.9],
      ]),
    );
  });

  test('by keyboard: drawn, named, with the side of the staff; what overlaps says so beside the till', async () => {
    const deviceId = await newCamera();
    await user.post('/scenes', { deviceId, name: 'Row', analysisType: 'queue_analysis' });
    const page = await site.openPage({ user, path: `/cameras/${deviceId}?tab=zones`, width: 'wide' });
    const press = async (name: string | RegExp) => {
      await page.getByRole('button', { name, exact: typeof name === 'string' }).focus();
      await page.keyboard.press('Enter');
    };
    await press(/^Till where/);
    await page.getByRole('button', { name: /^Corner 1 of 4/ }).waitFor();
    await press(/^Till where/);
    const list = page.getByRole('region', { name: 'Tills', exact: true });
    await list.getByText('“Till 2” and “Till 1” overlap by more than a tenth').waitFor();
    expect(await page.getByRole('button', { name: 'Save zones' }).isDisabled()).toBe(true);
    await press('Delete Till 1');
    const name = list.getByLabel('Name of Till 2');
    await name.fill('');
    await list.getByText('A till needs a name.').waitFor();
    await list.getByRole('textbox').fill('Express');
    await press('Draw staff side');
    await page.getByText('The staff side covers the whole till').waitFor();
    await canvasOf(page).locator('[data-handle$="-0"]:focus').waitFor();
    for (const key of ['Tab', 'Tab', 'ArrowUp', 'Tab', 'ArrowUp'])
      for (let time = 0; time < (key === 'Tab' ? 1 : 25); time++) await page.keyboard.press(key);
    const side = canvasOf(page).getByRole('button', { name: /^Staff side of Express/ });
    await side.focus();
    await side.press('Shift+ArrowUp');
    await checkAccessible(page);
    await save(page, () => press('Save zones'));
    const { tills } = (await storedZones(deviceId)) as unknown as {
      tills: { name: string; points: Point[]; staffPoints: Point[] }[];
    };
    expect(tills.map(({ name: each, points, staffPoints }) => [each, points[2], staffPoints])).toEqual([
      [
        'Express',
        [0.65, 0.65],
        [
          [0.35, 0.349],
          [0.65, 0.349],
          [0.65, 0.399],
          [0.35, 0.399],
        ],
      ],
    ]);
  });
});

test('random polygons are stored as drawn', async () => {
  const deviceId = await newCamera();
  const body = { deviceId, name: 'Queue', analysisType: 'queue_analysis' };
  const { id } = (await user.post('/scenes', body)).body.data;
  const share = fc.nat(10_000).map((n) => n / 10_000);
  const points = fc
    .array(fc.tuple(share, share), { minLength: 3, maxLength: 20 })
    .filter((each) => polygonFault(each) === null);
  await fc.assert(
    fc.asyncProperty(points, fc.array(points, { maxLength: 3 }), async (queue, masks) => {
      const drawn = (kind: 'queueZone' | 'mask', corners: readonly (readonly [number, number])[]): Edit[] => [
        { type: 'draw', kind },
        ...corners.map((at): Edit => ({ type: 'add', at })),
        { type: 'close' },
      ];
      const edits = [...drawn('queueZone', queue), ...masks.flatMap((mask) => drawn('mask', mask))];
      const { zones, privacyMask } = drawingOf(edits.reduce(edited, startEdits([])).shapes);
      const config = { zones: toBody(zones), privacyMask: privacyMask.map(polygonBody) };
      const stored = (await user.patch(`/scenes/${id}`, { config })).body.data.config;
      expect(fromBody(stored.zones).queueZone?.points).toEqual(queue);
      expect(masksFromBody(stored.privacyMask).map((mask) => mask.points)).toEqual(masks);
    }),
    { numRuns: 20 },
  );
});

test('a zone that crosses itself is refused at once with the reason', async () => {
  const page = await openWizard(await newCamera());
  for (const corner of [CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]]) await tap(page, corner);
  await page.getByText('Queue crosses itself: edges 1 and 3 meet.').waitFor();
  expect(await page.getByRole('button', { name: 'Count now' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Undo' }).tap();
  expect(await page.getByText('crosses itself').count()).toBe(0);
});

test('what is drawn outlives a reload, and a set-up that was left goes on where it was', async () => {
  const deviceId = await newCamera();
  const page = await openWizard(deviceId);
  for (const corner of CORNERS) await tap(page, corner);
  await page.reload();
  await page.getByRole('button', { name: 'Queue, 4 corners' }).waitFor({ state: 'attached' });
  await save(page, () => page.getByRole('button', { name: 'Count now' }).tap());
  expect((await storedZones(deviceId)).queueZone?.points).toEqual(near(CORNERS));
});

test('what is changed while zones are being saved stays, and so does the scene that is chosen meanwhile', async () => {
  const deviceId = await newCamera('Shop');
  for (const name of ['Front', 'Rear'])
    await user.post('/scenes', { deviceId, name, analysisType: 'queue_analysis' });
  const secondsOf = async (name: string) => {
    const where = { deviceId, name };
    const { config } = await site.api.context.db.scene.findFirstOrThrow({ where });
    return (config as { parameters: { entryThresholdSeconds: number } }).parameters.entryThresholdSeconds;
  };
  const page = await site.openPage({ user, path: `/cameras/${deviceId}?tab=zones`, width: 'wide' });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const seconds = page.getByLabel('Counts as arrived after, seconds');
  const openTuning = () => page.getByText('Fine tuning').click();
  let held = Promise.resolve();
  await page.route(/\/api\/v1\/scenes/, async (route) => {
    if (route.request().method() !== 'GET') await held;
    await route.continue();
  });
  /** Presses the button, and does something before it is answered. */
  const saveWhile = async (meanwhile: () => Promise<void>) => {
    let answer = () => {};
    held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await press('Save zones');
    await page.locator('button[aria-busy=true]').waitFor();
    await meanwhile();
    await save(page, async () => answer());
  };

  await press('Front');
  await openTuning();
  await seconds.fill('5');
  await saveWhile(() => seconds.fill('9'));
  await page.getByText('Saved', { exact: true }).waitFor();
  await save(page, () => press('Save zones'));
  expect(await secondsOf('Front')).toBe(9);

  await page.getByLabel('What is here?').fill('Door');
  await saveWhile(async () => {
    await press('Rear');
    await openTuning();
    await seconds.fill('7');
  });
  await page.getByRole('button', { name: 'Door', exact: true }).waitFor();
  await save(page, () => press('Save zones'));
  expect([await secondsOf('Rear'), await secondsOf('Door')]).toEqual([7, 9]);

  await press('+ Count something else too');
  await page.getByLabel('What is counted here?').fill('Side');
  await press('a line at a till');
  await openTuning();
  await saveWhile(async () => {
    // The form of a new scene waits, because another one follows it.
    await seconds.focus();
    await page.keyboard.type('7');
    expect(await seconds.inputValue()).toBe('');
  });
  await page.getByRole('button', { name: 'Side', pressed: true }).waitFor();
});

test('without a worker the zones are kept and the page says why nothing is counted', async () => {
  const deviceId = await newCamera();
  const page = await openWizard(deviceId);
  await page.getByRole('button', { name: 'a line at a till' }).tap();
  await save(page, () => page.getByRole('button', { name: 'Count now' }).tap());
  await page.getByRole('alert').filter({ hasText: 'the computer that counts is not running' }).waitFor();
  expect(Object.keys(await storedZones(deviceId))).toEqual(['queueZone', 'checkoutZone']);
});
