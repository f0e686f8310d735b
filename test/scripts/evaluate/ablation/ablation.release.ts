import { describe, expect, test } from '@jest/globals';
import { ablate, ablationTable } from '../../../../scripts/evaluate/ablation/command.ts';
import {
  type AblationFigures,
  type Material,
  measure,
} from '../../../../scripts/evaluate/ablation/measure.ts';
import type { Footage } from '../../../../scripts/evaluate/footage/footage.ts';
import { toDetection } from '../../../../scripts/evaluate/footage/mot-files.ts';
import { simulateShop } from '../../../../scripts/evaluate/simulated/simulated-shop.ts';
import { scoredFootage } from '../../../../scripts/evaluate/visits/scored-footage.ts';
import { IDENTITY_DEFAULTS } from '../../../../src/vision/identity/options.ts';
import { TRACKER_DEFAULTS } from '../../../../src/vision/track/options.ts';

/** Ten people stand in the frame one after the other for four seconds each, at five frames a second. */
function footage(): Footage {
  const size = { width: 1000, height: 500 };
  const frames = Array.from({ length: 250 }, (_, at) => {
    const within = at % 25;
    const row = {
      ...{ frame: at + 1, id: 1 + Math.floor(at / 25), left: 300 + within * 5, top: 290 },
      ...{ width: 24, height: 60, confidence: 0.9, classId: 1 },
    };
    const truth = within < 20 ? [row] : [];
    const detections = truth.map((one) => toDetection(one, size));
    return { frame: at + 1, timeMs: at * 200, detections, truth };
  });
  const trajectories = Array.from({ length: 10 }, (_, person) =>
    frames.slice(25 * person, 25 * person + 20).map(({ timeMs, truth: [row] }) => ({
      ...{ timeMs, x: (row!.left + row!.width / 2) / size.width },
      y: (row!.top + row!.height) / size.height,
    })),
  );
  return { name: 'Till', camera: 'static', size, frames, framesPerSecond: 5, trajectories, video: null };
}

const settings = { zones: 1, seed: 1, entry: 1, confidence: 0.6 };
const scored = scoredFootage(footage(), { ...settings, fps: 5 });
const shop = simulateShop({ scenario: 'crowd', detections: 'pets', seed: 1, minutes: 3, fps: 5 });
const MATERIAL: Material = { static: [scored], moving: [], slow: [], shops: [shop] };

describe('the ablation', () => {
  test.each([
    ['the tracker', 'no track is ever confirmed', { tracker: { confirmFrames: 1000 } }],
    [
      'the identity stage',
      'every person is treated as one who left before',
      { identity: { rarityOfBirths: 1e9 } },
    ],
  ])('a nonsensical option of %s lowers the figures of sequences and shops: %s', (_, __, tuning) => {
    const usual = measure(MATERIAL, {});
    expect(usual).toMatchObject({ static: 100, moving: null, slow: null });
    const nonsense = measure(MATERIAL, tuning);
    expect(nonsense.static).toBeLessThan(50);
    const shopOf = ({ invented, matched }: AblationFigures) => [invented, matched];
    expect(shopOf(nonsense)).not.toEqual(shopOf(usual));
  });

  test('the table has a row for every option of both stages, and a variant with another value than the default', async () => {
    const report = await ablate({ ...MATERIAL, shops: [] });
    const rows = ablationTable(report)
      .split('\n')
      .filter((line) => line.startsWith('| tracker') || line.startsWith('| identity'));
    expect(rows.map((line) => line.split(' | ')[0])).toEqual([
      ...Object.keys(TRACKER_DEFAULTS).map((option) => `| tracker \`${option}\``),
      ...Object.keys(IDENTITY_DEFAULTS).map((option) => `| identity \`${option}\``),
    ]);
    for (const { value, variants } of report.options) {
      expect(variants.length).toBeGreaterThan(0);
      expect(variants.map((variant) => variant.value)).not.toContain(value);
    }
  });
});
