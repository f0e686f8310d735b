import { Command } from 'commander';
import { median } from '../support/median.ts';
import { count } from '../support/options.ts';
import { printMeasured } from '../support/print-measured.ts';
import { progress, table } from '../support/terminal.ts';
import { type BenchCase, detailRequests, readCases, readRows, startRequests } from './api/cases.ts';
import { openBenchDatabase } from './api/database.ts';
import { addNode, resetScenes } from './api/idle-scenes.ts';
import { type Measured, measure } from './api/measure.ts';
import { CORES, canPin, pin } from './api/pin.ts';
import { type Program, startApi, startBare } from './api/programs.ts';

interface Options {
  readonly users: number;
  readonly alerts: number;
  readonly snapshots: number;
  readonly connections: number;
  readonly readers: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly json?: boolean;
}

interface Result extends Measured {
  readonly name: string;
  readonly connections: number;
  readonly maxP95Ms: number | null;
}

export interface ApiBench {
  readonly pinned: boolean;
  /** Median of the rounds. */
  readonly detail: Measured;
  readonly bare: Measured;
  /** Requests a second of the detail ÷ those of the bare handler, median of the rounds. */
  readonly ratio: number;
  /** CPU of the bare handler ÷ that of the detail, for one request: the same ratio, whatever else the machine does. */
  readonly cpuRatio: number | null;
  readonly results: readonly Result[];
}

const WARM_UP_SECONDS = 5;

async function benchApi({ users, alerts, snapshots, ...options }: Options): Promise<ApiBench> {
  const { connections, readers, seconds, rounds } = options;
  const until = new Date(new Date().setUTCHours(0, 0, 0, 0));
  const plan = { seed: 1, users, devices: 2, alerts, snapshots, until };
  const rest = { pictured: 20_000, rolling: 100_000, tasks: 20_000, usage: 200_000, usageDays: 60 };
  const database = await openBenchDatabase({ ...plan, ...rest });
  const programs: { stop(): Promise<void> }[] = [];
  try {
    const pinned = await canPin();
    if (pinned) await Promise.all([pin(database.pid, CORES.rest), pin(process.pid, CORES.rest)]);
    await resetScenes(database.url);
    const rows = await readRows(database.url, database.keys);
    const cases = readCases(rows);
    const bar = progress('bench', 2 * rounds + cases.length + 2, 'cases');
    let done = 0;
    const step = async <Value>(value: Promise<Value>): Promise<Value> => {
      const result = await value;
      bar.update(++done);
      return result;
    };

    const api = await startApi(database, pinned);
    programs.push(api);
    const bare = await startBare(database, pinned);
    programs.push(bare);
    const requests = detailRequests(rows);
    await step(measure(api, { connections, requests, seconds: WARM_UP_SECONDS }));
    await measure(bare, { connections, requests, seconds: WARM_UP_SECONDS });
    const pairs: { detail: Measured; bare: Measured }[] = [];
    // In turns: what else the machine does hits both.
    for (let round = 0; round < rounds; round++) {
      const detail = await step(measure(api, { connections, requests, seconds }));
      pairs.push({ detail, bare: await step(measure(bare, { connections, requests, seconds })) });
    }
    const results: Result[] = [];
    for (const one of cases) results.push(await step(readCase(api, one, { connections: readers, seconds })));
    await addNode(database.url);
    const starts = {
      connections: readers,
      requests: startRequests(rows),
      once: true,
      expectStatus: 202,
    } as const;
    const started = await step(measure(api, starts));
    results.push({ name: 'start of an idle analysis', connections: readers, maxP95Ms: null, ...started });
    bar.stop();
    return { pinned, ...summary(pairs), results };
  } finally {
    for (const program of programs) await program.stop();
    await resetScenes(database.url).finally(() => database.stop());
  }
}

async function readCase(
  api: Program,
  { name, requests, maxP95Ms }: BenchCase,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Result> {
  await measure(api, { connections: 1, requests, seconds: 1 });
  return { name, connections, maxP95Ms, ...(await measure(api, { connections, requests, seconds })) };
}

function summary(pairs: readonly { detail: Measured; bare: Measured }[]) {
  const of = (which: 'detail' | 'bare'): Measured => {
    const all = pairs.map((pair) => pair[which]);
    return {
      requests: all.reduce((sum, { requests }) => sum + requests, 0),
      requestsPerSecond: median(all.map(({ requestsPerSecond }) => requestsPerSecond)),
      p50Ms: median(all.map(({ p50Ms }) => p50Ms)),
      p95Ms: median(all.map(({ p95Ms }) => p95Ms)),
      p99Ms: median(all.map(({ p99Ms }) => p99Ms)),
      cpuMsPerRequest: median(all.map(({ cpuMsPerRequest }) => cpuMsPerRequest ?? Number.NaN)) || null,
    };
  };
  const cpuRatios = pairs.map(({ detail, bare }) =>
    detail.cpuMsPerRequest && bare.cpuMsPerRequest
      ? bare.cpuMsPerRequest / detail.cpuMsPerRequest
      : Number.NaN,
  );
  const ratio = median(pairs.map(({ detail, bare }) => detail.requestsPerSecond / bare.requestsPerSecond));
  return {
    detail: of('detail'),
    bare: of('bare'),
    ratio,
    cpuRatio: cpuRatios.some(Number.isNaN) ? null : median(cpuRatios),
  };
}

function report(
  { pinned, detail, bare, ratio, cpuRatio, results }: ApiBench,
  { connections }: Options,
): string {
  const line = (
    name: string,
    each: number,
    { requestsPerSecond, p50Ms, p95Ms, p99Ms, cpuMsPerRequest }: Measured,
    aim = '',
  ) => [
    name,
    each,
    requestsPerSecond.toFixed(0),
    ...[p50Ms, p95Ms, p99Ms].map((ms) => ms.toFixed(1)),
    cpuMsPerRequest?.toFixed(2) ?? '',
    aim,
  ];
  const missed = (one: Result) => one.maxP95Ms !== null && one.p95Ms > one.maxP95Ms;
  return [
    table([
      ['call', 'connections', 'requests/s', 'p50 ms', 'p95 ms', 'p99 ms', 'CPU ms', 'aim'],
      line('scenes/{id}', connections, detail, '≥ 1500/s, p99 ≤ 50'),
      line('bare express + pg', connections, bare),
      ...results.map((one) =>
        line(
          one.name,
          one.connections,
          one,
          one.maxP95Ms === null ? '' : `p95 ≤ ${one.maxP95Ms}${missed(one) ? ' MISSED' : ''}`,
        ),
      ),
    ]),
    '',
    `scenes/{id} ÷ bare: ${ratio.toFixed(2)} (aim: 0.8); by CPU time of the program ${cpuRatio?.toFixed(2) ?? 'unknown'}`,
    pinned
      ? 'The API had one core to itself; PostgreSQL and the load shared another.'
      : 'Without taskset and two cores the processes ran wherever there was room.',
  ].join('\n');
}

export function apiCommand(): Command {
  return new Command('api')
    .description(
      'Requests a second and times of the API over a large database, all in the name of its largest user, which has a\n' +
        'tenth of all alert events and insights. The database is seeded once (minutes) into DATA_DIR/bench and kept.\n' +
        'Its PostgreSQL has 1 GB of shared_buffers; otherwise it is as it comes.\n' +
        'The scene’s detail takes turns with a bare express + pg handler that has no key, no checks and no log.',
    )
    .option('--users <n>', 'users of the database', count(1), 200)
    .option('--alerts <n>', 'its alert events, each with an insight', count(20_000), 1_000_000)
    .option('--snapshots <n>', 'its snapshots', count(1000), 5_000_000)
    .option('--connections <n>', 'connections for the scene’s detail', count(1), 32)
    .option('--readers <n>', 'connections for everything else', count(1), 1)
    .option('--seconds <n>', 'of each case', count(1), 5)
    .option('--rounds <n>', 'turns of detail and bare handler; the median counts', count(1), 3)
    .option('--json', 'print one JSON document')
    .action(async (options: Options) => {
      const result = await benchApi(options);
      printMeasured(options.json, result, () => report(result, options));
    });
}
