import type { z } from 'zod';
import type { AttributeRecord } from '../platform/prisma-client/client.ts';
import {
  ALL_ATTRIBUTE_KEYS,
  type AttributeKey,
  SENSITIVE_GROUPS,
  type SensitiveGroup,
} from '../vision/attributes/keys.ts';
import type { ListedRecord } from './attribute.store.ts';
import type { attributeDetail, attributeRecord, attributeStats, insightAttributes } from './schema.ts';
import { type AttributeStatsQuery, lengthMsOf } from './schema.ts';
import type { AttributeSums } from './stats.store.ts';
import { peopleOf } from './stored-people.ts';

type BriefJson = z.input<typeof insightAttributes>;
type DetailJson = z.input<typeof attributeDetail>;

/** A record in the list of an insight. */
export function presentBrief(row: ListedRecord): BriefJson {
  const { attributes, known, coveredKeys } = peopleOf(row);
  return {
    id: row.id,
    capturedAt: row.capturedAt.toISOString(),
    totalPersons: row.totalPersons,
    attributes,
    known,
    coveredKeys: inOrder(coveredKeys),
  };
}

const inOrder = (keys: readonly string[]): AttributeKey[] =>
  ALL_ATTRIBUTE_KEYS.filter((key) => keys.includes(key));

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
  persons: peopleOf(row).persons.map((person) => ({
    trackId: person.trackId,
    box: person.box,
    confidence: person.confidence,
    attributes: [...person.attributes],
    known: [...person.known],
  })),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

const EMPTY = { totalPersons: 0, female: 0, male: 0, knownFemale: 0, knownMale: 0, neverOn: [] };

/** @param rows one per hour or day with records; empty hours and days are added here */
export function presentAttributeStats(
  rows: readonly AttributeSums[],
  coveredKeys: readonly AttributeKey[],
  { startDate, endDate, groupBy }: AttributeStatsQuery,
): z.input<typeof attributeStats> {
  const sum = (key: SumKey) => rows.reduce((total, row) => total + row[key], 0);
  /** Null where the group was switched off at every capture. */
  const sumOf = (group: SensitiveGroup, key: SumKey) =>
    rows.length > 0 && rows.every(({ neverOn }) => neverOn.includes(group)) ? null : sum(key);
  return {
    totalRecords: sum('totalRecords'),
    totalPersons: sum('totalPersons'),
    switchedOff: SENSITIVE_GROUPS.filter((group) => rows.some((row) => row.switchedOff.includes(group))),
    genderDistribution: { female: sumOf('gender', 'female'), male: sumOf('gender', 'male') },
    ageDistribution: {
      ageLess18: sumOf('age', 'ageLess18'),
      age18To60: sumOf('age', 'age18To60'),
      ageOver60: sumOf('age', 'ageOver60'),
    },
    known: {
      female: sumOf('gender', 'knownFemale'),
      male: sumOf('gender', 'knownMale'),
      ageLess18: sumOf('age', 'knownAgeLess18'),
      age18To60: sumOf('age', 'knownAge18To60'),
      ageOver60: sumOf('age', 'knownAgeOver60'),
    },
    coveredKeys: [...coveredKeys],
    timeline: timelineOf(rows, { startDate, endDate, groupBy }),
  };
}

type SumKey = Exclude<keyof AttributeSums, 'neverOn' | 'start' | 'switchedOff'>;

function timelineOf(
  rows: readonly AttributeSums[],
  { startDate, endDate, groupBy }: Pick<AttributeStatsQuery, 'endDate' | 'groupBy' | 'startDate'>,
): z.input<typeof attributeStats>['timeline'] {
  const byStart = new Map(rows.map((row) => [row.start.getTime(), row]));
  const lengthMs = lengthMsOf(groupBy);
  const timeline: z.input<typeof attributeStats>['timeline'] = [];
  const firstMs = Math.floor(startDate.getTime() / lengthMs) * lengthMs;
  for (let atMs = firstMs; atMs < endDate.getTime(); atMs += lengthMs) {
    const { neverOn, totalPersons, female, male, knownFemale, knownMale } = byStart.get(atMs) ?? EMPTY;
    const isOff = neverOn.some((group) => group === 'gender');
    timeline.push({
      timestamp: new Date(atMs).toISOString(),
      personCount: totalPersons,
      attributes: isOff ? NOBODY_KNOWS : { female, male },
      known: isOff ? NOBODY_KNOWS : { female: knownFemale, male: knownMale },
    });
  }
  return timeline;
}

const NOBODY_KNOWS = { female: null, male: null };
