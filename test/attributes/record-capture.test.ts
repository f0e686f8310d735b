import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CapturedPerson } from '../../src/attributes/capture.ts';
import { joinRecordBefore, recordCapture } from '../../src/attributes/record-capture.ts';
import { removeOldAttributes } from '../../src/attributes/retention.job.ts';
import { peopleOf } from '../../src/attributes/stored-people.ts';
import type { DevicePlan } from '../../src/platform/prisma-client/client.ts';
import type { AttributeKey } from '../../src/vision/attributes/keys.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { addAlert, addRule } from '../support/rows/alert-rows.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const AT_MS = Date.UTC(2026, 10, 20, 9, 59, 50);
const person = (trackId: number, ...attributes: AttributeKey[]): CapturedPerson => ({
  trackId,
  box: { left: 0.1, top: 0.1, right: 0.2, bottom: 0.6 },
  confidence: attributes.length > 0 ? 0.8 : 0,
  attributes,
  known: attributes,
});
/** A person for whom these keys are known and none holds. */
const plain = (trackId: number, ...known: AttributeKey[]) => ({ ...person(trackId), known });
const COVERED: readonly AttributeKey[] = ['male', 'female', 'upperRed'];

async function aPlace(plan: DevicePlan = 'LEVEL_02') {
  const { db } = database;
  const device = await addDevice(db);
  await db.device.update({ where: { id: device.id }, data: { plan } });
  const { scene, task } = await queueScene(db, device);
  const { userId, id: deviceId } = device;
  return { userId, deviceId, sceneId: scene.id, taskId: task.id, computeNodeId: randomUUID() };
}
type Place = Awaited<ReturnType<typeof aPlace>>;

const record = (place: Place, atMs: number, persons: CapturedPerson[], coveredKeys = COVERED) =>
  database.db.$transaction((tx) => recordCapture(tx, place, { atMs, persons, coveredKeys }));
const hoursOf = ({ sceneId }: Place) =>
  database.db.attributeHour.findMany({ where: { sceneId }, orderBy: { hour: 'asc' } });

async function anInsight({ userId, deviceId, sceneId }: Place, triggeredAt: Date): Promise<string> {
  const rule = await addRule(database.db, { userId, deviceId, sceneId });
  const { insight } = await addAlert(database.db, rule, { event: { triggeredAt } });
  return insight.id;
}

describe('recordCapture', () => {
  test('a capture writes a record, a charge and the sums of its hour; a repeated capture changes nothing', async () => {
    const place = await aPlace();
    const persons = [person(1, 'male', 'upperRed'), person(2, 'female'), person(3)];
    expect(await record(place, AT_MS, persons)).toBe('recorded');
    expect(await record(place, AT_MS, persons)).toBe('repeated');
    const [row, ...others] = await database.db.attributeRecord.findMany({
      where: { sceneId: place.sceneId },
    });
    expect(others).toEqual([]);
    expect(await record(place, AT_MS + 1000, persons)).toBe('recorded');
    expect({ ...row, ...peopleOf(row!) }).toMatchObject({
      totalPersons: 3,
      attributes: { male: 1, female: 1, upperRed: 1, hat: 0 },
    });
    const usage = await database.db.usageEvent.findMany({ where: { deviceId: place.deviceId } });
    expect(usage).toMatchObject([{ feature: 'attribute', quantity: 2n, taskId: place.taskId }]);
    expect(await hoursOf(place)).toMatchObject([{ totalRecords: 2, totalPersons: 3, male: 1, female: 1 }]);
  });

  test('a record tells 0 from unknown: how many persons each key is known of, and the covered keys', async () => {
    const place = await aPlace();
    await record(place, AT_MS, [person(1, 'male'), plain(2, 'male', 'female', 'upperRed'), plain(3)]);
    const row = await database.db.attributeRecord.findFirstOrThrow({ where: { sceneId: place.sceneId } });
    const people = peopleOf(row);
    expect({ ...row, ...people }).toMatchObject({
      totalPersons: 3,
      attributes: { male: 1, female: 0, upperRed: 0, hat: 0 },
      known: { male: 2, female: 1, upperRed: 1, hat: 0 },
      coveredKeys: COVERED,
    });
    expect(Object.keys(people.known!)).toHaveLength(27);
    expect(people.persons).toMatchObject([
      { known: ['male'] },
      { known: ['male', 'female', 'upperRed'] },
      {},
    ]);
  });

  test('an hour sums the persons of whom each key is known, each track once, in the hour of its first capture', async () => {
    const place = await aPlace();
    await record(place, AT_MS, [person(1), person(2, 'male'), plain(3, 'female', 'male')]);
    const later = [
      person(1, 'female', 'age18To60'),
      plain(2, 'male', 'female'),
      plain(3, 'female'),
      plain(4),
    ];
    await record(place, AT_MS + 20_000, later, ['hat', 'male', 'ageOver60']);
    await record(place, AT_MS + 30_000, later);
    const [first, second] = await hoursOf(place);
    expect(first).toMatchObject({ totalPersons: 3, female: 1, male: 1, knownFemale: 3, knownMale: 2 });
    expect(first).toMatchObject({ knownAgeLess18: 0, knownAge18To60: 1, knownAgeOver60: 0 });
    for (const hour of [first, second])
      expect(hour?.coveredKeys.toSorted()).toEqual(['ageOver60', 'female', 'male']);
    expect(second).toMatchObject({ totalPersons: 1, female: 0, knownFemale: 0, knownMale: 0 });
  });

  test('the hour of an update stays unknown, and the next hour is known', async () => {
    const place = await aPlace();
    await record(place, AT_MS, [person(1, 'male')]);
    const { sceneId } = place;
    const before = { knownFemale: null, knownMale: null, knownAgeLess18: null };
    const ages = { knownAge18To60: null, knownAgeOver60: null };
    await database.db.attributeHour.updateMany({ where: { sceneId }, data: { ...before, ...ages } });
    await record(place, AT_MS + 5_000, [person(2, 'female')]);
    await record(place, AT_MS + 20_000, [person(1, 'male', 'ageOver60'), person(3, 'male')]);
    expect(await hoursOf(place)).toMatchObject([
      { ...before, ...ages, male: 1, female: 1, ageOver60: 1 },
      { male: 1, knownMale: 1, knownFemale: 0, knownAgeOver60: 0 },
    ]);
  });

  test('a track counts once, in the hour of its first capture, also with keys that become known later', async () => {
    const place = await aPlace();
    await record(place, AT_MS, [person(1), person(2, 'male')]);
    await record(place, AT_MS + 20_000, [person(1, 'female', 'age18To60'), person(2, 'female'), person(3)]);
    expect(await hoursOf(place)).toMatchObject([
      { totalRecords: 1, totalPersons: 2, male: 1, female: 1, age18To60: 1 },
      { totalRecords: 1, totalPersons: 1, male: 0, female: 0 },
    ]);
  });

  test('nothing is stored of groups that the account or the device has switched off', async () => {
    const place = await aPlace();
    const { db } = database;
    const covered: readonly AttributeKey[] = ['male', 'female', 'age18To60', 'upperRed'];
    const persons = [person(1, 'male', 'age18To60', 'upperRed'), person(2, 'female', 'upperRed')];
    // Captured before the switch, the insight after it.
    await record(place, AT_MS, persons, [...covered]);
    await db.device.update({ where: { id: place.deviceId }, data: { attributeGroups: ['age'] } });
    const late = await anInsight(place, new Date(AT_MS + 5_000));
    await db.$transaction((tx) => joinRecordBefore(tx, place, new Date(AT_MS + 5_000)));
    await record(place, AT_MS + 60_000, [...persons, person(3, 'female', 'age18To60')], [...covered]);
    await db.user.update({ where: { id: place.userId }, data: { attributeGroups: ['gender'] } });
    await record(place, AT_MS + 3_600_000, [...persons, person(4, 'male')], [...covered]);
    const insight = await anInsight(place, new Date(AT_MS + 3_600_000));
    await record(place, AT_MS + 3_600_001, persons, [...covered]);

    const rows = await db.attributeRecord.findMany({
      where: { sceneId: place.sceneId },
      orderBy: { capturedAt: 'asc' },
    });
    expect(rows.map(peopleOf)).toMatchObject([
      { attributes: { male: 1, female: 1, age18To60: 1, upperRed: 2 }, coveredKeys: covered },
      {
        attributes: { male: null, female: null, age18To60: 2, ageOver60: 0, upperRed: 2 },
        known: { male: null, female: null, age18To60: 2 },
        coveredKeys: ['age18To60', 'upperRed'],
      },
      {
        attributes: { male: null, female: null, age18To60: null, ageLess18: null, upperRed: 2 },
        known: { age18To60: null, upperRed: 2 },
        coveredKeys: ['upperRed'],
      },
      { attributes: { male: null, age18To60: null, upperRed: 2 } },
    ]);
    for (const row of rows.slice(2)) expect(JSON.stringify(peopleOf(row).persons)).not.toMatch(/male|age/);
    const tracks = await db.attributeTrack.findMany({
      where: { taskId: place.taskId, trackId: { gte: 3 } },
      orderBy: { trackId: 'asc' },
    });
    expect(tracks).toMatchObject([
      { gender: null, age: 'age18To60', knownKeys: ['age18To60'] },
      { gender: null, age: null, knownKeys: [] },
    ]);
    expect(await hoursOf(place)).toMatchObject([
      { totalPersons: 2, male: 1, female: 1, switchedOff: [] },
      {
        ...{ totalRecords: 3, totalPersons: 2, male: 0, female: 0, age18To60: 1 },
        ...{ coveredKeys: ['age18To60'], switchedOff: ['gender', 'age'] },
      },
    ]);
    for (const id of [late, insight])
      expect((await db.insight.findUniqueOrThrow({ where: { id } })).attributesSummary).toMatchObject({
        totalPersons: 2,
        genderDistribution: { female: null, male: null },
        known: { female: null, male: null },
      });
  });

  test('LEVEL_01 and a used-up quota write nothing', async () => {
    const basic = await aPlace('LEVEL_01');
    expect(await record(basic, AT_MS, [person(1)])).toBe('refused');
    const poor = await aPlace();
    const base = { scope: 'device' as const, scopeId: poor.deviceId, feature: 'attribute' as const };
    await database.db.quotaBase.create({ data: { ...base, userId: poor.userId, monthlyLimit: 1n } });
    expect(await record(poor, AT_MS, [person(1)])).toBe('recorded');
    expect(await record(poor, AT_MS + 10_000, [person(2)])).toBe('refused');
    for (const [{ sceneId }, records] of [
      [basic, 0],
      [poor, 1],
    ] as const) {
      expect(await database.db.attributeRecord.count({ where: { sceneId } })).toBe(records);
    }
    expect(await hoursOf(poor)).toMatchObject([{ totalRecords: 1, totalPersons: 1 }]);
  });

  test('an insight within 30 s of a record has attributes, whichever came first', async () => {
    const place = await aPlace();
    const [near, far] = await Promise.all(
      [29_000, 31_000].map((ms) => anInsight(place, new Date(AT_MS + ms))),
    );
    await record(place, AT_MS, [person(1, 'male'), person(2)]);
    const summary = {
      totalPersons: 2,
      genderDistribution: { female: 0, male: 1 },
      known: { female: 0, male: 1 },
    };
    const read = (id?: string) => database.db.insight.findUniqueOrThrow({ where: { id: id! } });
    expect(await read(near)).toMatchObject({ hasAttributes: true, attributesSummary: summary });
    expect(await read(far)).toMatchObject({ hasAttributes: false, attributesSummary: null });
    const late = await anInsight(place, new Date(AT_MS + 12_000));
    await database.db.$transaction((tx) => joinRecordBefore(tx, place, new Date(AT_MS + 12_000)));
    expect(await read(late)).toMatchObject({ hasAttributes: true, attributesSummary: summary });
  });
});

test('records are removed after their retention, their sums stay', async () => {
  const place = await aPlace();
  await record(place, AT_MS, [person(1)]);
  const old = new Date(Date.now() - 91 * 86_400_000);
  await database.db.attributeRecord.updateMany({
    where: { sceneId: place.sceneId },
    data: { createdAt: old },
  });
  const clock = { now: () => new Date() };
  const config = { attributeRetentionDays: 90 };
  await removeOldAttributes({ db: database.db, clock, config } as Parameters<typeof removeOldAttributes>[0]);
  expect(await database.db.attributeRecord.count({ where: { sceneId: place.sceneId } })).toBe(0);
  expect(await hoursOf(place)).toHaveLength(1);
});
