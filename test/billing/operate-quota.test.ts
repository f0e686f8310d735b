import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createUser } from '../../src/access/administer.ts';
import { grantQuota, setQuota } from '../../src/billing/admin/operate-quota.ts';
import { readDefaultLimits } from '../../src/billing/base.store.ts';
import { periodOf } from '../../src/billing/period.ts';
import { readQuota } from '../../src/billing/quota.store.ts';
import { nodeArguments } from '../../src/platform/processes/program-file.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let database: TestDatabase;
let userId: string;
let deviceId: string;
beforeAll(async () => {
  database = await testDatabase();
  ({ userId } = await createUser(database.db, 'anna', false));
  const device = { userId, name: 'Till', streamUrlEncrypted: 'x' };
  deviceId = (await database.db.device.create({ data: device })).id;
});
afterAll(() => database.drop());

describe('quota commands of the operator', () => {
  test('the operator tops up and sets limits of a user and of a device', async () => {
    const { db } = database;
    const reference = randomUUID();
    for (let times = 0; times < 2; times++) {
      const { limits } = await grantQuota(db, 'anna', { feature: 'alert', amount: 5, reference });
      expect(limits.alert).toBe(10_005);
    }
    expect((await setQuota(db, 'anna', { limits: { alert: 7, vlm: null } })).limits).toMatchObject({
      ...{ alert: 7, vlm: null, analysis: 2_678_400 },
    });
    const ofDevice = await setQuota(db, 'anna', { device: deviceId, limits: { analysis: 60 } });
    expect(ofDevice).toMatchObject({
      scope: 'device',
      scopeId: deviceId,
      limits: { analysis: 60, alert: null },
    });
  });

  test.each([
    ['an unknown user', 'nobody', {}, 'There is no user "nobody"'],
    ['an unknown feature', 'anna', { feature: 'alerts' }, 'There is no feature "alerts"'],
    ['an amount of 0', 'anna', { amount: 0 }, 'at least 1'],
    ['an unknown device', 'anna', { device: randomUUID() }, 'anna has no device'],
    ['a malformed device', 'anna', { device: 'x' }, 'anna has no device "x"'],
    ['a malformed reference', 'anna', { reference: 'x' }, '--reference must be a UUID'],
  ])('the operator gets a message about %s', async (_name, email, change, message) => {
    const wanted = { feature: 'vlm', amount: 1, ...change };
    await expect(grantQuota(database.db, email, wanted)).rejects.toThrow(message);
  });

  test('the operator gets a message when no limit is named', async () => {
    await expect(setQuota(database.db, 'anna', { limits: {} })).rejects.toThrow('Name at least one limit');
  });

  test('the operator changes the limits with which new months open', async () => {
    const command = [
      ...nodeArguments('scripts/admin.ts'),
      'default-quota',
      '--alert',
      '12',
      '--vlm',
      'unlimited',
      '--json',
    ];
    const { stdout } = await promisify(execFile)(process.execPath, command, {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, DATABASE_URL: database.url, DIRECT_DATABASE_URL: '' },
    });
    const limits = { analysis: 2_678_400, alert: 12, attribute: 100_000, vlm: null };
    expect(JSON.parse(stdout)).toEqual(limits);
    expect(await readDefaultLimits(database.db)).toEqual(limits);
    const other = await createUser(database.db, 'bert', false);
    const month = await readQuota(
      database.db,
      { scope: 'user', scopeId: other.userId },
      periodOf(new Date()),
    );
    expect(month.alert).toEqual({ limit: 12, used: 0 });
  });
});
