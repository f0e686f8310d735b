import { peopleOf } from '../attributes/stored-people.ts';
import {
  PACKED_MINUTES,
  PACKED_ROLLING,
  PACKED_SNAPSHOTS,
  type PackedTable,
} from '../metrics/packed/packed-tables.store.ts';
import { numbersOfSnapshot, numbersOfWindow } from '../metrics/stored-numbers.ts';
import {
  type AttributeRecord,
  type MetricSnapshot,
  Prisma,
  type RollingRecord,
} from '../platform/prisma-client/client.ts';

const { sql } = Prisma;

/** A half-open range. */
export interface Range {
  readonly from: Date;
  readonly to: Date;
}

/** Rows of one scene in a range. */
export interface SceneRange extends Range {
  readonly sceneId: string;
}

/** Rows of a table that tell about a time in the range. */
export interface RangedRows {
  /** Its name in progress, manifest and file names. */
  readonly name: string;
  readonly table: string;
  /** Which rows `t` of the table belong to the scene and range. A row belongs to a range that its time overlaps. */
  readonly where: (range: SceneRange) => Prisma.Sql;
  /**
   * The columns by which an export reads rows in batches, with their types; unique in a scene. An index of the scene has the
   * first of them, by which an erasure finds rows.
   */
  readonly order?: readonly (readonly [column: string, type: string])[];
  /** The table has partitions. Then `order` is needed. */
  readonly isPartitioned?: true;
  /** Its rows of past days lie in a second table. Then the first of `order` is their time. */
  readonly packed?: PackedTable;
  /** A row as an export shows it, where that is not the row itself. */
  readonly show?: (row: never) => object;
  /** Types as which an export reads columns that the driver does not know. */
  readonly casts?: Readonly<Record<string, string>>;
}

const ofScene = (sceneId: string) => sql`t."sceneId" = ${sceneId}::uuid`;

/** Of a row of a rule: the rule is the scene's, or fired for the scene as one of its site. @param scene that of the row */
const isOfScene = (sceneId: string, scene: Prisma.Sql) => sql`(
  t."ruleId" IN (SELECT r.id FROM "AlertRule" r WHERE r."sceneId" = ${sceneId}::uuid)
  OR (t."ruleId" IN (SELECT s."ruleId" FROM "SiteRuleState" s WHERE s."sceneId" = ${sceneId}::uuid) AND ${scene} = ${sceneId}::uuid))`;

/** Alert events by their rules, because that index has the deleted ones too. */
export const ALERTS = ({ sceneId, from, to }: SceneRange): Prisma.Sql =>
  sql`${isOfScene(sceneId, sql`t."sceneId"`)} AND t."triggeredAt" >= ${from} AND t."triggeredAt" < ${to}`;

const ofAlerts = (range: SceneRange) =>
  sql`t."alertEventId" IN (SELECT t.id FROM "AlertEvent" t WHERE ${ALERTS(range)})`;

/** The first moment that a visit tells about. Its arrival is decided a little later. */
const VISIT_BEGINS = sql`least(t."queueEnteredAt", t."serviceStartedAt", t."arrivalDecidedAt")`;

export const VISITS = ({ sceneId, from, to }: SceneRange): Prisma.Sql => sql`
  ${ofScene(sceneId)} AND t."arrivalDecidedAt" < ${to}::timestamptz + interval '1 hour' AND ${VISIT_BEGINS} < ${to}
  AND (t."outcomeDecidedAt" IS NULL OR t."outcomeDecidedAt" >= ${from})`;

/** Rows that are sums of a whole hour. */
const hours = ({ sceneId, from, to }: SceneRange) =>
  sql`${ofScene(sceneId)} AND t.hour > ${from}::timestamptz - interval '1 hour' AND t.hour < ${to}`;

/** Rows that are sums of a minute. */
export const MINUTES = ({ sceneId, from, to }: SceneRange): Prisma.Sql =>
  sql`${ofScene(sceneId)} AND t.minute > ${from}::timestamptz - interval '1 minute' AND t.minute < ${to}`;

/** Rows that are sums of a quarter of an hour. */
export const QUARTERS = ({ sceneId, from, to }: SceneRange): Prisma.Sql =>
  sql`${ofScene(sceneId)} AND t.quarter > ${from}::timestamptz - interval '15 minutes' AND t.quarter < ${to}`;

/** Checks by the time of their pictures: a check with stills may have ended early. */
const CHECKS = ({ sceneId, from, to }: SceneRange) => sql`
  ${ofScene(sceneId)} AND t."startedAt" < ${to} AND coalesce(CASE t.kind WHEN 'stills' THEN t."collectedAt" END, t."endsAt") >= ${from}`;

/** Pictures of a check are for those who check, and gone at its end: no export keeps them longer. */
const withoutPicture = ({ jpeg, jpegs, ...row }: { jpeg?: unknown; jpegs?: unknown }): object => ({
  ...{ ...row, hasPicture: (jpeg ?? jpegs ?? null) !== null },
});

const attributeTracks = ({ sceneId, from, to }: SceneRange) => sql`
  t."taskId" IN (SELECT a.id FROM "AnalysisTask" a WHERE a."sceneId" = ${sceneId}::uuid)
  AND t."capturedAt" >= ${from} AND t."capturedAt" < ${to}`;

/** Firings become alert events, so they are erased before those. */
export const FIRINGS: RangedRows = {
  name: 'firings',
  table: 'Firing',
  where: ({ sceneId, from, to }) =>
    sql`${isOfScene(sceneId, sql`(t.body->>'sceneId')::uuid`)} AND t."firedAt" >= ${from} AND t."firedAt" < ${to}`,
};

export const VISIT_ROWS: RangedRows = {
  name: 'visits',
  table: 'Visit',
  where: VISITS,
  order: [
    ['arrivalDecidedAt', 'timestamptz'],
    ['id', 'uuid'],
  ],
};

/** Sums of visits that were removed after their retention. */
export const VISIT_QUARTER_ROWS: RangedRows = {
  name: 'visitQuarters',
  table: 'VisitQuarter',
  where: QUARTERS,
  order: [['quarter', 'timestamptz']],
  casts: { outcomes: 'text[]' },
};

/** Erased row by row, without anything else. */
export const PLAIN_ROWS: readonly RangedRows[] = [
  {
    name: 'attributeRecords',
    table: 'AttributeRecord',
    show: ({ people, ...row }: AttributeRecord) => ({ ...row, ...peopleOf({ ...row, people }) }),
    where: ({ sceneId, from, to }) =>
      sql`${ofScene(sceneId)} AND t."capturedAt" >= ${from} AND t."capturedAt" < ${to}`,
    order: [['capturedAt', 'timestamptz']],
    isPartitioned: true,
  },
  { name: 'attributeTracks', table: 'AttributeTrack', where: attributeTracks },
  { name: 'attributeHours', table: 'AttributeHour', where: hours, order: [['hour', 'timestamptz']] },
  {
    // A trigger keeps their quarters of an hour.
    name: 'minutes',
    table: 'OccupancyMinute',
    where: MINUTES,
    order: [['minute', 'timestamptz']],
    isPartitioned: true,
    packed: PACKED_MINUTES,
  },
  {
    // After the minutes: those whose minutes were removed after their retention. Packed minutes are removed by the hour.
    name: 'quarters',
    table: 'OccupancyQuarter',
    where: (range) => sql`
      ${QUARTERS(range)} AND NOT EXISTS (
        SELECT 1 FROM "OccupancyMinute" m
        WHERE m."sceneId" = t."sceneId" AND m.minute >= t.quarter AND m.minute < t.quarter + interval '15 minutes')
      AND NOT EXISTS (
        SELECT 1 FROM "MinuteHour" h
        WHERE h."sceneId" = t."sceneId" AND h.hour = date_bin('1 hour', t.quarter, timestamptz '2000-01-01 00:00Z'))`,
    order: [['quarter', 'timestamptz']],
  },
  {
    name: 'snapshots',
    table: 'MetricSnapshot',
    show: ({ numbers, ...row }: MetricSnapshot) => ({
      ...row,
      currentMetrics: numbersOfSnapshot({ ...row, numbers }),
    }),
    where: ({ sceneId, from, to }) =>
      sql`${ofScene(sceneId)} AND t."windowEnd" > ${from} AND t."windowStart" < ${to}
          AND t."windowEnd" < ${to}::timestamptz + interval '1 hour'`,
    order: [['windowEnd', 'timestamptz']],
    isPartitioned: true,
    packed: PACKED_SNAPSHOTS,
  },
  {
    // The window of a total began with the scene: it belongs to the time at which it was made.
    name: 'rollingRecords',
    table: 'RollingRecord',
    show: ({ numbers, ...row }: RollingRecord) => ({ ...row, metrics: numbersOfWindow({ ...row, numbers }) }),
    where: ({ sceneId, from, to }) =>
      sql`${ofScene(sceneId)} AND t."windowEnd" > ${from} AND t."windowEnd" < ${to}::timestamptz + interval '1 hour'
          AND CASE t."windowType" WHEN 'total' THEN t."windowEnd" <= ${to} ELSE t."windowStart" < ${to} END`,
    order: [
      ['windowEnd', 'timestamptz'],
      ['windowType', 'text'],
    ],
    isPartitioned: true,
    packed: PACKED_ROLLING,
  },
  {
    // A sample of the hour before: its points have no times, so that it goes whole.
    name: 'feet',
    table: 'SceneFeet',
    where: ({ sceneId, from, to }) =>
      sql`${ofScene(sceneId)} AND t.until > ${from} AND t.until < ${to}::timestamptz + interval '1 hour'`,
    order: [['until', 'timestamptz']],
  },
  {
    name: 'tillQuarters',
    table: 'TillQuarter',
    where: QUARTERS,
    order: [
      ['quarter', 'timestamptz'],
      ['tillId', 'text'],
    ],
  },
  {
    name: 'staffingAdvice',
    table: 'StaffingAdvice',
    where: ({ sceneId, from, to }) =>
      sql`${ofScene(sceneId)} AND t."madeAt" < ${to} AND t."endsAt" > ${from}`,
    order: [['madeAt', 'timestamptz']],
  },
  {
    name: 'unusualActivity',
    table: 'UnusualActivity',
    where: ({ sceneId, from, to }) =>
      sql`${ofScene(sceneId)} AND t."beganAt" < ${to} AND coalesce(t."endedAt", t."lastUnusualAt") > ${from}`,
    order: [['beganAt', 'timestamptz']],
  },
  {
    name: 'checkStills',
    table: 'CheckStill',
    where: (range) => sql`t."checkId" IN (SELECT t.id FROM "SceneCheck" t WHERE ${CHECKS(range)})`,
    order: [
      ['checkId', 'uuid'],
      ['stratum', 'smallint'],
    ],
    show: withoutPicture,
  },
  {
    name: 'checkFilms',
    table: 'CheckFilm',
    where: (range) => sql`t."checkId" IN (SELECT t.id FROM "SceneCheck" t WHERE ${CHECKS(range)})`,
    order: [
      ['checkId', 'uuid'],
      ['piece', 'smallint'],
    ],
    show: withoutPicture,
  },
  {
    name: 'checkMarks',
    table: 'CheckMarks',
    where: (range) => sql`t."checkId" IN (SELECT t.id FROM "SceneCheck" t WHERE ${CHECKS(range)})`,
    order: [
      ['checkId', 'uuid'],
      ['checker', 'text'],
    ],
  },
  {
    // A check goes whole: its figures cannot be taken apart.
    name: 'checks',
    table: 'SceneCheck',
    where: CHECKS,
    order: [
      ['startedAt', 'timestamptz'],
      ['id', 'uuid'],
    ],
  },
  { name: 'floorHours', table: 'FloorHour', where: hours, order: [['hour', 'timestamptz']] },
];

const ALERT_ROWS: RangedRows = {
  name: 'alertEvents',
  table: 'AlertEvent',
  where: ALERTS,
  order: [
    ['triggeredAt', 'timestamptz'],
    ['id', 'uuid'],
  ],
};

/** They go with their alert event, as the images do. */
const INSIGHT_ROWS: RangedRows = {
  name: 'insights',
  table: 'Insight',
  where: ofAlerts,
  order: [['id', 'uuid']],
};

export const IMAGE_ROWS: RangedRows = {
  name: 'images',
  table: 'StoredImage',
  where: ofAlerts,
  order: [['id', 'uuid']],
};

/** What an export holds. */
export const EXPORTED_ROWS: readonly RangedRows[] = [
  VISIT_ROWS,
  VISIT_QUARTER_ROWS,
  ALERT_ROWS,
  INSIGHT_ROWS,
  IMAGE_ROWS,
  ...PLAIN_ROWS,
].filter(({ order }) => order !== undefined);

/** Tables with data of users that an erasure of a time range leaves, and why. A test compares the lists with the database. */
export const KEPT_TABLES: Readonly<Record<string, string>> = {
  ApiKey: 'who may call, not what was seen',
  Session: 'who may call',
  LoginCode: 'who may call',
  IdempotentCall: 'answers to repeated calls, gone after a day',
  AuditEntry: 'the audit log says that data was erased',
  DataJob: 'says that data was erased; files of exports of the range are removed',
  Device: 'configuration',
  Site: 'configuration',
  SiteDevice: 'configuration',
  Scene: 'configuration; its latest metrics are removed',
  SceneRestart: 'configuration on its way',
  AlertRule: 'configuration',
  SiteRuleState: 'which rule of a site holds at a scene now, and since when',
  Webhook: 'configuration',
  NotificationChannel: 'configuration',
  NotificationSubscription: 'configuration',
  ReportSubscription: 'configuration',
  ReportSubscriptionChannel: 'configuration',
  SentReport: 'which report was sent when',
  DiscoveryRequest: 'cameras that a search found, gone after ten minutes',
  LiveWish: 'who watches now',
  AnalysisTask: 'when a camera was analysed, for billing; checkpoints are removed',
  RunLease: 'which node analyses now',
  SceneTotals: 'counters, computed anew from the visits that stay',
  NodeNotice: 'which nodes worked for the user',
  Quota: 'billing',
  FoldedQuota: 'billing',
  QuotaBase: 'billing',
  QuotaTransaction: 'billing',
  UsageEvent: 'billing',
  UsageDay: 'billing',
  BillingCycle: 'billing',
  SearchReservation: 'billing',
};
