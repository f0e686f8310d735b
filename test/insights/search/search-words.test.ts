import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findMatches } from '../../../src/insights/search/search.store.ts';
import { wordsLike } from '../../../src/insights/search/spelling.store.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { addAlert, addRule, type Place } from '../../support/rows/alert-rows.ts';

let database: TestDatabase;
let shop: Place;
let other: Place;

async function newShop(email: string): Promise<Place> {
  const { db } = database;
  const { id: userId } = await db.user.create({ data: { email } });
  const device = await db.device.create({ data: { userId, name: 'Bäckerei Süd', streamUrlEncrypted: 'x' } });
  const scene = await db.scene.create({
    data: { userId, deviceId: device.id, name: 'Queue', analysisType: 'queue_analysis', config: {} },
  });
  return { userId, deviceId: device.id, sceneId: scene.id };
}

const wordsOf = async ({ userId }: Place) =>
  (await database.db.searchWord.findMany({ where: { userId }, orderBy: { word: 'asc' } })).map(
    ({ word }) => word,
  );

beforeAll(async () => {
  database = await testDatabase();
  [shop, other] = [await newShop('shop@example.com'), await newShop('other@example.com')];
});
afterAll(() => database.drop());

describe('the words of a user’s insights', () => {
  test('are noted when an insight is written and when its text comes later, each once', async () => {
    const { db } = database;
    const rule = await addRule(db, shop);
    await addAlert(db, rule, {
      summary: 'Zwei Kunden streiten; 7 Café-Gäste',
      activities: ['arguing loudly'],
    });
    const { insight } = await addAlert(db, rule);
    const first = ['arguing', 'cafe', 'gaste', 'kunden', 'loudly', 'shop', 'streiten', 'zwei'];
    expect(await wordsOf(shop)).toEqual(first);
    await db.insight.update({ where: { id: insight.id }, data: { vlmSummary: 'Kunden warten' } });
    expect(await wordsOf(shop)).toEqual([...first, 'warten'].sort());
    expect(await wordsOf(other)).toEqual([]);
  });

  test('go with their user', async () => {
    const gone = await newShop('gone@example.com');
    await addAlert(database.db, await addRule(database.db, gone), { summary: 'A fleeting word' });
    expect(await wordsOf(gone)).toContain('fleeting');
    await database.db.user.delete({ where: { id: gone.userId } });
    expect(await wordsOf(gone)).toEqual([]);
  });

  test('written by many at once, nobody waits in a circle', async () => {
    const rule = await addRule(database.db, other);
    const words = Array.from(
      { length: 60 },
      (_, at) => `word${String.fromCharCode(97 + (at % 26))}${'x'.repeat(at % 9)}`,
    );
    await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        addAlert(database.db, rule, {
          summary: (at % 2 ? words : words.toReversed()).slice(0, 12).join(' '),
        }),
      ),
    );
    expect((await wordsOf(other)).length).toBeGreaterThan(10);
  });
});

test('misspelt words are corrected only to similar words and names of the same user', async () => {
  const { db } = database;
  const asked = [
    { word: 'streitne', beginning: 'streitne' },
    { word: 'bakerei', beginning: 'bakerei' },
    { word: 'kunde', beginning: 'kund' },
  ];
  const like = await wordsLike(db, shop.userId, asked);
  expect(like.words.get('streitne')).toContain('streiten');
  expect(like.names.get('bakerei')).toContain('Bäckerei Süd');
  expect([...like.known]).toEqual(['kunde']);
  const nobody = await wordsLike(db, '11111111-1111-1111-1111-111111111111', asked);
  expect([nobody.known.size, nobody.words.size, nobody.names.size]).toEqual([0, 0, 0]);
});

describe('of many rows', () => {
  const planOf = async (sql: string): Promise<string> => {
    const { db } = database;
    // With so few rows a table scan is as fast; the test checks which index is used.
    const [, rows] = await db.$transaction([
      db.$executeRaw`SELECT set_config('enable_seqscan', 'off', true)`,
      db.$queryRawUnsafe<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${sql}`),
    ]);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  beforeAll(async () => {
    const { db } = database;
    await db.$executeRaw`
      INSERT INTO "SearchWord" ("userId", word)
      SELECT ${shop.userId}::uuid,
        left(translate(md5(n::text), '0123456789', 'ghijklmnop'), 7) FROM generate_series(1, 60000) AS n
      ON CONFLICT DO NOTHING`;
    const rule = await addRule(db, shop);
    await db.$executeRaw`
      INSERT INTO "AlertEvent" ("userId", "deviceId", "sceneId", "ruleId", severity, "triggeredAt", "metricPath", operator,
        threshold, "actualValue", message)
      SELECT ${shop.userId}::uuid, ${shop.deviceId}::uuid, ${shop.sceneId}::uuid, ${rule.id}::uuid, 'warning',
        now() - n * interval '1 min', 'current.maxWaitSeconds', 'GT', 5, n, '' FROM generate_series(1, 20000) AS n`;
    await db.$executeRaw`ANALYZE "SearchWord", "AlertEvent"`;
  });

  test('words are found by their trigrams and waits in their order, each from an index', async () => {
    const { userId } = shop;
    expect(
      await planOf(`SELECT word FROM "SearchWord" WHERE "userId" = '${userId}' AND word % 'streitne'`),
    ).toContain('SearchWord_trigrams_idx');
    expect(
      await planOf(`SELECT word FROM "SearchWord" WHERE "userId" = '${userId}' AND word LIKE 'streit%'`),
    ).toMatch(/SearchWord_(trigrams_idx|pkey)/);
    expect(
      await planOf(
        `SELECT id FROM "AlertEvent" WHERE "userId" = '${userId}' AND "deletedAt" IS NULL AND "waitSeconds" > 19990`,
      ),
    ).toContain('AlertEvent_userId_measures_idx');
  });
});

test('a search that takes too long is ended and says what to do', async () => {
  const { db } = database;
  const filter = { riskLevel: [], places: [], quantities: {}, excluded: [] };
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE "Insight" IN ACCESS EXCLUSIVE MODE`;
    const search = findMatches(db, shop.userId, { filter, tsquery: '', limit: 1, timeoutMs: 20 });
    await expect(search).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('name a shorter time or fewer words'),
    });
  });
});
