import { EXAMPLE_ID as ID, EXAMPLE_TIME as TIME } from '../../http/openapi/example-shop.ts';
import type { Examples } from '../../http/openapi/examples.ts';

const CURRENT = {
  inQueue: 7,
  inService: 1,
  totalPresent: 8,
  avgWaitSeconds: 118.4,
  maxWaitSeconds: 245.2,
  avgServiceSeconds: 31.6,
  maxServiceSeconds: 31.6,
  estimatedWaitSeconds: 420,
};

/** Numbers of a rolling window in the examples: people who were served, and people who left without being served. */
interface Window {
  readonly windowType: '5min' | '15min' | '30min' | '60min' | 'total';
  readonly start: string;
  readonly served: number;
  readonly abandoned: number;
  readonly arrivals: number;
}

const WINDOWS: readonly Window[] = [
  { windowType: '5min', start: '2026-01-31T08:10:00.000Z', served: 5, abandoned: 1, arrivals: 9 },
  { windowType: '15min', start: '2026-01-31T08:00:00.000Z', served: 15, abandoned: 2, arrivals: 22 },
  { windowType: '30min', start: '2026-01-31T07:45:00.000Z', served: 29, abandoned: 3, arrivals: 38 },
  { windowType: '60min', start: '2026-01-31T07:15:00.000Z', served: 54, abandoned: 4, arrivals: 66 },
  { windowType: 'total', start: TIME.created, served: 9640, abandoned: 410, arrivals: 10_080 },
];
const MINUTES = { '5min': 5, '15min': 15, '30min': 30, '60min': 60 };

const share = (part: number, whole: number) => Math.round((part / whole) * 1000) / 1000;

function metricsOf({ windowType, served, abandoned, arrivals }: Window) {
  const decided = {
    completed: {
      count: served,
      waitCount: served,
      avgWaitSeconds: 96.2,
      maxWaitSeconds: 271.3,
      p50WaitSeconds: 88.4,
      p90WaitSeconds: 190.7,
      serviceCount: served,
      avgServiceSeconds: 52.1,
      maxServiceSeconds: 140.6,
      p90ServiceSeconds: 97.9,
    },
    abandoned: { count: abandoned, waitCount: abandoned, avgWaitSeconds: 143.1, maxWaitSeconds: 182.5 },
    arrivals,
    abandonmentRate: share(abandoned, served + abandoned),
    lostCount: 0,
  };
  if (windowType === 'total') return decided;
  return {
    ...decided,
    throughputPerHour: Math.round((served * 60) / MINUTES[windowType]),
    avgInQueue: 4.2,
    maxInQueue: 7,
    avgInService: 0.87,
    serverUtilization: 0.87,
    coveragePercent: 100,
  };
}

const rollingRecord = (window: Window) => ({
  id: ID.rolling,
  sceneId: ID.scene,
  deviceId: ID.device,
  sceneType: 'queue_analysis',
  windowType: window.windowType,
  windowStart: window.start,
  windowEnd: TIME.alert,
  ...metricsOf(window),
  computeNodeId: ID.node,
  createdAt: TIME.stored,
});

const [FIVE, QUARTER, HALF, HOUR, TOTAL] = WINDOWS as [Window, Window, Window, Window, Window];

const FLOOR_COLUMNS = 32;
const FLOOR_ROWS = 18;

/** Presence on a queue that runs from the upper left to the till on the right. */
const floorCells = (inQueue: number, outside: number | null): (number | null)[] =>
  Array.from({ length: FLOOR_COLUMNS * FLOOR_ROWS }, (_, cell) => {
    const [row, column] = [Math.floor(cell / FLOOR_COLUMNS), cell % FLOOR_COLUMNS];
    return row >= 9 && row <= 11 && column >= 6 && column <= 20 ? inQueue : outside;
  });

/** Examples of snapshots, rolling records and the latest metrics of a scene. */
export const METRIC_EXAMPLES: Examples = {
  CurrentMetrics: CURRENT,
  CompletedVisits: metricsOf(QUARTER).completed,
  AbandonedVisits: metricsOf(QUARTER).abandoned,
  WindowMetrics: metricsOf(QUARTER),
  TotalMetrics: metricsOf(TOTAL),
  LatestMetrics: {
    current: CURRENT,
    rolling5Min: metricsOf(FIVE),
    rolling15Min: metricsOf(QUARTER),
    rolling30Min: metricsOf(HALF),
    rolling60Min: metricsOf(HOUR),
    total: metricsOf(TOTAL),
  },
  'MetricSnapshot.id': ID.snapshot,
  'MetricSnapshot.windowStart': '2026-01-31T08:14:50.000Z',
  'MetricSnapshot.windowEnd': TIME.alert,
  'MetricSnapshot.durationSeconds': 10,
  'MetricSnapshot.createdAt': TIME.stored,
  RollingRecord: rollingRecord(QUARTER),
  LatestRolling: Object.fromEntries(WINDOWS.map((window) => [window.windowType, rollingRecord(window)])),
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
  'SceneLatest.snapshots': [{ id: ID.snapshot, currentMetrics: CURRENT, createdAt: TIME.stored }],
  'SceneLatest.lastUpdatedAt': TIME.stored,
};
