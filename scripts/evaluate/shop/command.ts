import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { nodeArguments } from '../../../src/platform/processes/program-file.ts';
import { meanOfKnown, shown } from '../../support/numbers.ts';
import { positive } from '../../support/options.ts';
import { printing } from '../../support/printing.ts';
import { parseJson, readJson } from '../../support/read-json.ts';
import { table } from '../../support/terminal.ts';
import { evaluation } from '../options.ts';
import { figuresOf, type ReplayedVisit, ReplaySchema, type ShopScore, scoreShop } from './score-shop.ts';
import { type ShopTruth, ShopTruthSchema } from './truth.ts';

interface Options {
  readonly model?: string;
  readonly fps: number;
  readonly visits?: string;
  readonly region?: boolean;
  readonly verbose?: boolean;
}

/** Replays the video with the zones and parameters of the truth. @returns the JSON of the command */
async function replay(video: string, { zones, parameters }: ShopTruth, options: Options): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'evaluate-shop-'));
  try {
    const scene = join(folder, 'scene.json');
    await writeFile(scene, JSON.stringify({ zones, parameters }));
    const model = options.model ? ['--model', options.model] : [];
    const part = options.region ? ['--region'] : [];
    const args = [
      ...nodeArguments('scripts/replay.ts'),
      video,
      '--scene',
      scene,
      '--fps',
      `${options.fps}`,
      '--json',
      ...model,
      ...part,
    ];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    if (code !== 0) throw new Error(`The replay of ${video} failed (exit code ${code}).`);
    return output;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function evaluateShop(video: string, truthPath: string, options: Options) {
  const truth = await readJson(truthPath, ShopTruthSchema, {
    name: 'truth file',
    advice: 'give the file that `npm run simulate` wrote beside the video',
  });
  const output = options.visits
    ? await readFile(options.visits, 'utf8')
    : await replay(video, truth, options);
  const source = { name: options.visits ?? 'output of replay', advice: 'give the output of `replay --json`' };
  const { visits } = parseJson(output, ReplaySchema, source);
  const frames = Math.floor(truth.seconds * options.fps);
  const framesAt = Array.from({ length: frames }, (_, frame) => frame / options.fps);
  const score = scoreShop(truth, visits, framesAt);
  if (options.verbose) process.stderr.write(`${visitDetails(score)}\n`);
  return { scenario: truth.scenario ?? 'classic', ...reportOf(score) };
}

export function reportOf(score: ShopScore) {
  const { truthVisits, queueLengthErrorPercent, queueLengthBiasPercent } = figuresOf([score]);
  return {
    /** Scripted visits that the video shows to their end. */
    truthVisits,
    matched: score.pairs.length,
    missed: score.missed.length,
    invented: score.invented.length,
    outcomeRight: score.outcomeRight,
    waitErrorSeconds: meanOfKnown(score.waitErrors),
    serviceErrorSeconds: meanOfKnown(score.serviceErrors),
    queueLengthErrorPercent,
    queueLengthBiasPercent,
  };
}

function describe(report: Awaited<ReturnType<typeof evaluateShop>>): string {
  const of = (part: number, whole: number) =>
    whole === 0 ? `${part}` : `${part} (${((100 * part) / whole).toFixed(1)} %)`;
  return table([
    ['What', 'Value'],
    ['scenario', report.scenario],
    ['scripted visits', report.truthVisits],
    ['matched', of(report.matched, report.truthVisits)],
    ['missed', of(report.missed, report.truthVisits)],
    ['invented', of(report.invented, report.truthVisits)],
    ['outcome right', of(report.outcomeRight, report.matched)],
    ['mean error of waiting', shown(report.waitErrorSeconds, 2, 's')],
    ['mean error of service', shown(report.serviceErrorSeconds, 2, 's')],
    ['error of the queue length', shown(report.queueLengthErrorPercent, 1, '%')],
    ['bias of the queue length', shown(report.queueLengthBiasPercent, 1, '%')],
  ]);
}

const LARGE_ERROR_SECONDS = 1.5;

/** One line for each visit that was missed, invented or reported wrongly. */
export function visitDetails({ pairs, missed, invented, waitErrors, serviceErrors }: ShopScore): string {
  const s = (value: number | null) => shown(value, 1);
  const reportedText = (v: ReplayedVisit) =>
    `track ${v.trackId}: queue ${s(v.queueEnteredAt)}-${s(v.queueLeftAt)} service ${s(v.serviceStartedAt)}-${s(v.serviceEndedAt)} ${v.outcome}`;
  const isWrong = ({ expected, reported }: (typeof pairs)[number], at: number) =>
    expected.outcome !== reported.outcome ||
    [waitErrors[at]!, serviceErrors[at]!].some((error) => error !== null && error > LARGE_ERROR_SECONDS);
  return [
    ...missed.map((v) => `missed   person ${v.personId}: ${s(v.start)}-${s(v.end)} ${v.outcome}`),
    ...invented.map((v) => `invented ${reportedText(v)}`),
    ...pairs
      .filter(isWrong)
      .map(
        ({ expected: e, reported }) =>
          `differs  person ${e.personId}: ${s(e.start)}-${s(e.end)} wait ${s(e.waitSeconds)} service ${s(e.serviceSeconds)} ${e.outcome} | ${reportedText(reported)}`,
      ),
  ].join('\n');
}

export const shopCommand = (): Command =>
  evaluation(
    'shop',
    'Compares the visits found in a simulated video with its script, matched one to one by temporal IoU ≥ 0.5.',
  )
    .argument('<video>', 'made by `npm run simulate`')
    .argument('<truth.json>', 'written beside the video')
    .option('--model <name>', 'detector (default: that of replay)')
    .option('--fps <n>', 'frames a second to analyse', positive, 5)
    .option('--region', 'the detector sees only the part of the picture around the zones')
    .option('--visits <file>', 'score this output of `replay --json` instead of replaying the video')
    .option('--verbose', 'list every wrong visit on standard error')
    .action(printing(evaluateShop, describe));
