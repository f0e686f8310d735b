import { query } from '../../support/sql.ts';

/** Devices of the site. */
export const SITE_DEVICES = 10;

/** What a seeded database has. */
export interface Places {
  readonly scenes: readonly string[];
  readonly site: string;
  /** Times between which there are minutes. */
  readonly first: Date;
  readonly last: Date;
}

/** The scenes, and a site of the first devices, which is made where it does not exist. */
export async function readPlaces(url: string): Promise<Places> {
  const scenes = await query<{ id: string }>(url, 'SELECT id FROM "Scene" ORDER BY id');
  const [site] = await query<{ id: string }>(
    url,
    `WITH made AS (
       INSERT INTO "Site" ("userId", name, timezone, "updatedAt")
       SELECT "userId", 'Bench', 'Europe/Berlin', now() FROM "Device" WHERE NOT EXISTS (SELECT 1 FROM "Site") LIMIT 1
       RETURNING id),
     linked AS (
       INSERT INTO "SiteDevice" ("siteId", "deviceId")
       SELECT made.id, d.id FROM made, (SELECT id FROM "Device" ORDER BY id LIMIT ${SITE_DEVICES}) d)
     SELECT id FROM made UNION ALL SELECT id FROM "Site"`,
  );
  const [times] = await query<{ first: Date; last: Date }>(
    url,
    `SELECT least(min(minute), (SELECT min(minute[1]) FROM "MinuteHour")) AS first, max(minute) AS last FROM "OccupancyMinute"`,
  );
  return { scenes: scenes.map(({ id }) => id), site: site!.id, ...times! };
}

/** Tills of the scene that has some. */
const TILLS = 8;

/** Gives the first scene tills: a row for each and quarter of an hour, and a till to each visit. Only once. */
export async function openTills(url: string, { scenes: [scene], first, last }: Places): Promise<string> {
  const tills = Array.from({ length: TILLS }, (_, at) => {
    const left = at / TILLS;
    const points = [
      [left, 0],
      [left + 0.1, 0],
      [left, 0.1],
    ];
    return { id: `till-${at}`, name: `Till ${at + 1}`, type: 'polygon', points };
  });
  await query(
    url,
    `WITH opened AS (
       UPDATE "Scene" SET config = jsonb_set(config, '{zones,tills}', $2::jsonb)
       WHERE id = $1::uuid AND config #> '{zones,tills}' IS NULL RETURNING id),
     served AS (
       UPDATE "Visit" SET "tillId" = 'till-' || number % ${TILLS} FROM opened WHERE "sceneId" = opened.id)
     INSERT INTO "TillQuarter" ("sceneId", quarter, "tillId", name, "servingSeconds", "freeSeconds", "closedSeconds", "lostSeconds")
     SELECT id, quarter, 'till-' || till, 'Till ' || till + 1, 500, 300, 100, 20
     FROM opened, generate_series($3::timestamptz, $4::timestamptz, '15 minutes') quarter, generate_series(0, ${TILLS - 1}) till`,
    [scene, JSON.stringify(tills), new Date(Math.floor(first.getTime() / 900_000) * 900_000), last],
  );
  // Rows that were changed would make lists of visits read the table instead of its index alone.
  await query(url, 'VACUUM (ANALYZE) "Visit", "TillQuarter"');
  return scene!;
}
