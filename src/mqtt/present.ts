import type { EventData } from '../delivery/events/catalogue.ts';
import { pageUrl } from '../delivery/notifications/messages/links.ts';
import type { Config } from '../platform/config.ts';
import type { NextEvent } from './alerts.store.ts';
import { numbersOf } from './numbers.ts';
import type { SceneNow } from './scenes.store.ts';

/** The retained state of a scene. @param bridgeId by it an installation finds again what it has published */
export const presentState = (scene: SceneNow, bridgeId: string) => ({
  sceneId: scene.sceneId,
  scene: scene.name,
  deviceId: scene.deviceId,
  device: scene.deviceName,
  camera: scene.onlineStatus,
  fault: scene.fault,
  analysis: scene.analysisStatus,
  alert: scene.firingSeverity ?? 'none',
  measured: scene.isMeasured,
  measuredAt: scene.metricsUpdatedAt?.toISOString() ?? null,
  ...numbersOf(scene.metrics),
  bridgeId,
});

/**
 * An alert event. It has no addresses of images: these need no key, and many programs may read a broker. `url` is the place in the
 * page, which asks who one is.
 */
export function presentAlert(config: Config, { alertEventId, body }: NextEvent): string {
  const event = JSON.parse(Buffer.from(body).toString()) as {
    id: string;
    timestamp: string;
    data: EventData<'alert_triggered'>;
  };
  const { data } = event;
  const link = { kind: 'alert_triggered', deviceId: data.deviceId, alertEventId } as const;
  return JSON.stringify({
    event_type: data.severity,
    eventId: event.id,
    alertEventId,
    triggeredAt: event.timestamp,
    rule: data.ruleName,
    ruleId: data.ruleId,
    severity: data.severity,
    message: data.message,
    metricPath: data.metricPath,
    operator: data.operator,
    threshold: data.threshold,
    actualValue: data.actualValue,
    scene: data.sceneName,
    sceneId: data.sceneId,
    deviceId: data.deviceId,
    url: pageUrl({ config }, link),
  });
}

/** Advice for the tills of a scene, or what is unusual there, as webhooks get it. */
export function presentNotice({ body }: NextEvent): string {
  const { id, timestamp, data } = JSON.parse(Buffer.from(body).toString()) as {
    id: string;
    timestamp: string;
    data: EventData<'staffing_advice' | 'unusual_activity'>;
  };
  return JSON.stringify({ eventId: id, givenAt: timestamp, ...data });
}
