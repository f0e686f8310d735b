import type { Db } from '../../../src/platform/database/db.ts';
import type {
  AlertEvent,
  AlertRule,
  ImageKind,
  Insight,
  Prisma,
} from '../../../src/platform/prisma-client/client.ts';

export interface Place {
  readonly userId: string;
  readonly deviceId: string;
  readonly sceneId: string;
}

/** A rule of one scene. */
export type AddedRule = AlertRule & Place;

/** A rule as POST /alerts/rules makes it: queue longer than 5. */
export function addRule(
  db: Db,
  { userId, deviceId, sceneId }: Place,
  columns: Partial<Prisma.AlertRuleUncheckedCreateInput> = {},
): Promise<AddedRule> {
  const conditions = [{ metricPath: 'current.inQueue', operator: 'GT', threshold: 5 }];
  const severity = 'warning';
  const data = { userId, deviceId, sceneId, name: 'Long queue', severity, conditions, ...columns } as const;
  return db.alertRule.create({ data }) as Promise<AddedRule>;
}

export interface AddedAlert {
  readonly event: AlertEvent;
  readonly insight: Insight;
}

let alerts = 0;

/**
 * An alert event with its insight, 1:1, as a firing leaves them.
 * @param options.summary makes the insight completed, with this text
 * @param options.images kinds of its pictures, each with a row; the objects are not stored
 */
export async function addAlert(
  db: Db,
  rule: AlertRule,
  options: {
    event?: Partial<Prisma.AlertEventUncheckedCreateInput>;
    insight?: Partial<Prisma.InsightUncheckedCreateInput>;
    summary?: string;
    activities?: string[];
    environment?: string;
    riskLevel?: 'low' | 'medium' | 'high' | 'critical';
    personCount?: number;
    images?: ImageKind[];
  } = {},
): Promise<AddedAlert> {
  alerts += 1;
  const { userId, deviceId, sceneId, severity, id: ruleId } = rule as AddedRule;
  const triggeredAt = options.event?.triggeredAt ?? new Date(Date.UTC(2026, 0, 1, 0, 0, alerts));
  const event = await db.alertEvent.create({
    data: {
      userId,
      deviceId,
      sceneId,
      ruleId,
      severity,
      metricPath: 'current.inQueue',
      operator: 'GT',
      threshold: 5,
      actualValue: 7,
      message: 'In queue 7 > 5 at "Till"',
      ...options.event,
      triggeredAt,
    },
  });
  for (const [index, kind] of (options.images ?? []).entries()) {
    const objectKey = `alerts/${event.id}/${index}-${kind}.jpg`;
    const size = { width: 960, height: 540, sizeBytes: 1000 };
    const data = { userId, alertEventId: event.id, kind, index, objectKey, ...size, capturedAt: triggeredAt };
    await db.storedImage.create({ data });
  }
  const insight = await db.insight.create({
    data: {
      alertEventId: event.id,
      userId,
      deviceId,
      sceneId,
      severity: event.severity,
      triggeredAt,
      vlmDeadlineAt: new Date(event.triggeredAt.getTime() + 30 * 60_000),
      ...(options.summary !== undefined && written(options.summary, options)),
      ...options.insight,
    },
  });
  return { event, insight };
}

function written(
  summary: string,
  {
    activities = [],
    environment = 'shop',
    riskLevel = 'medium',
    personCount = 3,
  }: Parameters<typeof addAlert>[2] & {},
) {
  return {
    vlmStatus: 'completed' as const,
    vlmSummary: summary,
    vlmStructuredResult: { summary, personCount, riskLevel, activities, suggestions: [], environment },
    riskLevel,
    personCount,
    vlmProvider: 'rules',
    vlmTokensUsed: 0,
    vlmInputTokensUsed: 0,
    vlmOutputTokensUsed: 0,
  };
}
