import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readScene } from '../../../scripts/replay/scene-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scene-file-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a scene file', () => {
  const square = [
    [0, 0],
    [0.5, 0],
    [0.5, 1],
    [0, 1],
  ];

  test.each<[string, string, RegExp]>([
    ['no JSON', '{ zones', /is not JSON .*give a JSON file like/],
    ['no zones', '{}', /zones: must hold queueZone, checkoutZone or both/],
    [
      'a crossing polygon',
      JSON.stringify({
        zones: {
          queueZone: {
            type: 'polygon',
            points: [
              [0, 0],
              [1, 1],
              [1, 0],
              [0, 1],
            ],
          },
        },
      }),
      /zones\.queueZone\.points: Polygon refused: its edges 1 and 3 cross/,
    ],
    [
      'a threshold out of range',
      JSON.stringify({
        zones: { queueZone: { type: 'polygon', points: square } },
        parameters: { entryThresholdSeconds: 99 },
      }),
      /parameters\.entryThresholdSeconds: Too big/,
    ],
  ])('with %s is refused in one sentence', async (_, text, fault) => {
    const path = join(folder, 'bad.json');
    await writeFile(path, text);
    await expect(readScene(path)).rejects.toThrow(fault);
    await expect(readScene(path)).rejects.not.toThrow(/\n/);
  });

  test('that is missing is named', async () => {
    await expect(readScene(join(folder, 'none.json'))).rejects.toThrow(
      /none\.json does not exist; give a JSON file like/,
    );
  });
});
