import { CURRENT, ROLLING, TOTAL, WINDOWS, type WindowType } from '../../catalogue/metrics/all.ts';
import { EXAMPLE_ID as ID, EXAMPLE_TIME as TIME } from '../../http/openapi/example-shop.ts';
import type { Examples } from '../../http/openapi/examples.ts';
import { nester } from '../../metrics/measured-by-zones.ts';

const example = ({ example: value }: { readonly example: number }): number => value;
const examplesOf = (metrics: readonly { readonly name: string; readonly example: number }[]) =>
  nester(metrics.map(({ name }) => name))((at) => example(metrics[at]!));

const NOW = examplesOf(CURRENT);
const LAST_MINUTES = examplesOf(ROLLING);
const SINCE_START = examplesOf(TOTAL);

const rollingRecord = (windowType: WindowType, start: string) => ({
  id: ID.rolling,
  sceneId: ID.scene,
  deviceId: ID.device,
  sceneType: 'queue_analysis',
  windowType,
  windowStart: start,
  windowEnd: TIME.alert,
  ...(windowType === 'total' ? SINCE_START : LAST_MINUTES),
  computeNodeId: ID.node,
  createdAt: TIME.stored,
});
const RECORDS: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    WINDOWS.map(({ windowType, lengthMs }) => [
      windowType,
      rollingRecord(windowType, new Date(Date.parse(TIME.alert) - lengthMs).toISOString()),
    ]),
  ),
  total: rollingRecord('total', TIME.created),
};

const FLOOR_COLUMNS = 32;
const FLOOR_ROWS = 18;

/** Presence on a queue that runs from the upper left to the till on the right. */
const floorCells = (inQueue: number, outside: number | null): (number | null)[] =>
  Array.from({ length: FLOOR_COLUMNS * FLOOR_ROWS }, (_, cell) => {
    const [row, column] = [Math.floor(cell / FLOOR_COLUMNS), cell % FLOOR_COLUMNS];
    return row >= 9 && row <= 11 && column >= 6 && column <= 20 ? inQueue : outside;
  });

/** Examples of snapshots, rolling records and the latest metrics of a scene. */
const LIVE_TILL = {
  ...{ id: 'till-1', name: 'Till 1', state: 'serving', confidence: 'high' },
  ...{ since: '2026-01-31T08:14:21.000Z', servedSince: '2026-01-31T08:14:21.000Z' },
};

export const METRIC_EXAMPLES: Examples = {
  CurrentMetrics: NOW,
  CompletedVisits: SINCE_START.completed,
  AbandonedVisits: SINCE_START.abandoned,
  WindowMetrics: LAST_MINUTES,
  TotalMetrics: SINCE_START,
  LatestMetrics: {
    current: NOW,
    ...Object.fromEntries(WINDOWS.map(({ name }) => [name, LAST_MINUTES])),
    total: SINCE_START,
    tills: [LIVE_TILL],
  },
  LiveTill: LIVE_TILL,
  'MetricSnapshot.id': ID.snapshot,
  'MetricSnapshot.windowStart': '2026-01-31T08:14:50.000Z',
  'MetricSnapshot.windowEnd': TIME.alert,
  'MetricSnapshot.durationSeconds': 10,
  'MetricSnapshot.createdAt': TIME.stored,
  RollingRecord: rollingRecord('15min', '2026-01-31T08:00:00.000Z'),
  LatestRolling: RECORDS,
  'FloorMap.from': '2026-01-31T08:00:00.000Z',
  'FloorMap.to': '2026-01-31T20:00:00.000Z',
  'FloorMap.coveredSeconds': 43_140.2,
  'FloorMap.seconds': floorCells(1830.5, 0),
  'FloorMap.dx': floorCells(0.0042, null),
  'FloorMap.dy': floorCells(0.0007, null),
  'FootPoint.x': 0.412,
  'FootPoint.y': 0.687,
  'FootPoint.feet': 'estimated',
  'FootPoint.isStanding': true,
  'SceneFeet.until': TIME.stored,
  'SceneFeet.feet': 'known',
  'SceneFeet.proposal': null,
  'SceneLatest.snapshots': [{ id: ID.snapshot, currentMetrics: NOW, createdAt: TIME.stored }],
  'SceneLatest.lastUpdatedAt': TIME.stored,
};
