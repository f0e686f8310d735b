import { setTimeout as pause } from 'node:timers/promises';
import { cpuSecondsOf, cpuSecondsOfEnded } from '../support/cpu-time.ts';
import { type Camera, Installation } from '../support/installation.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import { median, quantile, sum } from '../support/numbers.ts';
import { processTree } from '../support/process-tree.ts';
import { progress, table } from '../support/terminal.ts';
import { LiveClient } from './live/live-client.ts';

const MAX_P95_MS = 400;
/** Of one core, for each watched camera, in the lane and in the worker. */
const MAX_CORE_PERCENT = 3;
const SETTLE_MS = 3_000;

/** CPU time of the programs, in seconds since their start. */
interface Cpu {
  readonly lane: number;
  readonly worker: number;
  readonly api: number;
  readonly database: number;
}

type Program = keyof Cpu;
const PROGRAMS: readonly Program[] = ['lane', 'worker', 'api', 'database'];

/** A time with a number of watched cameras. */
interface Round {
  readonly watched: number;
  /** Percent of a core. */
  readonly cpu: Cpu;
  readonly latenciesMs: readonly number[];
  readonly parts: number;
  readonly bytes: number;
  readonly walBytesPerSecond: number;
  readonly seconds: number;
}

export const live = measuringCommand({
  name: 'live',
  description:
    'Live pictures: an installation of its own with simulated cameras, API, worker and lane as separate processes, of ' +
    'which none, one and all cameras are watched in turns. Prints the time from the frame to the client, the CPU time of ' +
    'each program, and what the pictures cost the database. Exit code 0 only if p95 is at most 400 ms, and lane and ' +
    'worker need at most 3 % of a core each for a watched camera.',
  options: {
    cameras: ['cameras', 4],
    fps: ['frames a second of each, and pictures a second that are asked for', 5],
    width: ['width of the pictures that are asked for', 640],
    watchers: ['clients that watch each watched camera', 1],
    rounds: ['how often each number of cameras is watched', 5],
    seconds: ['length of a round', 20],
  },
  async measure(options) {
    const { cameras: count, fps, width, watchers, rounds, seconds } = options;
    const installation = await Installation.open({ workers: 1 });
    try {
      const { cameras, taskIds } = await installation.startShops('Live', { scenes: count, fps });
      await installation.untilFrames(taskIds, 0, 120);
      const levels = [...new Set([0, 1, count])];
      const bar = progress('live', rounds * levels.length, 'rounds');
      const measured: Round[] = [];
      const sizes: number[] = [];
      for (let round = 0; round < rounds; round++) {
        for (const level of levels) {
          const wanted = { fps, width, watchers };
          measured.push(await measureRound(installation, cameras.slice(0, level), { wanted, seconds }));
          sizes.push(await pictureBytes(installation));
          bar.step();
        }
      }
      bar.stop();
      const byLevel = levels.map((watched) => summarise(measured, watched, taskIds.length));
      const all = byLevel.at(-1)!;
      const passed =
        all.p95Ms <= MAX_P95_MS &&
        all.coreForEach.lane <= MAX_CORE_PERCENT &&
        all.coreForEach.worker <= MAX_CORE_PERCENT;
      return { ...options, byLevel, largestTableBytes: Math.max(...sizes), passed };
    } finally {
      await installation.close();
    }
  },
  report({ byLevel, largestTableBytes, watchers }) {
    const cpu = (values: Cpu) => PROGRAMS.map((name) => values[name].toFixed(1)).join(' / ');
    return [
      table([
        [
          'watched',
          'p50 ms',
          'p95 ms',
          'max ms',
          'parts/s',
          'kB each',
          'CPU % lane/worker/API/database',
          '… a watched camera',
          'WAL B/s',
        ],
        ...byLevel.map((level) => [
          ...[level.watched, level.p50Ms, level.p95Ms, level.maxMs, level.partsPerSecond.toFixed(1)],
          ...[
            (level.bytesEach / 1000).toFixed(1),
            cpu(level.cpu),
            cpu(level.coreForEach),
            level.walBytesPerSecond,
          ],
        ]),
      ]),
      `Each watched camera had ${watchers} watchers. The table of pictures had at most ${Math.round(largestTableBytes / 1000)} kB, with index.`,
    ].join('\n');
  },
});

interface RoundOptions {
  readonly wanted: { readonly fps: number; readonly width: number; readonly watchers: number };
  readonly seconds: number;
}

async function measureRound(
  installation: Installation,
  watched: readonly Camera[],
  { wanted: { fps, width, watchers }, seconds }: RoundOptions,
): Promise<Round> {
  const clients = await Promise.all(
    watched.flatMap(({ deviceId }) =>
      Array.from({ length: watchers }, () =>
        LiveClient.open(
          `${installation.baseUrl}/api/v1/devices/${deviceId}/live?fps=${fps}&width=${width}`,
          installation.key,
        ),
      ),
    ),
  );
  await pause(SETTLE_MS);
  for (const client of clients) client.reset();
  const [cpu, wal, startMs] = [cpuOf(installation), await walBytes(installation), performance.now()];
  await pause(seconds * 1000);
  const after = cpuOf(installation);
  const tookSeconds = (performance.now() - startMs) / 1000;
  const walAfter = await walBytes(installation);
  for (const client of clients) client.close();
  const percent = (name: Program) => ((after[name] - cpu[name]) / tookSeconds) * 100;
  return {
    watched: watched.length,
    cpu: {
      lane: percent('lane'),
      worker: percent('worker'),
      api: percent('api'),
      database: percent('database'),
    },
    latenciesMs: clients.flatMap(({ latenciesMs }) => latenciesMs),
    parts: sum(clients.map(({ latenciesMs }) => latenciesMs.length)),
    bytes: sum(clients.map(({ bytes }) => bytes)),
    walBytesPerSecond: (walAfter - wal) / tookSeconds,
    seconds: tookSeconds,
  };
}

function cpuOf(installation: Installation): Cpu {
  const secondsOf = (pids: readonly number[]) => sum(pids.map((pid) => cpuSecondsOf(pid) ?? 0));
  const tree = (pid: number) => processTree(pid).map((each) => each.pid);
  const worker = installation.workers[0]!.pid;
  return {
    lane: secondsOf(tree(worker).filter((pid) => pid !== worker)),
    worker: secondsOf([worker]),
    api: secondsOf([installation.api.pid]),
    // Each connection is a process, which may have ended meanwhile.
    database: secondsOf(tree(installation.databasePid)) + (cpuSecondsOfEnded(installation.databasePid) ?? 0),
  };
}

async function walBytes(installation: Installation): Promise<number> {
  const [row] = await installation.query<{ bytes: number }>(
    `SELECT (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 AS bytes`,
  );
  return row!.bytes;
}

async function pictureBytes(installation: Installation): Promise<number> {
  const [row] = await installation.query<{ bytes: number }>(
    `SELECT pg_total_relation_size('"LivePicture"')::float8 AS bytes`,
  );
  return row!.bytes;
}

/** The medians of all rounds with a number of watched cameras, and what each of these cameras adds to rounds without any. */
function summarise(rounds: readonly Round[], watched: number, cameras: number) {
  const those = rounds.filter((round) => round.watched === watched);
  const idle = rounds.filter((round) => round.watched === 0);
  const cpuOfAll = (of: readonly Round[]): Cpu => ({
    lane: median(of.map(({ cpu }) => cpu.lane)),
    worker: median(of.map(({ cpu }) => cpu.worker)),
    api: median(of.map(({ cpu }) => cpu.api)),
    database: median(of.map(({ cpu }) => cpu.database)),
  });
  const [cpu, base] = [cpuOfAll(those), cpuOfAll(idle)];
  const added = (name: Program) => (watched === 0 ? 0 : (cpu[name] - base[name]) / watched);
  const latencies = those.flatMap(({ latenciesMs }) => latenciesMs);
  const at = (share: number) => (latencies.length === 0 ? 0 : Math.round(quantile(latencies, share)));
  const parts = sum(those.map((round) => round.parts));
  return {
    ...{ watched, cameras, cpu },
    coreForEach: {
      lane: added('lane'),
      worker: added('worker'),
      api: added('api'),
      database: added('database'),
    },
    ...{ p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) },
    partsPerSecond: parts / sum(those.map((round) => round.seconds)),
    bytesEach: parts === 0 ? 0 : sum(those.map((round) => round.bytes)) / parts,
    walBytesPerSecond: Math.round(median(those.map((round) => round.walBytesPerSecond))),
  };
}
