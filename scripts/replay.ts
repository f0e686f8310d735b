import { Command, InvalidArgumentError } from 'commander';
import { DEFAULT_MODEL } from '../src/models/cards.ts';
import type { Replay, ReplayedVisit } from './replay/replay-record.ts';
import { replayVideo } from './replay/replay-video.ts';
import { readScene } from './replay/scene-file.ts';
import { shown as shownValue } from './support/numbers.ts';
import { printing } from './support/printing.ts';
import { main, table } from './support/terminal.ts';

interface Options {
  readonly scene: string;
  readonly model: string;
  readonly fps: number;
  readonly region: boolean;
}

function framesPerSecond(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 120) return value;
  throw new InvalidArgumentError('It must be a number above 0, 120 at most.');
}

const shown = (seconds: number | null): string => shownValue(seconds, 1);

function partText({ region, size }: NonNullable<Replay['part']>): string {
  const { left, top, width, height } = region;
  const share = [left, top, left + width, top + height].map((value) => value.toFixed(2)).join(' ');
  return `left, top, right, bottom ${share} of the picture at ${size.width}x${size.height}`;
}

const row = (visit: ReplayedVisit): (string | number)[] => [
  ...[visit.trackId, shown(visit.queueEnteredAt), shown(visit.queueLeftAt)],
  ...[shown(visit.serviceStartedAt), shown(visit.serviceEndedAt), visit.outcome],
  ...[shown(visit.waitSeconds), shown(visit.serviceSeconds)],
];

function report({ frames, seconds, visits, totals, staff, part }: Replay): string {
  const heading = ['track', 'queue from', 'to', 'service from', 'to', 'outcome', 'wait s', 'service s'];
  const { completed, abandoned } = totals;
  return [
    table([heading, ...visits.map(row)]),
    '',
    `${frames} frames, ${seconds.toFixed(1)} s: ${completed.count} served, ${abandoned.count ?? '-'} gave up, ${totals.lostCount} lost`,
    `wait ${shown(completed.avgWaitSeconds)} s, service ${shown(completed.avgServiceSeconds)} s on average`,
    ...(part ? [`analysed: ${partText(part)}`] : []),
    ...(staff
      ? [`${staff.people} staff, decided after ${shown(staff.meanDecisionSeconds)} s on average`]
      : []),
  ].join('\n');
}

const program = new Command('replay')
  .description(
    'Sends a video through detector, tracker and zones as fast as possible, and lists every visit.\nNeeds no database. Visits that are open when the video ends get the outcome `lost`.',
  )
  .argument('<video>', 'a video file')
  .requiredOption('--scene <file.json>', '{ "zones": …, "parameters": … } as in the API')
  .option('--model <name>', 'detector: a name of `npm run models -- list`', DEFAULT_MODEL)
  .option('--fps <n>', 'at most this many frames a second to analyse', framesPerSecond, 5)
  .option('--region', 'the detector sees only the part of the picture around the zones', false)
  .option('--json', 'print one JSON document; times in seconds of the video')
  .addHelpText('after', '\nExample:\n  npm run -s replay -- shop.mp4 --scene scene.json --json')
  .action(
    printing(
      async (video: string, { scene, model, fps, region: isRegion }: Options) =>
        replayVideo({ video, config: await readScene(scene), model, fps, isRegion }),
      report,
    ),
  );

await main(() => program.parseAsync());
