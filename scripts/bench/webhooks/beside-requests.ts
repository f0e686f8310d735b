import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { createUser } from '../../../src/access/administer.ts';
import { until, type World } from './world.ts';

/** Answer times of the API, ms. */
export interface Latency {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

export interface BesideRequestsResult {
  readonly requestsPerSecond: number;
  readonly deliveriesPerSecond: number;
  /** Nothing is delivered. */
  readonly idle: Latency;
  /** Another process delivers on the same machine: what the machine's own load costs. */
  readonly otherDelivers: Latency;
  /** The API delivers by itself. */
  readonly apiDelivers: Latency;
}

export interface BesideRequestsPlan {
  readonly requestsPerSecond: number;
  readonly deliveriesPerSecond: number;
  readonly seconds: number;
}

/** How fast an API answers a list call: without deliveries, while another process makes them, while it makes them itself. */
export async function besideRequests(world: World, plan: BesideRequestsPlan): Promise<BesideRequestsResult> {
  const { receiver, context } = world;
  const { requestsPerSecond, deliveriesPerSecond, seconds } = plan;
  const { key } = await createUser(context.db, 'bench@example.com', false);
  const users = await world.addUsers(20, receiver.fastUrl);
  const calls = async (url: string): Promise<Latency> => {
    const call = async () => {
      const startedAt = performance.now();
      const answer = await fetch(`${url}/api/v1/devices`, { headers: { authorization: `Bearer ${key}` } });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`The API answered ${answer.status}.`);
      return performance.now() - startedAt;
    };
    return latencyOf(await atPace(requestsPerSecond, seconds, call));
  };
  let told = 0;
  const callsWhileDelivering = async (url: string) => {
    const [before, toldBefore] = [receiver.arrivals.length, told];
    const tell = () => world.tell(users[told++ % users.length]!);
    const [latency] = await Promise.all([calls(url), atPace(deliveriesPerSecond, seconds, tell)]);
    await until('every arrival', () => receiver.arrivals.length >= before + told - toldBefore);
    return latency;
  };

  const quiet = await world.startApi({ jobs: false });
  await calls(quiet.url);
  const idle = await calls(quiet.url);
  const deliverer = world.startDeliverer();
  const otherDelivers = await callsWhileDelivering(quiet.url);
  await Promise.all([quiet.process, deliverer].map(ended));

  const busy = await world.startApi({ jobs: true });
  await calls(busy.url);
  const apiDelivers = await callsWhileDelivering(busy.url);
  await ended(busy.process);
  return { requestsPerSecond, deliveriesPerSecond, idle, otherDelivers, apiDelivers };
}

async function ended(process: ChildProcess): Promise<void> {
  const exit = once(process, 'exit');
  process.kill('SIGTERM');
  await exit;
}

/** Begins work so many times a second, whether or not what was begun before is over. @returns what each gave */
async function atPace<Result>(
  perSecond: number,
  seconds: number,
  work: () => Promise<Result>,
): Promise<Result[]> {
  const startedAt = performance.now();
  const begun: Promise<Result>[] = [];
  for (let number = 0; number < perSecond * seconds; number++) {
    await pause(Math.max(0, startedAt + (number * 1000) / perSecond - performance.now()));
    begun.push(work());
  }
  return Promise.all(begun);
}

function latencyOf(times: readonly number[]): Latency {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0) * 10) / 10;
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}
