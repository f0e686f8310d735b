import type { z } from 'zod';
import type { AttributeRecord } from '../platform/prisma-client/client.ts';
import type { ListedRecord } from './attribute.store.ts';
import type { attributeDetail, attributeRecord, attributeStats, insightAttributes } from './schema.ts';
import { type AttributeStatsQuery, lengthMsOf } from './schema.ts';
import type { AttributeSums } from './stats.store.ts';

type BriefJson = z.input<typeof insightAttributes>;
type DetailJson = z.input<typeof attributeDetail>;

/** A record beside an insight. */
export const presentBrief = (row: ListedRecord): BriefJson => ({
  id: row.id,
  capturedAt: row.capturedAt.toISOString(),
  totalPersons: row.totalPersons,
  attributes: row.attributes as BriefJson['attributes'],
});

export const presentRecord = (row: ListedRecord): z.input<typeof attributeRecord> => ({
  ...presentBrief(row),
  deviceId: row.deviceId,
  sceneId: row.sceneId,
});

export const presentDetail = (row: AttributeRecord): DetailJson => ({
  ...presentRecord(row),
  userId: row.userId,
  computeNodeId: row.computeNodeId,
  insightId: row.insightId,
  persons: row.persons as DetailJson['persons'],
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** @param rows per hour or day as the query groups; the hours and days without rows are added here */
export function presentAttributeStats(
  rows: readonly AttributeSums[],
  { startDate, endDate, groupBy }: AttributeStatsQuery,
): z.input<typeof attributeStats> {
  const sum = (key: Exclude<keyof AttributeSums, 'start'>) =>
    rows.reduce((total, row) => total + row[key], 0);
  const byStart = new Map(rows.map((row) => [row.start.getTime(), row]));
  const lengthMs = lengthMsOf(groupBy);
  const timeline: z.input<typeof attributeStats>['timeline'] = [];
  const firstMs = Math.floor(startDate.getTime() / lengthMs) * lengthMs;
  for (let atMs = firstMs; atMs < endDate.getTime(); atMs += lengthMs) {
    const row = byStart.get(atMs);
    timeline.push({
      timestamp: new Date(atMs).toISOString(),
      personCount: row?.totalPersons ?? 0,
      attributes: { female: row?.female ?? 0, male: row?.male ?? 0 },
    });
  }
  return {
    totalRecords: sum('totalRecords'),
    totalPersons: sum('totalPersons'),
    genderDistribution: { female: sum('female'), male: sum('male') },
    ageDistribution: {
      ageLess18: sum('ageLess18'),
      age18To60: sum('age18To60'),
      ageOver60: sum('ageOver60'),
    },
    timeline,
  };
}
