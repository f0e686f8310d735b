import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import type { z } from 'zod';
import { positive } from '../../support/options.ts';
import { print, table } from '../../support/terminal.ts';
import { countShop, figuresOf, type ShopFigures } from './figures.ts';
import { type ReplayedVisit, ReplaySchema, type ShopVerdict } from './score-shop.ts';
import { type ShopTruth, ShopTruthSchema } from './truth.ts';

interface Options {
  readonly model?: string;
  readonly fps: number;
  readonly visits?: string;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

const REPLAY = fileURLToPath(new URL('../../replay.ts', import.meta.url));

function parse<T>(schema: z.ZodType<T>, text: string, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${what} is not JSON.`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw new Error(`${what} does not fit: ${issue.path.join('.') || 'top level'}: ${issue.message}`);
}

async function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => {
    throw new Error(`${path} cannot be read. A truth file is written by \`npm run simulate\`.`);
  });
}

/** Runs the replay tool on the video with the truth's zones and parameters. @returns its JSON */
async function replay(video: string, truth: ShopTruth, options: Options): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'evaluate-shop-'));
  try {
    const scene = join(folder, 'scene.json');
    await writeFile(scene, JSON.stringify({ zones: truth.zones, parameters: truth.parameters }));
    const model = options.model ? ['--model', options.model] : [];
    const args = [
      '--import',
      'tsx',
      REPLAY,
      video,
      '--scene',
      scene,
      '--fps',
      String(options.fps),
      '--json',
      ...model,
    ];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    if (code !== 0) throw new Error(`The replay of ${video} failed (exit code ${code}).`);
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function evaluateShop(video: string, truthPath: string, options: Options): Promise<void> {
  const truth = parse(ShopTruthSchema, await read(truthPath), truthPath);
  const text = options.visits ? await read(options.visits) : await replay(video, truth, options);
  const { visits } = parse(ReplaySchema, text, options.visits ?? 'The output of replay');
  const { fps } = options;
  const framesAt = Array.from({ length: Math.floor(truth.seconds * fps) }, (_, frame) => frame / fps);
  const { counts, verdict } = countShop(truth, visits, framesAt);
  if (options.verbose) process.stderr.write(`${visitDetails(verdict)}\n`);
  const { queueLengthErrorPercent, queueLengthBiasPercent } = figuresOf([counts]);
  const report = {
    ...{ scenario: truth.scenario ?? 'classic', ...verdict.report },
    ...{ queueLengthErrorPercent, queueLengthBiasPercent },
  };
  print(options.json, report, () => describe(report));
}

type VideoReport = ShopVerdict['report'] &
  Pick<ShopFigures, 'queueLengthErrorPercent' | 'queueLengthBiasPercent'> & { readonly scenario: string };

function describe(report: VideoReport): string {
  const percent = (value: number | null) => (value === null ? '-' : `${value.toFixed(1)} %`);
  const of = (part: number, whole: number) =>
    whole === 0 ? `${part}` : `${part} (${((100 * part) / whole).toFixed(1)} %)`;
  const error = (value: number | null) => (value === null ? '-' : `${value.toFixed(2)} s`);
  return table([
    ['What', 'Value'],
    ['scenario', report.scenario],
    ['scripted visits', report.truthVisits],
    ['matched', of(report.matched, report.truthVisits)],
    ['missed', of(report.missed, report.truthVisits)],
    ['invented', of(report.invented, report.truthVisits)],
    ['outcome right', of(report.outcomeRight, report.matched)],
    ['mean error of waiting', error(report.waitErrorSeconds)],
    ['mean error of service', error(report.serviceErrorSeconds)],
    ['error of the queue length', percent(report.queueLengthErrorPercent)],
    ['bias of the queue length', percent(report.queueLengthBiasPercent)],
  ]);
}

const LARGE_ERROR_SECONDS = 1.5;

/** One line for each visit that is not as it should be. */
export function visitDetails({ pairs, missed, invented }: ShopVerdict): string {
  const s = (value: number | null) => (value === null ? '-' : value.toFixed(1));
  const told = (v: ReplayedVisit) =>
    `track ${v.trackId}: queue ${s(v.queueEnteredAt)}-${s(v.queueLeftAt)} service ${s(v.serviceStartedAt)}-${s(v.serviceEndedAt)} ${v.outcome}`;
  const off = (a: number | null, b: number | null) =>
    a !== null && b !== null && Math.abs(a - b) > LARGE_ERROR_SECONDS;
  return [
    ...missed.map((v) => `missed   person ${v.personId}: ${s(v.start)}-${s(v.end)} ${v.outcome}`),
    ...invented.map((v) => `invented ${told(v)}`),
    ...pairs
      .filter(
        ({ expected: e, reported: r }) =>
          e.outcome !== r.outcome ||
          off(e.waitSeconds, r.waitSeconds) ||
          off(e.serviceSeconds, r.serviceSeconds),
      )
      .map(
        ({ expected: e, reported: r }) =>
          `differs  person ${e.personId}: ${s(e.start)}-${s(e.end)} wait ${s(e.waitSeconds)} service ${s(e.serviceSeconds)} ${e.outcome} | ${told(r)}`,
      ),
  ].join('\n');
}

export function shopCommand(): Command {
  return new Command('shop')
    .description(
      'Judges the visits found in a simulated video against its script, matched one to one by temporal IoU ≥ 0.5.',
    )
    .argument('<video>', 'made by `npm run simulate`')
    .argument('<truth.json>', 'written beside the video')
    .option('--model <name>', "detector (default: the replay tool's)")
    .option('--fps <n>', 'frames a second to analyse', positive, 5)
    .option('--visits <file>', 'judge this output of `replay --json` instead of replaying the video')
    .option('--verbose', 'list every miss on standard error')
    .option('--json', 'print one JSON document')
    .action(evaluateShop);
}
