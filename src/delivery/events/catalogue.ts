import { z } from 'zod';
import { id, timestamp } from '../../http/fields.ts';
import { EXAMPLE_TIME, EXAMPLE_ID as ID } from '../../http/openapi/example-shop.ts';
import * as data from './event-data.ts';

/** One type of event: when it is sent, and the schema of its `data`. */
interface EventKind<Data extends z.ZodType> {
  /** When it is sent. */
  readonly description: string;
  readonly data: Data;
  readonly example: z.input<Data>;
}

const kind = <Data extends z.ZodType>(of: EventKind<Data>): EventKind<Data> => of;

const ANALYSIS = {
  analysisId: ID.analysis,
  sceneId: ID.scene,
  sceneName: 'Till 3',
  deviceId: ID.device,
  computeNodeId: ID.node,
};
const DURATION = { seconds: 3600.25, milliseconds: 3_600_250 };
const DEVICE = {
  deviceId: ID.device,
  deviceName: 'Camera till 3',
  lastFrameAt: '2026-01-31T08:14:30.000Z',
};
const NODE = {
  computeNodeId: ID.node,
  name: 'node-1',
  health: 'healthy' as const,
  activeDeviceCount: 3,
  maxConcurrentDevices: 8,
  lastHeartbeatAt: '2026-01-31T08:14:55.000Z',
};
const QUOTA = {
  scope: 'user' as const,
  featureType: 'analysis' as const,
  period: '2026-01',
  used: 80_000,
  limit: 100_000,
  usagePercentage: 80,
  threshold: 80,
};

/** Every event of the service, by type: the values of `subscribedTypes`. */
export const EVENTS = {
  analysis_started: kind({
    description:
      'A run processed its first frame. Sent once per run, also when the run moves to another node.',
    data: data.analysisStarted,
    example: { ...ANALYSIS, status: 'running' },
  }),
  analysis_stopped: kind({
    description:
      'A run has ended: it was stopped, or its recording is over. Sent only after `analysis_started`: a run that is stopped or cancelled before its first frame sends neither.',
    data: data.analysisStopped,
    example: { ...ANALYSIS, status: 'stopped', reason: 'user_request', processingDuration: DURATION },
  }),
  analysis_error: kind({
    description:
      'A run failed and will not continue automatically. Also sent when it failed before its first frame.',
    data: data.analysisError,
    example: {
      ...ANALYSIS,
      status: 'error',
      processingDuration: DURATION,
      error: 'No frame came within 5 minutes of the start.',
    },
  }),
  analysis_waiting: kind({
    description:
      'A run waits because every compute node is full or overloaded; it starts by itself when one has room. Sent when it has waited for 5 seconds, and when it no longer waits: a node has taken it, it was cancelled, or no node is left.',
    data: data.analysisWaiting,
    example: {
      ...ANALYSIS,
      computeNodeId: null,
      reason: 'capacity',
      message: 'Every compute node is full or overloaded: the analysis starts as soon as one has room.',
      since: '2026-01-31T08:14:00.000Z',
      state: 'began',
    },
  }),
  alert_triggered: kind({
    description:
      'An alert rule fired. `snapshotUrls` has the images that were stored in time and may be empty. Images stored later are in the alert event; there is no second webhook.',
    data: data.alertTriggered,
    example: {
      ruleId: ID.rule,
      ruleName: 'Long queue',
      sceneId: ID.scene,
      sceneName: 'Till 3',
      deviceId: ID.device,
      severity: 'warning',
      metricPath: 'current.inQueue',
      operator: 'GT',
      threshold: 5,
      actualValue: 7,
      message: 'Till 3: people waiting 7, limit 5',
      snapshotUrls: [
        `https://video.example.com/api/v1/images/2026-01-31/${ID.image}.jpg?expires=1770452100&signature=pT1o2hYqJ7m0w5c3Zr8nKd4uVx9sAe6bGfLtQyRiMkE`,
      ],
    },
  }),
  device_offline: kind({
    description:
      'No frame arrived from a device for 30 seconds, or a probe found that it is not reachable. Sent once, not again before `device_online`.',
    data: data.deviceOffline,
    example: { ...DEVICE, error: 'The camera refuses the connection.' },
  }),
  device_online: kind({
    description:
      'A device sends frames again, or a probe reached it again. Sent only after `device_offline`.',
    data: data.deviceOnline,
    example: { ...DEVICE, offlineForSeconds: 95.5 },
  }),
  device_analysis_error: kind({
    description:
      'A camera stream was restarted for the third time in a row, or cannot be decoded. Sent once per outage. The outage ends when a later frame is processed; no event is sent for this end, because `device_online` is sent only after `device_offline`.',
    data: data.deviceAnalysisError,
    example: { ...DEVICE, error: 'The stream ends again and again right after its start.' },
  }),
  device_warning: kind({
    description:
      'The metrics of a device may be wrong: its node is overloaded, the camera delivers too few frames, its picture does not change or shows another view, or people are often cut off just outside a zone (`sceneId`). Sent when the warning begins and when it ends.',
    data: data.deviceWarning,
    example: {
      ...DEVICE,
      reason: 'overloaded',
      message: 'Its compute node analyses 2.1 of 5 frames a second: it has too many cameras.',
      since: '2026-01-31T08:14:00.000Z',
      state: 'began',
    },
  }),
  node_offline: kind({
    description:
      'A compute node that executed a run of yours has sent no heartbeat for 30 seconds. Not sent when its operator ends it.',
    data: data.computeNode,
    example: { ...NODE, health: 'offline' },
  }),
  node_online: kind({
    description: 'A compute node sends heartbeats again. Sent only after `node_offline`.',
    data: data.computeNode,
    example: NODE,
  }),
  node_error: kind({
    description: 'A compute node cannot load its model, or its detection processes end again and again.',
    data: data.computeNode,
    example: { ...NODE, health: 'degraded' },
  }),
  node_warning: kind({
    description:
      'A compute node that executes a run of yours is too slow for its cameras; it accepts no more of them. Sent when the overload begins and when it ends.',
    data: data.computeNodeWarning,
    example: {
      ...NODE,
      health: 'degraded',
      reason: 'overloaded',
      message: '2 of its 8 cameras are analysed at less than 70 % of the requested rate.',
      state: 'began',
    },
  }),
  quota_warning: kind({
    description: 'Usage exceeded 80 % of a quota. Sent once per feature, month and scope.',
    data: data.quota,
    example: QUOTA,
  }),
  quota_exceeded: kind({
    description: 'Usage exceeded 100 % of a quota. Sent once per feature, month and scope.',
    data: data.quota,
    example: { ...QUOTA, used: 100_000, usagePercentage: 100, threshold: 100 },
  }),
  billing_cycle_completed: kind({
    description: 'A month is over. The event has the usage of each feature in that month.',
    data: data.billingCycle,
    example: {
      period: '2026-01',
      analysisSeconds: 92_160,
      alertCount: 41,
      attributeCount: 1_200,
      vlmTokens: 18_300,
    },
  }),
  maintenance_scheduled: kind({
    description: 'The operator announces planned maintenance.',
    data: data.announcement,
    example: {
      title: 'Database update',
      message: 'Starting and stopping analysis is not possible for a few minutes.',
      startsAt: '2026-02-01T02:00:00.000Z',
      endsAt: '2026-02-01T02:15:00.000Z',
    },
  }),
  system_announcement: kind({
    description: 'The operator announces other news. Also the default type of a test delivery.',
    data: data.announcement,
    example: { title: 'New model', message: 'Vehicles are detected better from today on.' },
  }),
  staffing_advice: kind({
    description:
      'More tills should open, or some can close, so that the target of a scene is kept. Sent once for each advice, only of scenes with at least two tills and 14 days of history, of which past advice was mostly right.',
    data: data.staffingAdvice,
    example: {
      sceneId: ID.scene,
      sceneName: 'Tills',
      deviceId: ID.device,
      adviceId: ID.advice,
      tills: 1,
      openTills: 2,
      startsAt: '2026-01-31T10:20:00.000Z',
      endsAt: '2026-01-31T11:10:00.000Z',
      lateShare: 0.31,
      lateShareWithIt: 0.04,
      target: { waitSeconds: 180, share: 0.9 },
      timezone: 'Europe/Berlin',
      message: 'Open one more till by 11:20, until about 12:10: otherwise 31% wait longer than 3 min.',
    },
  }),
  unusual_activity: kind({
    description:
      'A scene has not been as it usually is at this time of the week for 20 minutes: more or fewer people came, services take longer or shorter, or another number of tills is open. Sent once for each such time, only with 14 days of history, and never while the camera has a fault or a warning.',
    data: data.unusualActivity,
    example: {
      sceneId: ID.scene,
      sceneName: 'Tills',
      deviceId: ID.device,
      unusualId: ID.unusual,
      beganAt: '2026-01-31T10:05:00.000Z',
      deviations: [{ metric: 'arrivals', value: 142, low: 95, high: 126 }],
      timezone: 'Europe/Berlin',
      message: 'Unlike other Saturdays: 142 people came in 20 minutes, usually 95 to 126.',
    },
  }),
} as const;

export type EventType = keyof typeof EVENTS;
export type EventData<Type extends EventType> = z.input<(typeof EVENTS)[Type]['data']>;

/** In the order of the specification. */
export const EVENT_TYPES = Object.keys(EVENTS) as [EventType, ...EventType[]];

/** The body of an event, as it is posted to a webhook and sent on the stream. */
export const eventBody = <Type extends EventType>(type: Type) =>
  z.strictObject({
    id: id().meta({
      description: 'Id of the event; it is the same in every attempt, so you can use it to detect repeats',
    }),
    type: z.literal(type).meta({ description: EVENTS[type].description }),
    timestamp: timestamp().meta({ description: 'When it happened, UTC' }),
    data: EVENTS[type].data.meta({ description: 'The error', examples: [EVENTS[type].example] }),
  });

/** An example of such a body. */
export const eventExample = (type: EventType) => ({
  ...{ id: ID.event, type, timestamp: EXAMPLE_TIME.alert },
  data: EVENTS[type].example,
});

/** What a test delivery of a type carries: its example, marked. */
export const testData = <Type extends EventType>(type: Type): EventData<Type> =>
  // The type of a union of examples is lost when it is spread; a test holds each against its schema.
  ({ ...EVENTS[type].example, test: true }) as EventData<Type>;
