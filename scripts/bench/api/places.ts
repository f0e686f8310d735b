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
    'SELECT min(minute) AS first, max(minute) AS last FROM "OccupancyMinute"',
  );
  return { scenes: scenes.map(({ id }) => id), site: site!.id, ...times! };
}
