import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { runAlerts } from './chaos/alerts.ts';
import { runCameras } from './chaos/cameras.ts';
import { Installation, type InstallationOptions } from './chaos/installation.ts';
import { runKills } from './chaos/kills.ts';
import { runOutage } from './chaos/outage.ts';
import { runRestarts } from './chaos/restarts.ts';
import { runStarts } from './chaos/starts.ts';
import { positive } from './option-values.ts';
import { printMeasured } from './print-measured.ts';
import { main, table } from './terminal.ts';

interface Common {
  readonly leaseSeconds: number;
  readonly history?: string;
  readonly json?: boolean;
}

const program = new Command('chaos').description(
  'Breaks an installation of its own (Postgres, API, workers) on purpose, records every operation and checks the\nhistory afterwards. Exit code 0 only if every promise was kept. CHAOS_KEEP=1 keeps the folder with the logs.',
);

/** A part with an installation of its own. */
function part(name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--lease-seconds <n>', 'how long a node holds a run without renewing it', positive, 15)
    .option('--history <file>', 'write every operation of the harness there, as JSON')
    .option('--json', 'print one JSON document');
}

/** @param needed the programs of the part */
async function within<Result extends { passed: boolean }>(
  { leaseSeconds, history, json }: Common,
  needed: Pick<InstallationOptions, 'workers' | 'apiJobs'>,
  run: (installation: Installation) => Promise<Result>,
): Promise<void> {
  const installation = await Installation.open({ ...needed, leaseSeconds });
  try {
    report(json, await run(installation));
  } finally {
    if (history) await writeFile(history, `${JSON.stringify(installation.operations, null, 2)}\n`);
    await installation.close();
  }
}

function report(json: boolean | undefined, result: { passed: boolean }): void {
  const shown = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  printMeasured(json, result, () =>
    table([['measure', 'value'], ...Object.entries(result).map(([name, value]) => [name, shown(value)])]),
  );
  if (!result.passed) process.exitCode = 1;
}

part('starts', 'Many starts of one scene at once: one 202, the rest ALREADY_RUNNING.')
  .option('--concurrent <n>', 'starts', positive, 500)
  .action((options: Common & { concurrent: number }) =>
    within(options, { workers: 1 }, (installation) => runStarts(installation, options)),
  );

part('kills', 'kill -9 of one of two workers, again and again: the other goes on with every run.')
  .option('--rounds <n>', 'kills', positive, 50)
  .option('--scenes <n>', 'simulated cameras, a scene each', positive, 4)
  .option('--fps <n>', 'frames a second of each', positive, 2)
  .option('--within-seconds <n>', 'every run has to go on within so long', positive, 20)
  .action((options: Common & Parameters<typeof runKills>[1]) =>
    within(options, { workers: 2 }, (installation) => runKills(installation, options)),
  );

part('restarts', 'Restarts of Postgres under load, in order and by crash, short and longer than a lease.')
  .option('--restarts <n>', 'restarts', positive, 20)
  .option('--scenes <n>', 'simulated cameras, a scene each', positive, 4)
  .option('--fps <n>', 'frames a second of each', positive, 2)
  .action((options: Common & Parameters<typeof runRestarts>[1]) =>
    within(options, { workers: 1 }, (installation) => runRestarts(installation, options)),
  );

part(
  'cameras',
  'Faults between cameras and their node: refused, silent, frozen, garbage, cut, resized, two minutes away.',
)
  .option('--faults <n>', 'faults, over all cameras', positive, 100)
  .option('--cameras <n>', 'cameras at once', positive, 8)
  .option('--fps <n>', 'frames a second of each', positive, 2)
  .option('--long-share <n>', 'share of faults longer than 35 s', positive, 0.44)
  .option('--seed <n>', 'of the order and lengths of faults', positive, 1)
  .action((options: Common & Parameters<typeof runCameras>[1]) =>
    within(options, { workers: 1 }, (installation) => runCameras(installation, options)),
  );

part(
  'alerts',
  'kill -9 of a worker, again and again, while rules fire and insights are written; made-up frames.',
)
  .option('--kills <n>', 'kills', positive, 100)
  .option('--firings <n>', 'alerts at least', positive, 1_000)
  .option('--rules <n>', 'rules, five a scene', positive, 50)
  .option('--speed <n>', 'seconds of frame time in a second', positive, 20)
  .action((options: Common & Parameters<typeof runAlerts>[1]) =>
    // Only the worker that is killed writes insights.
    within(options, { workers: 0, apiJobs: false }, (installation) => runAlerts(installation, options)),
  );

program
  .command('outage')
  .description(
    'The network is away for an hour of virtual time; real streams try to reach their cameras meanwhile.',
  )
  .option('--cameras <n>', 'streams', positive, 16)
  .option('--minutes <n>', 'how long, virtual', positive, 60)
  .option('--fps <n>', 'frames a second of each', positive, 2)
  .option('--json', 'print one JSON document')
  .action(async (options: Common & Parameters<typeof runOutage>[0]) =>
    report(options.json, await runOutage(options)),
  );

await main(() => program.parseAsync());
