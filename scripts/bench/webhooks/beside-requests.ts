import { setTimeout as pause } from 'node:timers/promises';
import { createUser } from '../../../src/access/administer.ts';
import { quantile } from '../../support/numbers.ts';
import { until } from '../../support/until.ts';
import type { WebhookInstallation } from './webhook-installation.ts';

/** Answer times of the API, ms. */
export type Latency = Readonly<Record<'p50Ms' | 'p95Ms' | 'p99Ms', number>>;

interface Pace {
  readonly requestsPerSecond: number;
  readonly deliveriesPerSecond: number;
  readonly seconds: number;
}

/** How fast an API answers a list call: without deliveries, while another process delivers, while it delivers itself. */
export async function besideRequests(installation: WebhookInstallation, pace: Pace) {
  const { receiver, context } = installation;
  const { requestsPerSecond, deliveriesPerSecond, seconds } = pace;
  const { key } = await createUser(context.db, 'bench@example.com', false);
  const users = await installation.addUsers(20, receiver.fastUrl);
  const request = async (url: string): Promise<number> => {
    const startedAt = performance.now();
    const answer = await fetch(`${url}/api/v1/devices`, { headers: { authorization: `Bearer ${key}` } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`The API answered ${answer.status}.`);
    return performance.now() - startedAt;
  };
  const requests = async (url: string): Promise<Latency> =>
    latencyOf(await atPace(requestsPerSecond, seconds, () => request(url)));
  let emitted = 0;
  const requestsBesideDeliveries = async (url: string) => {
    const [arrivedBefore, emittedBefore] = [receiver.arrivals.length, emitted];
    const emit = () => installation.emit(users[emitted++ % users.length]!);
    const [latency] = await Promise.all([requests(url), atPace(deliveriesPerSecond, seconds, emit)]);
    await until('every arrival', () => receiver.arrivals.length - arrivedBefore >= emitted - emittedBefore);
    return latency;
  };

  const quiet = await installation.startApi({ jobs: false });
  await requests(quiet.url);
  const idle = await requests(quiet.url);
  const deliverer = installation.startDeliverer();
  const otherDelivers = await requestsBesideDeliveries(quiet.url);
  await Promise.all([quiet.stop(), deliverer.stop()]);

  const delivering = await installation.startApi({ jobs: true });
  await requests(delivering.url);
  const apiDelivers = await requestsBesideDeliveries(delivering.url);
  await delivering.stop();
  return {
    requestsPerSecond,
    deliveriesPerSecond,
    /** Nothing is delivered. */
    idle,
    /** Another process delivers, which shows the cost of the load on the machine alone. */
    otherDelivers,
    /** The API delivers itself. */
    apiDelivers,
  };
}

/** Starts work so many times a second, whether or not earlier work has ended. @returns all results */
async function atPace<Result>(
  perSecond: number,
  seconds: number,
  work: () => Promise<Result>,
): Promise<Result[]> {
  const startedAt = performance.now();
  const started: Promise<Result>[] = [];
  for (let number = 0; number < perSecond * seconds; number++) {
    await pause(Math.max(0, startedAt + (number * 1000) / perSecond - performance.now()));
    started.push(work());
  }
  return Promise.all(started);
}

function latencyOf(times: readonly number[]): Latency {
  const at = (share: number) => Math.round(quantile(times, share) * 10) / 10;
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}
