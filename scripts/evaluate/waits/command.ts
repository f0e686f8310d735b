import type { Command } from 'commander';
import { shown } from '../../support/numbers.ts';
import { count } from '../../support/options.ts';
import { printing } from '../../support/printing.ts';
import { table } from '../../support/terminal.ts';
import { evaluation } from '../options.ts';
import { replayVisits } from './replay-visits.ts';
import { scoreWaits, type WaitFigures } from './score-waits.ts';
import { readVisitLog } from './visit-log.ts';

interface WaitsOptions {
  readonly tills: boolean;
  readonly learnDays: number;
}

export const waitsCommand = (): Command =>
  evaluation('waits', 'Plays a log of visits through the predictor of waits and scores what it said.')
    .argument(
      '<visits.csv>',
      'person,queueEnteredAt,queueLeftAt,serviceStartedAt,serviceEndedAt,till; seconds, sorted by queueEnteredAt',
    )
    .option('--tills', 'tell the predictor at which till somebody is served', false)
    .option('--learn-days <days>', 'days at the begin for which nothing is scored', count(0, 3650), 7)
    .addHelpText('after', HELP)
    .action(printing(judge, textOf));

const HELP = `
Each prediction knows what had happened before it in the log, and nothing else. A join without a prediction is left out and counted
in summary.withoutPrediction by reason. foundQueue are those who find somebody waiting; an error is of those who were served.

Examples:
  npm run -s evaluate -- waits visits.csv --tills
  npm run -s evaluate -- waits visits.csv --learn-days 3 --json`;

async function judge(path: string, options: WaitsOptions) {
  const replayed = replayVisits(await readVisitLog(path), options);
  return { predictions: replayed.judged.map(({ said }) => said), summary: scoreWaits(replayed) };
}

function textOf({ summary }: Awaited<ReturnType<typeof judge>>): string {
  const heading = ['', 'served', 'mean wait', 'error', 'bias', 'in band %', 'band width'];
  const row = (name: string, figures: WaitFigures): string[] => [
    ...[name, String(figures.count), shown(figures.meanWait, 1), shown(figures.meanAbsoluteError, 1)],
    ...[shown(figures.bias, 1), shown(figures.insideBandPercent, 1), shown(figures.meanBandWidth, 0)],
  ];
  const { compared, foundQueueWithGivenUp: both } = summary;
  const rows = [
    row('all', summary.all),
    row('found a queue', summary.foundQueue),
    ...summary.days.map((day) => row(`  day ${day.day}`, day)),
    row('compared: ours', compared.ours),
    row('  people by completions of 15 min', compared.today),
    row('  wait of the last one served', compared.lastWait),
  ];
  const silent = Object.entries(summary.withoutPrediction).map(([reason, joins]) => `${reason} ${joins}`);
  return [
    `${summary.predictions} predictions; ${summary.served} were served, ${summary.gaveUp} gave up. Seconds:`,
    table([heading, ...rows]),
    `With those who gave up, ${shown(both.atLeastPercent, 1)} to ${shown(both.atMostPercent, 1)} % of ${both.count} were inside the band.`,
    `Without prediction: ${silent.join(', ') || 'none'}.`,
  ].join('\n');
}
