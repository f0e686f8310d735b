import type { MeasuredAlert } from '../../catalogue/words/alert-words.ts';
import { placeName } from '../../catalogue/words/place-name.ts';
import type { Resource } from '../../client/client.ts';

type AlertEvent = Resource<'AlertEvent'>;
type Insight = Resource<'Insight'>;

/** An entry of the feed: an alert with its description, out of a list of alerts or out of a search. */
export interface FeedItem {
  /** Id of the alert event. */
  readonly id: string;
  readonly severity: AlertEvent['severity'];
  readonly triggeredAt: string;
  readonly deviceId: string;
  /** Name of the place where it happened. */
  readonly place: string;
  readonly measured: MeasuredAlert;
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
    place: placeName(alert.device.name, alert.scene.name),
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
  place: placeName(insight.deviceName, insight.sceneName),
  measured: insight,
  summary: insight.vlmSummary,
  isPending: insight.vlmStatus === 'pending',
  thumbnailUrl: insight.thumbnailUrl,
  awaitsImages: false,
  acknowledgedAt: undefined,
});
