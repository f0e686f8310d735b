import type { Resource } from '../../client/client.ts';

type AlertEvent = Resource<'AlertEvent'>;
type Insight = Resource<'Insight'>;

/** The value that made a rule fire. */
export type Measured = Pick<AlertEvent, 'metricPath' | 'operator' | 'threshold' | 'actualValue'>;

/** An entry of the feed: an alert with its description, out of a list of alerts or out of a search. */
export interface FeedItem {
  /** Id of the alert event. */
  readonly id: string;
  readonly severity: AlertEvent['severity'];
  readonly triggeredAt: string;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly sceneName: string;
  /** The sentence of the API. */
  readonly message: string;
  /** Null out of a search. */
  readonly measured: Measured | null;
  readonly summary: string | null;
  /** Whether the description is still being written. */
  readonly isPending: boolean;
  readonly thumbnailUrl: string | null;
  readonly awaitsImages: boolean;
  /** Null where nobody has acknowledged it; undefined where the list does not say it. */
  readonly acknowledgedAt: string | null | undefined;
}

export function itemOfAlert(alert: AlertEvent): FeedItem {
  const { insight = null, metricPath, operator, threshold, actualValue } = alert;
  return {
    id: alert.id,
    severity: alert.severity,
    triggeredAt: alert.triggeredAt,
    deviceId: alert.deviceId,
    deviceName: alert.device.name,
    sceneName: alert.scene.name,
    message: alert.message,
    measured: { metricPath, operator, threshold, actualValue },
    summary: insight?.vlmSummary ?? null,
    isPending: insight?.vlmStatus === 'pending',
    thumbnailUrl: alert.thumbnailUrl ?? null,
    awaitsImages: alert.awaitsImages ?? false,
    acknowledgedAt: alert.acknowledgedAt,
  };
}

export const itemOfInsight = (insight: Insight): FeedItem => ({
  id: insight.alertId,
  severity: insight.severity,
  triggeredAt: insight.triggeredAt,
  deviceId: insight.deviceId,
  deviceName: insight.deviceName,
  sceneName: insight.sceneName,
  message: insight.message,
  measured: null,
  summary: insight.vlmSummary,
  isPending: insight.vlmStatus === 'pending',
  thumbnailUrl: insight.thumbnailUrl,
  awaitsImages: false,
  acknowledgedAt: undefined,
});
