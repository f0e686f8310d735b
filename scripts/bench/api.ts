import { lastMidnight } from '../seed/plan.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import { median } from '../support/numbers.ts';
import { count } from '../support/options.ts';
import type { Program, ServerProgram } from '../support/programs.ts';
import { progress, table } from '../support/terminal.ts';
import { type BenchCase, detailRequests, readCases, readRows, startRequests } from './api/cases.ts';
import { addNode, resetScenes } from './api/idle-scenes.ts';
import { aimCell, type Measured, measure, measuredCells } from './api/measure.ts';
import { CORES, canPin, pin } from './api/pin.ts';
import { openSeededDatabase } from './api/seeded-database.ts';

export const api = measuringCommand({
  name: 'api',
  description:
    'Requests a second and times of the API over a large database, all for its largest user, who has a tenth of all alert ' +
    'events and insights. The database is seeded once (minutes) into DATA_DIR/bench and kept. Its PostgreSQL has 1 GB of ' +
    "shared_buffers and otherwise its defaults. The scene's detail takes turns with a bare express + pg handler that has " +
    'no key, no checks and no log.',
  options: {
    users: ['users of the database', 200],
    alerts: ['its alert events, each with an insight', 1_000_000, count(20_000)],
    snapshots: ['its snapshots', 5_000_000, count(1000)],
    connections: ["connections for the scene's detail", 32],
    readers: ['connections for everything else', 1],
    seconds: ['how long each case is measured', 5],
    rounds: ['turns of detail and bare handler; the median counts', 3],
  },
  async measure({ users, alerts, snapshots, ...options }) {
    const { connections, readers, seconds, rounds } = options;
    const plan = { seed: 1, users, devices: 2, alerts, snapshots, until: lastMidnight() };
    const rest = { pictured: 20_000, rolling: 100_000, tasks: 20_000, usage: 200_000, usageDays: 60 };
    const database = await openSeededDatabase({ ...plan, ...rest });
    const programs: Program[] = [];
    try {
      const pinned = await canPin();
      if (pinned) await Promise.all([pin(database.pid, CORES.rest), pin(process.pid, CORES.rest)]);
      await resetScenes(database.url);
      const rows = await readRows(database.url, database.keys);
      const cases = readCases(rows);
      const bar = progress('bench', 2 * rounds + cases.length + 2, 'cases');
      const step = async <Value>(value: Promise<Value>): Promise<Value> => {
        const result = await value;
        bar.step();
        return result;
      };
      const start = async (file: string, readyPath: string) => {
        const program = await database.start(file, readyPath);
        programs.push(program);
        if (pinned) await pin(program.pid, CORES.api);
        return program;
      };

      const program = await start('src/api.ts', '/readyz');
      const handler = await start('scripts/bench/api/bare.ts', '/');
      const requests = detailRequests(rows);
      const warmUp = { connections, requests, seconds: WARM_UP_SECONDS };
      await step(measure(program, warmUp));
      await measure(handler, warmUp);
      const pairs: Pair[] = [];
      // They take turns, so that other load on the machine slows both.
      for (let round = 0; round < rounds; round++) {
        const detail = await step(measure(program, { connections, requests, seconds }));
        pairs.push({ detail, bare: await step(measure(handler, { connections, requests, seconds })) });
      }
      const results: CaseResult[] = [];
      for (const one of cases) {
        results.push(await step(measureCase(program, one, { connections: readers, seconds })));
      }
      await addNode(database.url);
      const starts = {
        connections: readers,
        requests: startRequests(rows),
        once: true,
        expectStatus: 202,
      } as const;
      const started = await step(measure(program, starts));
      results.push({ name: 'start of an idle analysis', connections: readers, maxP95Ms: null, ...started });
      bar.stop();
      return { pinned, connections, ...summary(pairs), results };
    } finally {
      for (const program of programs) await program.stop();
      await resetScenes(database.url).finally(() => database.stop());
    }
  },
  report({ pinned, connections, detail, bare, ratio, cpuRatio, results }) {
    const line = (name: string, each: number, measured: Measured, aim = '') => [
      ...[name, each, ...measuredCells(measured)],
      ...[measured.cpuMsPerRequest?.toFixed(2) ?? '', aim],
    ];
    return [
      table([
        ['call', 'connections', 'requests/s', 'p50 ms', 'p95 ms', 'p99 ms', 'CPU ms', 'aim'],
        line('scenes/{id}', connections, detail, '≥ 1500/s, p99 ≤ 50'),
        line('bare express + pg', connections, bare),
        ...results.map((one) =>
          line(one.name, one.connections, one, one.maxP95Ms === null ? '' : aimCell(one, one.maxP95Ms)),
        ),
      ]),
      '',
      `scenes/{id} ÷ bare: ${ratio.toFixed(2)} (aim: 0.8); by CPU time of the program ${cpuRatio?.toFixed(2) ?? 'unknown'}`,
      pinned
        ? 'The API had one core to itself; PostgreSQL and the load shared another.'
        : 'Without taskset and two cores the processes ran on any core.',
    ].join('\n');
  },
});

interface CaseResult extends Measured {
  readonly name: string;
  readonly connections: number;
  readonly maxP95Ms: number | null;
}

interface Pair {
  readonly detail: Measured;
  readonly bare: Measured;
}

const WARM_UP_SECONDS = 5;

async function measureCase(
  program: ServerProgram,
  { name, requests, maxP95Ms }: BenchCase,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<CaseResult> {
  await measure(program, { connections: 1, requests, seconds: 1 });
  return { name, connections, maxP95Ms, ...(await measure(program, { connections, requests, seconds })) };
}

function summary(pairs: readonly Pair[]) {
  const medians = (which: keyof Pair): Measured => {
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
  return {
    /** Medians of the rounds. */
    detail: medians('detail'),
    bare: medians('bare'),
    /** Requests a second of the detail ÷ those of the bare handler, median of the rounds. */
    ratio: median(pairs.map(({ detail, bare }) => detail.requestsPerSecond / bare.requestsPerSecond)),
    /** CPU time per request of the bare handler ÷ that of the detail: the same ratio, without other load. */
    cpuRatio: cpuRatios.some(Number.isNaN) ? null : median(cpuRatios),
  };
}
