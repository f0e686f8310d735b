import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { migrate } from '../support/database.ts';
import { startOwnCluster } from '../support/own-cluster.ts';
import { printMeasured } from '../support/print-measured.ts';
import { progress, table } from '../support/terminal.ts';
import { type BesideRequestsResult, besideRequests, type Latency } from './webhooks/beside-requests.ts';
import { type KillResult, killDeliverers } from './webhooks/kills.ts';
import { type FairnessResult, fairness, type ThroughputResult, throughput } from './webhooks/speed.ts';
import { openWorld, type World } from './webhooks/world.ts';

interface Options {
  readonly deliveries: number;
  readonly users: number;
  readonly seconds: number;
  readonly kills: number;
  readonly events: number;
  readonly json?: boolean;
}

interface WebhookBench {
  readonly throughput: ThroughputResult;
  readonly fairness: FairnessResult;
  readonly besideRequests: BesideRequestsResult;
  readonly kills: KillResult | null;
}

/** Each part in a database of its own, so that none inherits the other's queue. */
async function inWorld<Result>(use: (world: World) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'analytics-webhooks-'));
  const database = await startOwnCluster({ dataDir: join(folder, 'postgres') });
  try {
    await migrate(database.url);
    const world = await openWorld(database.url, folder);
    return await use(world).finally(() => world.stop());
  } finally {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function benchWebhooks({ deliveries, users, seconds, kills, events }: Options): Promise<WebhookBench> {
  const bar = progress('bench', 3 + kills, 'steps');
  const fast = await inWorld((world) => throughput(world, deliveries));
  bar.update(1);
  const blackHoled = Math.round(users / 10);
  const fair = await inWorld((world) => fairness(world, { users, blackHoled, seconds }));
  bar.update(2);
  const pace = { requestsPerSecond: 100, deliveriesPerSecond: 100, seconds };
  const beside = await inWorld((world) => besideRequests(world, pace));
  bar.update(3);
  const onKill = (done: number) => bar.update(3 + done);
  const killed =
    kills > 0 ? await inWorld((world) => killDeliverers(world, { events, kills, users: 20, onKill })) : null;
  bar.stop();
  return { throughput: fast, fairness: fair, besideRequests: beside, kills: killed };
}

function report({ throughput: fast, fairness: fair, besideRequests: beside, kills }: WebhookBench): string {
  const shown = ({ p50Ms, p95Ms, p99Ms }: Latency) => `${p50Ms} / ${p95Ms} / ${p99Ms} ms`;
  return table([
    ['measure', 'value', 'aim'],
    ['deliveries a second, one process', fast.perSecond.toFixed(0), '≥ 200'],
    [
      `p50 / p95 / max of ${fair.users} users, ${fair.blackHoled} black-holed`,
      `${fair.p50Ms} / ${fair.p95Ms} / ${fair.maxMs} ms`,
      'p95 ≤ 2 s',
    ],
    [`p50 / p95 / p99 of ${beside.requestsPerSecond} requests/s to an API`, shown(beside.idle), '–'],
    [
      `while another process makes ${beside.deliveriesPerSecond} deliveries/s`,
      shown(beside.otherDelivers),
      '–',
    ],
    [
      `while it makes ${beside.deliveriesPerSecond} deliveries/s itself, no worker alive`,
      shown(beside.apiDelivers),
      '–',
    ],
    ...(kills
      ? [
          [`${kills.events} events, ${kills.kills} kills: lost`, String(kills.lost), '0'],
          ['repeats, of them changed', `${kills.repeats}, ${kills.changed}`, '–, 0'],
          ['untrue records', String(kills.untrue), '0'],
        ]
      : []),
  ]);
}

function whole(text: string): number {
  const value = Number(text);
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return value;
}

export const webhooksCommand = (): Command =>
  new Command('webhooks')
    .description(
      'Deliveries a second, how long others wait while receivers do not answer, what an API that\ndelivers answers meanwhile, and what is left of events when the deliverer is killed again and again. Exit code 0 only if nothing was lost and every record is true.',
    )
    .option('--deliveries <n>', 'deliveries to fast receivers', whole, 3_000)
    .option('--users <n>', 'users of whom a tenth has a receiver that never answers', whole, 50)
    .option('--seconds <n>', 'how long each of them gets an event a second', whole, 20)
    .option('--kills <n>', 'how often the deliverer is killed; 0 leaves this out', whole, 50)
    .option('--events <n>', 'events meanwhile', whole, 2_000)
    .option('--json', 'print one JSON document')
    .action(async (options: Options) => {
      const result = await benchWebhooks(options);
      printMeasured(options.json, result, () => report(result));
      const { kills } = result;
      if (kills && kills.lost + kills.changed + kills.untrue > 0) process.exitCode = 1;
    });
