import { randomUUID } from 'node:crypto';
import { emit } from '../../src/delivery/events/emit.ts';
import { type BridgeOptions, MqttBridge } from '../../src/mqtt/mqtt-bridge.ts';
import { runMqttBridge } from '../../src/mqtt/run-mqtt-bridge.ts';
import { loadConfig } from '../../src/platform/config.ts';
import type { Context } from '../../src/platform/context.ts';
import type { Db } from '../../src/platform/database/db.ts';
import type { Prisma, Scene } from '../../src/platform/prisma-client/client.ts';
import type { Series } from '../../src/platform/prometheus.ts';
import { addAlert, addRule } from '../support/rows/alert-rows.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';

export const PUBLIC_URL = 'https://video.example.com';

/** A bridge that is told when to look, with what it logs. */
export interface ToldBridge {
  readonly bridge: MqttBridge;
  readonly lines: string[];
  /** Takes or renews its lease and publishes. */
  turn(): Promise<void>;
}

export function bridgeOf(
  db: Db,
  environment: Record<string, string>,
  options: BridgeOptions = {},
): ToldBridge {
  const config = loadConfig({ PUBLIC_URL, ...environment });
  const lines: string[] = [];
  const say = (first: unknown, text?: string) => void lines.push(text ?? String(first));
  const bridge = new MqttBridge(
    { db, config, logger: { info: say, warn: say } as never },
    config.mqttUrl!,
    options,
  );
  return {
    bridge,
    lines,
    async turn() {
      await bridge.renew();
      await bridge.turn();
    },
  };
}

/** Metrics as a recorder stores them, with some numbers. */
export const METRICS = {
  current: { inQueue: 4, inService: 1, totalPresent: 5, avgWaitSeconds: 61.23456, maxWaitSeconds: 95 },
  rolling15Min: {
    completed: { count: 9, avgWaitSeconds: 80.5, p90WaitSeconds: 120 },
    abandoned: { count: 1 },
    abandonmentRate: 0.1,
    throughputPerHour: 36,
  },
  total: { completed: { count: 300 }, abandoned: { count: 12 }, arrivals: 320 },
};

/** A scene of a user of its own that is measured now. */
export async function measuredScene(db: Db, columns: Prisma.SceneUncheckedUpdateInput = {}): Promise<Scene> {
  const { scene } = await queueScene(db, await addDevice(db));
  return db.scene.update({
    where: { id: scene.id },
    data: { analysisStatus: 'running', latestMetrics: METRICS, metricsUpdatedAt: new Date(), ...columns },
  });
}

/** An alert event of the scene with the event that is told of it. @returns the id of the event */
export async function fire(db: Db, scene: Scene, name = 'Long queue'): Promise<string> {
  const place = { userId: scene.userId, deviceId: scene.deviceId, sceneId: scene.id };
  const rule = await addRule(db, place, { name });
  const { event } = await addAlert(db, rule);
  const id = await db.$transaction((tx) =>
    emit(tx, {
      userId: scene.userId,
      deviceId: scene.deviceId,
      sceneId: scene.id,
      alertEventId: event.id,
      type: 'alert_triggered',
      severity: 'warning',
      occurredAt: event.triggeredAt,
      dedupeKey: `alert:${randomUUID()}`,
      data: {
        ...{
          ruleId: rule.id,
          ruleName: name,
          sceneId: scene.id,
          sceneName: scene.name,
          deviceId: scene.deviceId,
        },
        ...{
          severity: 'warning',
          metricPath: 'current.inQueue',
          operator: 'GT',
          threshold: 5,
          actualValue: 7,
        },
        ...{
          message: `${name}: 7 > 5`,
          snapshotUrls: ['https://video.example.com/api/v1/images/x.jpg?signature=s'],
        },
      },
    }),
  );
  return id!;
}

/** The job of a program, with the metrics that it offers. */
export interface Running {
  metrics(): Record<string, readonly Series[]>;
  stop(): Promise<void>;
}

export function runBridge(context: Context): Running {
  const read: Record<string, () => readonly Series[] | Promise<readonly Series[]>> = {};
  const running = runMqttBridge(context, {
    watchSeries: ({ name }, series) => {
      read[name] = series;
    },
  });
  return {
    metrics: () =>
      Object.fromEntries(Object.entries(read).map(([name, series]) => [name, series() as readonly Series[]])),
    stop: () => running.stop(),
  };
}
