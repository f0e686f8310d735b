import { describe, expect, test } from '@jest/globals';
import type { Outcome } from '../../../src/delivery/outbox/record.store.ts';
import type { Answer } from '../../../src/delivery/outbox/send.ts';
import { sealSecret } from '../../../src/delivery/webhooks/secret.ts';
import { sendWebhook, type WebhookTools } from '../../../src/delivery/webhooks/send-webhook.ts';
import type { Attempt } from '../../../src/delivery/webhooks/webhook-table.store.ts';
import { TestClock } from '../../support/api.ts';
import { testSealer } from '../../support/rows/runs.ts';
import { seeded } from '../../support/rows/seeded.ts';

const MINUTE = 60;
const EVENT_ID = '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d01';
const SECRET = 'a secret of the receiver';
const { secretEncrypted } = sealSecret(testSealer, SECRET);

const FIRST: Attempt = {
  ...{ id: 'attempt 1', userId: 'user', claimedUntil: new Date(0), attemptNumber: 1, maxAttempts: 4 },
  ...{
    eventId: EVENT_ID,
    eventType: 'alert_triggered',
    alertEventId: null,
    body: Buffer.from(JSON.stringify({ id: EVENT_ID })),
  },
  ...{ url: 'https://hooks.example.com/', timeoutMs: 5_000, secretEncrypted },
  ...{ previousSecretEncrypted: null, previousSecretValidUntil: null, obstacle: null, isFailing: false },
};
const answer = (httpStatusCode: number): Answer => ({
  ...{ httpStatusCode, responseBody: '', responseTimeMs: 1, retryAfter: null, errorMessage: null },
});

interface Made extends Outcome {
  readonly atSeconds: number;
  readonly webhookId: string | undefined;
}

/** Makes all attempts of one event at their due times, to a receiver that is down at first. */
async function series(downSeconds: number, random: () => number): Promise<Made[]> {
  const clock = new TestClock();
  const startMs = clock.time.getTime();
  const atSeconds = () => (clock.time.getTime() - startMs) / 1000;
  const made: Made[] = [];
  let webhookId: string | undefined;
  const tools: WebhookTools = {
    ...{ clock, random, sealer: testSealer, signal: new AbortController().signal },
    sender: {
      send: async ({ headers }) => {
        webhookId = headers['webhook-id'];
        return answer(atSeconds() < downSeconds ? 503 : 204);
      },
    },
  };
  for (let attemptNumber = 1; ; attemptNumber++) {
    const outcome = await sendWebhook({ ...FIRST, id: `attempt ${attemptNumber}`, attemptNumber }, tools);
    made.push({ ...outcome, atSeconds: atSeconds(), webhookId });
    if (outcome.nextDueAt === null) return made;
    clock.time = outcome.nextDueAt;
  }
}

describe('an event', () => {
  test('an event for a receiver that is down for 25 minutes arrives, with each of 1,000 seeds of the jitter', async () => {
    const lastAtSeconds: number[] = [];
    for (let seed = 0; seed < 1_000; seed++) {
      const made = await series(25 * MINUTE, seeded(seed));
      expect([seed, ...made.map(({ status }) => status)]).toEqual([
        ...[seed, 'failed', 'failed', 'failed', 'success'],
      ]);
      expect(new Set(made.map(({ webhookId }) => webhookId))).toEqual(new Set([EVENT_ID]));
      lastAtSeconds.push(made.at(-1)!.atSeconds);
    }
    // The jitter spreads them over minutes.
    expect(Math.max(...lastAtSeconds) - Math.min(...lastAtSeconds)).toBeGreaterThan(10 * MINUTE);
  });

  test('an event for a receiver that is down for 30 minutes arrives at the fourth attempt, without jitter', async () => {
    const made = await series(30 * MINUTE, () => 0.5);
    expect(made.map(({ atSeconds, status }) => [atSeconds, status])).toEqual([
      ...[
        [0, 'failed'],
        [5, 'failed'],
        [305, 'failed'],
        [2105, 'success'],
      ],
    ]);
  });

  test('an event for a receiver that stays down is given up after the last attempt', async () => {
    const made = await series(Number.POSITIVE_INFINITY, seeded(1));
    expect(made.map(({ status, nextDueAt }) => [status, nextDueAt !== null])).toEqual([
      ...[
        ['failed', true],
        ['failed', true],
        ['failed', true],
        ['failed', false],
      ],
    ]);
  });
});
