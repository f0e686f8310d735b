import { join } from 'node:path';
import { migrate, startOwnCluster } from '../support/database.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import { count } from '../support/options.ts';
import { withTemporaryFolder } from '../support/temporary-folder.ts';
import { progress, table } from '../support/terminal.ts';
import { besideRequests, type Latency } from './webhooks/beside-requests.ts';
import { killDeliverers } from './webhooks/kills.ts';
import { fairness, throughput } from './webhooks/speed.ts';
import { openWebhookInstallation, type WebhookInstallation } from './webhooks/webhook-installation.ts';

export const webhooks = measuringCommand({
  name: 'webhooks',
  description:
    'Deliveries a second; how long a user waits while receivers of others do not answer; how fast an API answers that ' +
    'delivers by itself; and whether events are lost when the deliverer is killed again and again. Exit code 0 only if no ' +
    'event was lost and every record is true.',
  options: {
    deliveries: ['deliveries to fast receivers', 3_000, count(0)],
    users: ['users, of whom a tenth has a receiver that never answers', 50, count(0)],
    seconds: ['how long each of them gets an event a second', 20, count(0)],
    kills: ['how often the deliverer is killed; 0 skips this part', 50, count(0)],
    events: ['events meanwhile', 2_000, count(0)],
  },
  async measure({ deliveries, users, seconds, kills, events }) {
    const bar = progress('bench', 3 + kills, 'steps');
    const part = async <Value>(
      use: (installation: WebhookInstallation) => Promise<Value>,
    ): Promise<Value> => {
      const result = await withInstallation(use);
      bar.step();
      return result;
    };
    const blackHoled = Math.round(users / 10);
    const pace = { requestsPerSecond: 100, deliveriesPerSecond: 100, seconds };
    const killPlan = { events, kills, users: 20, onKill: () => bar.step() };
    const result = {
      throughput: await part((installation) => throughput(installation, deliveries)),
      fairness: await part((installation) => fairness(installation, { users, blackHoled, seconds })),
      besideRequests: await part((installation) => besideRequests(installation, pace)),
      kills:
        kills > 0 ? await withInstallation((installation) => killDeliverers(installation, killPlan)) : null,
    };
    bar.stop();
    const { kills: killed } = result;
    return { ...result, passed: !killed || killed.lost + killed.changed + killed.untrue === 0 };
  },
  report({ throughput: fast, fairness: fair, besideRequests: beside, kills }) {
    const shown = ({ p50Ms, p95Ms, p99Ms }: Latency) => `${p50Ms} / ${p95Ms} / ${p99Ms} ms`;
    const [requests, deliveries] = [beside.requestsPerSecond, beside.deliveriesPerSecond];
    return table([
      ['measure', 'value', 'aim'],
      ['deliveries a second, one process', fast.perSecond.toFixed(0), '≥ 200'],
      [
        `p50 / p95 / max of ${fair.users} users, ${fair.blackHoled} whose receiver never answers`,
        `${fair.p50Ms} / ${fair.p95Ms} / ${fair.maxMs} ms`,
        'p95 ≤ 2 s',
      ],
      [`p50 / p95 / p99 of ${requests} requests/s to an API`, shown(beside.idle), '–'],
      [`while another process makes ${deliveries} deliveries/s`, shown(beside.otherDelivers), '–'],
      [`while it makes ${deliveries} deliveries/s itself, no worker alive`, shown(beside.apiDelivers), '–'],
      ...(kills
        ? [
            [`${kills.events} events, ${kills.kills} kills: lost`, String(kills.lost), '0'],
            ['repeats, of them changed', `${kills.repeats}, ${kills.changed}`, '–, 0'],
            ['untrue records', String(kills.untrue), '0'],
          ]
        : []),
    ]);
  },
});

/** Each part has a database of its own, so that none starts with the queue of another. */
const withInstallation = <Value>(
  use: (installation: WebhookInstallation) => Promise<Value>,
): Promise<Value> =>
  withTemporaryFolder('analytics-webhooks', async (folder) => {
    const database = await startOwnCluster({ dataDir: join(folder, 'postgres') });
    try {
      await migrate(database.url);
      const installation = await openWebhookInstallation(database.url, folder);
      return await use(installation).finally(() => installation.stop());
    } finally {
      await database.stop();
    }
  });
