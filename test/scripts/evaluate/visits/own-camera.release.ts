import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ShopTruth } from '../../../../scripts/evaluate/shop/truth.ts';
import { visitsCommand } from '../../../../scripts/evaluate/visits/command.ts';
import { type evaluateOwnCamera, ownCameraText } from '../../../../scripts/evaluate/visits/own-camera.ts';
import { runCommand } from '../../../support/command.ts';

const HEADER = 'person,queueEnteredAt,queueLeftAt,serviceStartedAt,serviceEndedAt';
const SECONDS = 45;
let folder: string;
let video: string;
let scene: string;
let labels: string[];
let report: Awaited<ReturnType<typeof evaluateOwnCamera>>;

async function evaluate(lines: readonly string[], ...options: string[]) {
  const path = join(folder, 'labels.csv');
  await writeFile(path, [HEADER, ...lines].join('\n'));
  return runCommand('evaluate', ['visits', '--video', video, '--labels', path, ...options]);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'own-camera-'));
  video = join(folder, 'till.mp4');
  scene = join(folder, 'scene.json');
  await runCommand('simulate', ['--seed', '4', '--minutes', String(SECONDS / 60), '--out', video]);
  const truth = JSON.parse(await readFile(join(folder, 'till.truth.json'), 'utf8')) as ShopTruth;
  await writeFile(scene, JSON.stringify({ zones: truth.zones, parameters: truth.parameters }));
  labels = labelsOfTruth(truth);
  // Of the first person who is in the video nobody wrote, and of one who is not there somebody did.
  const lines = [...labels.slice(1), 'nobody,0:00,0:11.5,,'];
  const { code, stdout, stderr } = await evaluate(lines, '--scene', scene, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  report = JSON.parse(stdout);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What somebody would write who sees the simulated shop's people. Nobody in it comes twice within the time. */
const labelsOfTruth = ({ persons }: ShopTruth): string[] =>
  persons.flatMap(({ id, queue: [queue], checkout: [service] }) => {
    if (!queue && !service) return [];
    return [
      [`person ${id}`, ...(queue ?? ['', '']), ...(service ?? ['', ''])].map((cell) => cell ?? '').join(','),
    ];
  });

describe('the evaluation of your own camera', () => {
  test('has the figures of the sequences, wait and service, outcomes, and the missed and invented visits', () => {
    const figures = report.sequences['till.mp4']!;
    expect(Object.keys(figures)).toEqual(Object.keys(report.moving));
    expect(figures.truthVisits).toBe(labels.length);
    // At least half of a simulated shop is seen right, whatever kernels the processor has.
    expect(figures.f1).toBeGreaterThan(0.5);
    expect(report).toMatchObject({
      static: figures,
      combined: figures,
      moving: { truthVisits: 0, f1: null },
      seeds: [],
    });
    expect(report.video).toMatchObject({
      frames: 225,
      seconds: SECONDS,
      labels: labels.length,
      firstLabelAt: 0,
      queue: figures,
      staff: null,
    });
    const { missed, invented, wait, outcomes } = report.video;
    expect(missed).toContainEqual({ zone: 'queue', person: 'nobody', from: 0, to: 11.5, bestIou: 0 });
    const [from, to] = labels[0]!.split(',').slice(1).map(Number);
    const unwritten = invented.filter((one) => Math.abs(one.from - from!) < 2 && Math.abs(one.to - to!) < 2);
    expect(unwritten).toHaveLength(1);
    expect(wait.errorSeconds).toBeLessThan(3);
    expect(outcomes.compared).toBeGreaterThan(0);
  });

  test('is printed as tables with times in the format of video players', () => {
    const text = ownCameraText(report);
    expect(text).toMatch(/^till\.mp4: 0:45\.0, 225 frames .* labels from 0:00\.0 to 0:\d\d\.\d$/m);
    expect(text).toMatch(/^queue +\d+ +\d+ +[01]\.\d{3}/m);
    expect(text).toMatch(/^wait +\d+\.\d s +\d+\.\d s/m);
    expect(text).toMatch(/^Missed: \d+$/m);
    expect(text).toMatch(/^queue +0:00\.0 +0:11\.5 +nobody +0\.00$/m);
  });

  test.each([
    [
      'times after its end',
      ['a,3,20,,', 'b,30,46.5,,', 'c,10:00,11:00,,'],
      /:\n {2}line 3: 46\.5 s \(0:46\.5\) is after the end of the video at 45\.0 s \(0:45\.0\)\n {2}line 4: 660 s \(11:00\.0\)/,
    ],
    [
      'a line that ends before it begins',
      ['a,20,3,,'],
      /line 2: queueLeftAt \(3\) must be later than queueEnteredAt \(20\)/,
    ],
  ])('%s is an error and no figure', async (_, lines, message) => {
    const { code, stdout, stderr } = await evaluate(lines, '--scene', scene);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
  });

  const command = (...options: string[]) =>
    visitsCommand().exitOverride().parseAsync(options, { from: 'user' });

  test('without a scene the whole frame is the queue zone, and there is no checkout', async () => {
    const path = join(folder, 'served.csv');
    await writeFile(path, `${HEADER}\na,3,20,21,30\n`);
    await expect(command('--video', video, '--labels', path)).rejects.toThrow(
      /line 2: has serviceStartedAt, and the scene has no checkoutZone; give a --scene with it/,
    );
  });

  test.each([
    [['--labels', 'x.csv'], /^Give --video and --labels together\.$/],
    [['--scene', 'x.json'], /^Give --video and --labels together\.$/],
    [[], /^Give a folder of sequences, or --video and --labels/],
    [
      ['root', '--video', 'x.mp4', '--labels', 'x.csv'],
      /^Choose one of a folder of sequences and --video\.$/,
    ],
    [
      ['--video', 'x.mp4', '--labels', 'x.csv', '--plain', '--seed', '3'],
      /^--seed, --plain cannot go with --video/,
    ],
    [['--video', 'x.mp4', '--labels', 'none.csv'], /^The labels none\.csv do not exist/],
    [
      ['--video', 'x.mp4', '--labels', 'x.csv', '--scene', 'no.json'],
      /^The scene file no\.json does not exist/,
    ],
  ])('%j is an error', async (options, message) => {
    await expect(command(...options)).rejects.toThrow(message);
  });
});
