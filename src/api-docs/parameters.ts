import { EXAMPLE_ID, EXAMPLE_TIME } from '../http/openapi/example-shop.ts';

/** Values of parameters that no recorded call has, by name or for one call: `operationId name`. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, unknown>> = {
  q: 'till',
  'listUsers q': 'ada@',
  startDate: '2026-01-31T00:00:00.000Z',
  endDate: '2026-02-01T00:00:00.000Z',
  startedAfter: '2026-01-31T00:00:00.000Z',
  startedBefore: '2026-02-01T00:00:00.000Z',
  stepSeconds: 60,
  tillId: 'till-1',
  metricPath: 'current.inQueue',
  types: 'metrics,alerts',
  'Last-Event-ID': '4211',
  period: '2026-01',
  targetId: EXAMPLE_ID.device,
  width: 640,
  videoTrack: 0,
  day: EXAMPLE_TIME.alert.slice(0, 10),
  'getImage name': `${EXAMPLE_ID.image}.jpg`,
  'createRecording name': 'Saturday morning',
};
