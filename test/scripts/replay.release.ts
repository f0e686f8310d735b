import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import { runCommand } from '../support/command.ts';

let folder: string;
let scene: string;
let video: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replay-'));
  scene = join(folder, 'scene.json');
  await writeFile(scene, JSON.stringify({ zones: SHOP_ZONES }));
  video = join(folder, 'shop.mp4');
  await runCommand('simulate', ['--seed', '4', '--minutes', '0.5', '--out', video]);
});
afterAll(() => rm(folder, { recursive: true }));

describe('replay', () => {
  test('prints every visit of a video as one JSON document', async () => {
    const { code, stdout, stderr } = await runCommand('replay', [video, '--scene', scene, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({
      frames: 150,
      seconds: 30,
      totals: { completed: { count: expect.any(Number) } },
    });
    expect(result.visits.length).toBeGreaterThan(0);
    for (const visit of result.visits) {
      expect(Object.keys(visit)).toEqual([
        'trackId',
        'queueEnteredAt',
        'queueLeftAt',
        'serviceStartedAt',
        'serviceEndedAt',
        'outcome',
        'waitSeconds',
        'serviceSeconds',
      ]);
      expect(visit.queueEnteredAt ?? visit.serviceStartedAt).toBeLessThanOrEqual(30);
    }
    const { completed, abandoned, lostCount } = result.totals;
    expect(completed.count + abandoned.count + lostCount).toBe(result.visits.length);
    expect(result.part).toBeUndefined();
  });

  test('analyses a part of the pictures, and fewer of them, where that is asked for', async () => {
    const args = [video, '--scene', scene, '--json', '--region', '--fps', '2'];
    const part = JSON.parse((await runCommand('replay', args)).stdout);
    expect(part).toMatchObject({ frames: 60, part: { region: {}, size: {} } });
    expect(part.part.region.width).toBeLessThanOrEqual(1);
    expect(part.visits.length).toBeGreaterThan(0);
  });

  test('says in one sentence that the video is missing', async () => {
    const { code, stdout, stderr } = await runCommand('replay', [join(folder, 'no.mp4'), '--scene', scene]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^The video .*no\.mp4 does not exist.*\n$/);
  });
});
