import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ShopTruth } from '../../../../scripts/evaluate/shop/truth.ts';
import { tillsCommand } from '../../../../scripts/evaluate/tills/command.ts';
import { tillDrawing } from '../../../../scripts/evaluate/tills/draw-till.ts';
import { findFfmpeg } from '../../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { probeWithFfprobe } from '../../../../src/video/probe/ffprobe.ts';
import { parseStreamUrl } from '../../../../src/video/stream-url.ts';
import { runCommand } from '../../../support/command.ts';
import { FFMPEG_PATHS } from '../../../support/ffmpeg.ts';

const HEADER = 'person,queueEnteredAt,queueLeftAt,serviceStartedAt,serviceEndedAt';
const SECONDS = 20;
let folder: string;
let till: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tills-'));
  till = join(folder, 'films', 'drawn-shop');
  await mkdir(till, { recursive: true });
  const video = join(till, 'video.mp4');
  await runCommand('simulate', ['--seed', '4', '--minutes', String(SECONDS / 60), '--out', video]);
  const truth = JSON.parse(await readFile(join(till, 'video.truth.json'), 'utf8')) as ShopTruth;
  await writeFile(
    join(till, 'scene.json'),
    JSON.stringify({ zones: truth.zones, parameters: truth.parameters }),
  );
  const labels = truth.persons.flatMap(({ id, queue: [queue], checkout: [service] }) =>
    queue || service
      ? [
          [`person ${id}`, ...(queue ?? ['', '']), ...(service ?? ['', ''])]
            .map((cell) => cell ?? '')
            .join(','),
        ]
      : [],
  );
  await writeFile(join(till, 'labels.csv'), [HEADER, ...labels].join('\n'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const command = (...options: string[]) => tillsCommand().exitOverride().parseAsync(options, { from: 'user' });

describe('films of tills', () => {
  test('get their figures, and a copy that shows why', async () => {
    const picture = join(folder, 'why.mp4');
    const films = join(folder, 'films');
    const { code, stdout, stderr } = await runCommand('evaluate', [
      'tills',
      films,
      '--json',
      '--picture',
      picture,
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { clips, combined } = JSON.parse(stdout);
    expect(clips).toEqual({ 'drawn-shop': combined });
    expect(Object.keys(combined)).toEqual([
      ...['trueQueue', 'ourQueue', 'queueF1', 'trueServices', 'ourServices', 'serviceF1'],
      ...[
        'occupancyErrorPercent',
        'biasPercent',
        'withinOnePercent',
        'waitErrorSeconds',
        'serviceErrorSeconds',
        'tills',
      ],
    ]);
    expect(combined.trueQueue).toBeGreaterThan(0);
    const binaries = await findFfmpeg(FFMPEG_PATHS);
    const copy = await probeWithFfprobe({ address: parseStreamUrl(picture), binaries, timeoutMs: 10_000 });
    expect(copy.durationSeconds).toBeCloseTo(SECONDS, 0);
  });

  test('are drawn with boxes, people in the colour of their zone, and counts', () => {
    const box = { left: 0.1, top: 0.2, right: 0.3, bottom: 0.8 };
    const drawing = tillDrawing(
      {
        ...{ timeMs: 1500, open: { queued: 1, inService: 0 } },
        people: [{ id: 7, box, zone: 'queue' }],
        detections: [
          { box, score: 0.9, classId: 0 },
          { box, score: 0.1, classId: 0 },
        ],
      },
      { width: 640, height: 360 },
    );
    expect(drawing.match(/<rect/g)).toHaveLength(2);
    expect(drawing).toContain('cx="128" cy="288"');
    expect(drawing).toContain('1.5 s   queue 1   service 0');
  });

  test('that lack a file, a folder without films and a picture of another kind are errors', async () => {
    const bare = join(folder, 'bare', 'x');
    await mkdir(bare, { recursive: true });
    await expect(command(join(folder, 'bare'))).rejects.toThrow(/holds no films of tills/);
    await writeFile(join(bare, 'video.mp4'), '');
    await expect(command(join(folder, 'bare'))).rejects.toThrow(/x lacks scene\.json and labels\.csv\.$/);
    await expect(command(join(folder, 'nowhere'))).rejects.toThrow(/is not a folder that can be read/);
    await expect(command(till, '--picture', 'a.gif')).rejects.toThrow(/--picture must end in \.mp4/);
  });
});
