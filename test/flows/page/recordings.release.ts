import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiUser } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { checkAccessible, checkFitsPhone, type Site, startSite } from '../../support/page/browser.ts';
import { addRecording, CLIP } from '../../support/rows/recordings.ts';
import { addNode } from '../../support/rows/runs.ts';

const CORNERS = [
  [0.2, 0.2],
  [0.8, 0.25],
  [0.7, 0.8],
] as const;
const MARKUP = '<script>alert(1)</script>';
let site: Site;
let ada: ApiUser;
beforeAll(async () => {
  site = await startSite();
  ada = await site.api.user();
  await addNode(site.api.context.db, 'alive');
});
afterAll(() => site?.stop());

describe('recordings', () => {
  test('a file is uploaded, zones are drawn on it, its analysis is started, watched and cancelled', async () => {
    const page = await site.openPage({ path: '/recordings', user: ada });
    await page.getByText('No recordings yet').waitFor();
    await checkFitsPhone(page);
    const choose = page.locator('input[type=file]');
    await choose.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
    await page.getByText('This file is not a video.').waitFor();
    const name = `Till ${MARKUP} 2026-11-20_09-00-05.mp4`;
    await choose.setInputFiles({ name, mimeType: 'video/mp4', buffer: CLIP });
    expect(await page.getByLabel('Recorded at').inputValue()).toBe('2026-11-20T09:00:05');
    await page.getByLabel('Time zone').selectOption('America/New_York');
    await checkAccessible(page);
    await checkFitsPhone(page);
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByRole('link', { name: 'Draw the zones' }).click();
    await page.getByRole('heading', { level: 1, name: `Till ${MARKUP}` }).waitFor();
    const recording = await site.api.context.db.recording.findFirstOrThrow();
    expect(recording.recordedAt.toISOString()).toBe('2026-11-20T14:00:05.000Z');
    const picture = page.locator('img[src*="/frame"]').first();
    await picture.waitFor();
    const { x, y, width, height } = (await picture.boundingBox())!;
    for (const [across, down] of CORNERS) await page.touchscreen.tap(x + across * width, y + down * height);
    await page.getByRole('button', { name: 'Done' }).click();
    await checkAccessible(page);
    await page.getByText('More settings').click();
    await page.getByLabel('Pictures per second').fill('10');
    await page.getByRole('button', { name: 'Start the analysis' }).click();
    await page.getByText('Waits for a free place.').waitFor();
    const { config } = await site.api.context.db.scene.findFirstOrThrow();
    const { queueZone, ...others } = (config as { zones: Record<string, { points: number[][] }> }).zones;
    expect([queueZone!.points.length, others]).toEqual([CORNERS.length, {}]);
    for (const [at, corner] of CORNERS.entries()) {
      for (const axis of [0, 1] as const) expect(queueZone!.points[at]![axis]).toBeCloseTo(corner[axis], 1);
    }
    const { analysisFps } = await site.api.context.db.device.findFirstOrThrow({
      where: { kind: 'recording' },
    });
    expect(analysisFps).toBe(10);
    await page.getByRole('button', { name: 'Cancel the analysis' }).click();
    await page.getByText('The analysis was cancelled.').waitFor();
  });

  test('an upload that the API refuses says why, and one that breaks off can be repeated', async () => {
    const page = await site.openPage({ path: '/recordings', user: ada });
    const choose = page.locator('input[type=file]');
    const buffer = Buffer.from('This is no video at all, but it says so.');
    await choose.setInputFiles({ name: 'Broken 2026-11-20 090000.mp4', mimeType: 'video/mp4', buffer });
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByText('The upload failed').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    let breaks = true;
    await page.route('**/api/v1/recordings?**', (route) => {
      // The list may be read meanwhile.
      if (!breaks || route.request().method() !== 'POST') return route.fallback();
      breaks = false;
      return route.abort();
    });
    await choose.setInputFiles({ name: 'Again 2026-11-20 090000.mp4', mimeType: 'video/mp4', buffer: CLIP });
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByText('The connection broke off.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Uploaded').waitFor();
  });

  test('one that is done leads to its numbers; it is renamed and deleted', async () => {
    const { context } = site.api;
    const bob = await site.api.user();
    const { id, sceneId } = await addRecording(context, bob.userId, { name: 'Friday' });
    const page = await site.openPage({ path: `/recordings/${id}`, user: bob, width: 'wide', theme: 'dark' });
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Saturday');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Saturday' }).waitFor();
    await page.goto(`${site.url}/#/scenes/${sceneId}`);
    await page.getByText('The recording has not been analysed yet.').waitFor();
    await checkAccessible(page);
    await page.getByRole('link', { name: 'Open the recording' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No recordings yet').waitFor();
    await eventually(
      'its row is gone',
      async () => (await context.db.recording.count({ where: { id } })) === 0,
    );
  });

  test('of several videos another one can be chosen; gender and age are switched off; a turned picture is told', async () => {
    const { context } = site.api;
    const owner = await site.api.user();
    const videoTracks = [
      { number: 0, width: 64, height: 36, codec: 'h264', fps: 5 },
      { number: 1, width: 320, height: 180, codec: 'hevc', fps: null },
    ];
    const { userId } = owner;
    const { id, deviceId, sceneId } = await addRecording(context, userId, { videoTracks });
    await context.db.device.update({ where: { id: deviceId }, data: { plan: 'LEVEL_02' } });
    const run = await context.db.analysisTask.create({ data: { userId, deviceId, sceneId } });
    const data = { status: 'CANCELLED', stats: { wantedRotation: 180 } } as const;
    await context.db.analysisTask.update({ where: { id: run.id }, data });
    const page = await site.openPage({ path: `/recordings/${id}`, user: owner });
    await page.getByText('Choose 180° under “Change”').waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    const tracks = page.getByLabel('Video of the file').locator('option');
    expect(await tracks.allTextContents()).toEqual(['1: 64 × 36 pixels, h264', '2: 320 × 180 pixels, hevc']);
    await page.getByLabel('Turn the picture').selectOption('180');
    await checkAccessible(page);
    await checkFitsPhone(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Choose 180° under “Change”').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Analyse again' }).click();
    await page.getByText('More settings').click();
    await page.getByLabel('Estimate age').uncheck();
    await eventually('it is stored', async () => {
      const { attributeGroups } = await context.db.device.findUniqueOrThrow({ where: { id: deviceId } });
      return attributeGroups.join() === 'gender';
    });
    await checkAccessible(page);
    await checkFitsPhone(page);
  });

  test('are shown to a viewer without anything that changes them', async () => {
    const page = await site.openPage({ path: '/recordings', user: ada, role: 'viewer', theme: 'dark' });
    await page.getByRole('link', { name: /Till <script>/ }).click();
    await page.getByRole('heading', { level: 1, name: `Till ${MARKUP}` }).waitFor();
    await page.getByText('The analysis was cancelled.').waitFor();
    expect(await page.getByRole('button', { name: /Change|Delete|analysis|Analyse/ }).count()).toBe(0);
  });
});
