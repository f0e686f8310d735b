import type { z } from 'zod';
import { storedCaller } from '../access/known-caller.store.ts';
import { metricEntry } from '../metrics/catalogue.ts';
import { isMeasured } from '../metrics/measured-by-zones.ts';
import type { Context } from '../platform/context.ts';
import { imageUrl } from '../platform/images/image-url.ts';
import { storedSchedule } from '../platform/jobs/schedule.ts';
import { storedConfig } from '../vision/stored-config.ts';
import type { EventRow, EventStats, InsightBrief } from './event.store.ts';
import type { RuleRow } from './rule.store.ts';
import { type alertEvent, type eventStats, MOST_DAYS, type rule, storedConditions } from './schema.ts';

type RuleJson = z.input<typeof rule>;

/** Of a rule of a site: what none of its scenes measures. */
function unmeasuredPaths({ conditions, scene, site }: RuleRow): string[] {
  const scenes = scene ? [scene] : (site?.devices.flatMap(({ device }) => device.scenes) ?? []);
  const zones = scenes.map(({ config }) => storedConfig.parse(config).zones);
  const paths = new Set(storedConditions.parse(conditions).map(({ metricPath }) => metricPath));
  return [...paths].filter((path) => {
    const entry = metricEntry(path);
    return entry !== undefined && !zones.some((each) => isMeasured(entry, each));
  });
}

export const presentRule = (row: RuleRow): RuleJson => ({
  id: row.id,
  userId: row.userId,
  deviceId: row.deviceId,
  sceneId: row.sceneId,
  siteId: row.siteId,
  scene: row.scene && { id: row.scene.id, name: row.scene.name },
  device: row.scene && { id: row.scene.device.id, name: row.scene.device.name },
  site: row.site && { id: row.site.id, name: row.site.name },
  name: row.name,
  description: row.description,
  severity: row.severity,
  conditions: storedConditions.parse(row.conditions),
  logicOperator: row.logicOperator,
  cooldownMinutes: row.cooldownMinutes,
  durationSeconds: row.durationSeconds,
  schedule: storedSchedule.parse(row.schedule),
  status: row.status,
  isFiring: row.isFiring || row.states.length > 0,
  lastTriggeredAt: row.lastTriggeredAt?.toISOString() ?? null,
  triggerCount: row.triggerCount,
  unmeasuredPaths: unmeasuredPaths(row),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** @param brief only where the caller asked for it */
export const presentEvent = (
  context: Context,
  row: EventRow,
  brief?: InsightBrief,
): z.input<typeof alertEvent> => ({
  id: row.id,
  severity: row.severity,
  triggeredAt: row.triggeredAt.toISOString(),
  metricPath: row.metricPath,
  operator: row.operator,
  threshold: row.threshold,
  actualValue: row.actualValue,
  message: row.message,
  snapshotUrls: row.images.map(({ objectKey }) => imageUrl(context, objectKey)),
  ruleId: row.ruleId,
  sceneId: row.sceneId,
  deviceId: row.deviceId,
  userId: row.userId,
  computeNodeId: row.computeNodeId,
  acknowledgedAt: row.acknowledgedAt?.toISOString() ?? null,
  acknowledgedBy: storedCaller.nullable().parse(row.acknowledgedBy),
  createdAt: row.createdAt.toISOString(),
  rule: { id: row.rule.id, name: row.rule.name },
  scene: { id: row.scene.id, name: row.scene.name },
  device: { id: row.device.id, name: row.device.name },
  ...(brief && presentBrief(context, brief)),
});

const presentBrief = (context: Context, { images: [thumbnail], awaitsPictures, insight }: InsightBrief) => ({
  thumbnailUrl: thumbnail ? imageUrl(context, thumbnail.objectKey) : null,
  awaitsImages: awaitsPictures,
  insight,
});

export function presentStats(stats: EventStats): z.input<typeof eventStats> {
  return {
    total: stats.total,
    bySeverity: { warning: stats.bySeverity.warning ?? 0, critical: stats.bySeverity.critical ?? 0 },
    topScenes: stats.scenes.map(({ id, name, count }) => ({ sceneId: id, sceneName: name, count })),
    topRules: stats.rules.map(({ id, name, count }) => ({ ruleId: id, ruleName: name, count })),
    hourlyDistribution: Array.from({ length: 24 }, (_, hour) => ({
      hour,
      count: stats.byHour.get(hour) ?? 0,
    })),
    ...(stats.byDay && {
      dailyDistribution: [...stats.byDay].slice(-MOST_DAYS).map(([date, count]) => ({ date, count })),
    }),
  };
}
