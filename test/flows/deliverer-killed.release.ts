import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { killDeliverers } from '../../scripts/bench/webhooks/kills.ts';
import { openWebhookInstallation } from '../../scripts/bench/webhooks/webhook-installation.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'killed-'));
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

// The long form, 50 kills and 2,000 events: `npm run bench -- webhooks`.
test('a deliverer that is killed three times loses no delivery, and its stored results are true', async () => {
  const installation = await openWebhookInstallation(database.url, folder);
  try {
    const result = await killDeliverers(installation, { events: 60, kills: 3, users: 3 });
    expect(result).toMatchObject({ kills: 3, lost: 0, changed: 0, untrue: 0 });
    expect(result.arrivals).toBeGreaterThanOrEqual(60);
  } finally {
    await installation.stop();
  }
});
