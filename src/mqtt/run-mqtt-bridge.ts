import { requireDirectDatabaseUrl } from '../platform/config.ts';
import type { Context } from '../platform/context.ts';
import { isDatabaseAway } from '../platform/database/database-away.ts';
import { CHANNELS, listen } from '../platform/database/notify.ts';
import { every, type Repeating } from '../platform/jobs/every.ts';
import type { Prometheus } from '../platform/prometheus.ts';
import { LEASE_SECONDS, MqttBridge } from './mqtt-bridge.ts';

/** Alert events within this time are published together. */
const GATHER_MS = 200;

/** Runs the bridge of this process until stopped; nothing without MQTT_URL. */
export function runMqttBridge(
  context: Context,
  prometheus: Pick<Prometheus, 'watchSeries'>,
): { stop(): Promise<void> } {
  const { config, logger } = context;
  if (!config.mqttUrl) {
    watch(prometheus, null);
    return { stop: () => Promise.resolve() };
  }
  let turns: Repeating | null = null;
  let areScenesDueMs = 0;
  const bridge = new MqttBridge(context, config.mqttUrl, {
    onWish: () => {
      areScenesDueMs = 0;
      turns?.now();
    },
  });
  watch(prometheus, bridge);
  const fail = (error: unknown) => {
    if (!isDatabaseAway(error)) logger.error({ err: error }, 'the MQTT bridge could not publish');
  };
  turns = every(
    // A process without the lease only waits for it.
    () => config.mqttIntervalSeconds * 1000,
    async () => {
      if (performance.now() < areScenesDueMs) return bridge.publishAlerts();
      await bridge.turn();
      if (bridge.isConnected) areScenesDueMs = performance.now() + config.mqttIntervalSeconds * 500;
    },
    fail,
  );
  const renewals = every(
    (LEASE_SECONDS * 1000) / 3,
    async () => {
      const had = bridge.hasLease;
      await bridge.renew();
      if (!had && bridge.hasLease) turns.now();
    },
    fail,
  );
  let gathering: NodeJS.Timeout | undefined;
  const listener = listen({
    databaseUrl: requireDirectDatabaseUrl(config),
    channels: [CHANNELS.events],
    onConnect: () => undefined,
    onNotify: () => {
      if (!bridge.isConnected) return;
      gathering ??= setTimeout(() => {
        gathering = undefined;
        turns.now();
      }, GATHER_MS);
    },
  });
  return {
    async stop() {
      clearTimeout(gathering);
      await Promise.all([turns.stop(), renewals.stop(), listener.close()]);
      await bridge.stop().catch(fail);
    },
  };
}

function watch(prometheus: Pick<Prometheus, 'watchSeries'>, bridge: MqttBridge | null): void {
  const connected = {
    name: 'mqtt_connected',
    help: '1 in the process that publishes by MQTT; 0 in the others',
  };
  prometheus.watchSeries({ kind: 'gauge', ...connected, labelNames: [] }, () =>
    bridge ? [{ labels: {}, value: bridge.isConnected ? 1 : 0 }] : [],
  );
  const messages = { name: 'mqtt_published_total', help: 'What this process has published by MQTT' };
  prometheus.watchSeries({ kind: 'counter', ...messages, labelNames: ['kind'] }, () =>
    Object.entries(bridge?.counts ?? {}).map(([kind, value]) => ({ labels: { kind }, value })),
  );
}
