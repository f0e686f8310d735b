import { randomUUID } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import { pageUrl } from '../delivery/notifications/messages/links.ts';
import type { Context } from '../platform/context.ts';
import type { Logger } from '../platform/logger.ts';
import type { MqttBroker } from '../platform/mqtt-variables.ts';
import { findNextEvents, positionBefore } from './alerts.store.ts';
import { BrokerConnection, type Message, trustedOf } from './connection.ts';
import { BrokerFailure } from './failure.ts';
import { giveLease, type Lease, movePosition, takeLease } from './lease.store.ts';
import { presentAlert, presentNotice } from './present.ts';
import { type Changes, Published } from './published.ts';
import { findScenesNow, type SceneNow } from './scenes.store.ts';
import { Topics } from './topics.ts';

export const LEASE_SECONDS = 15;
/** A process with the lease that has no broker for so long leaves it to others for as long. */
const REST_MS = 30_000;
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Scenes of one statement, and of one batch of messages. */
const PAGE = 200;
/** Events of one statement. */
const BATCH = 200;
/** Older alert events are not published any more: an automation would act on them as if they were new. */
const MOST_ALERT_AGE_SECONDS = 3600;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export type MessageKind = 'state' | 'discovery' | 'removal' | 'alert';

export interface BridgeOptions {
  readonly holder?: string;
  /** Milliseconds of a clock that only goes forward. */
  readonly nowMs?: () => number;
  readonly confirmMs?: number;
  /** Home Assistant has started, or the broker has found older states: a turn is due. */
  readonly onWish?: () => void;
}

/** A connection, and what it has published. */
interface Session {
  readonly connection: BrokerConnection;
  readonly published: Published;
  /** The broker sends the states that it has, until everything is published once. */
  isLooking: boolean;
}

type Parts = Pick<Context, 'config' | 'db'> & { readonly logger: Pick<Logger, 'info' | 'warn'> };

/**
 * Publishes the scenes of the installation to an MQTT broker. Any number of processes may have one: only the one with the lease
 * connects. `renew` and `turn` are called again and again.
 */
export class MqttBridge {
  readonly #parts: Parts;
  readonly #broker: MqttBroker;
  readonly #secureContext: SecureContext;
  readonly #topics: Topics;
  readonly #holder: string;
  readonly #nowMs: () => number;
  readonly #options: BridgeOptions;
  readonly counts: Record<MessageKind, number> = { state: 0, discovery: 0, removal: 0, alert: 0 };
  #lease: Lease | null = null;
  #leaseEndsMs = 0;
  #session: Session | null = null;
  #restsUntilMs = 0;
  #nextTryMs = 0;
  #pauseMs = MIN_PAUSE_MS;
  #awaySinceMs: number | null = null;
  /** The sentence that was logged last: a repetition says nothing new. */
  #said: string | null = null;

  /** @throws Error when MQTT_CA_FILE cannot be read */
  constructor(parts: Parts, broker: MqttBroker, options: BridgeOptions = {}) {
    const { mqttCaFile, mqttPrefix, mqttDiscoveryPrefix } = parts.config;
    this.#parts = parts;
    this.#broker = broker;
    this.#secureContext = trustedOf(mqttCaFile);
    this.#topics = new Topics(mqttPrefix, mqttDiscoveryPrefix === 'none' ? null : mqttDiscoveryPrefix);
    this.#holder = options.holder ?? randomUUID();
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#options = options;
  }

  /** This process publishes. */
  get isConnected(): boolean {
    return this.#session?.connection.isOpen ?? false;
  }

  get hasLease(): boolean {
    return this.#lease !== null && this.#nowMs() < this.#leaseEndsMs;
  }

  /** Takes or renews the lease; a process that has lost it ends its connection. */
  async renew(): Promise<void> {
    const beganMs = this.#nowMs();
    if (beganMs < this.#restsUntilMs) return;
    const lease = await takeLease(this.#parts.db, { holder: this.#holder, seconds: LEASE_SECONDS });
    if (!lease) {
      await this.#leave();
      return;
    }
    const isNew = this.#lease === null;
    this.#lease = lease;
    // Counted from before the question, so that it never ends later than the database thinks.
    this.#leaseEndsMs = beganMs + LEASE_SECONDS * 1000;
    if (isNew) this.#awaySinceMs = beganMs;
  }

  /** Connects if necessary, publishes new alert events and what has changed about scenes. Does nothing without the lease. */
  async turn(): Promise<void> {
    if (!this.hasLease) {
      if (this.#lease) await this.#leave();
      return;
    }
    try {
      await this.#connect();
      if (!this.isConnected) return;
      await this.#publishAlerts();
      await this.#publishScenes();
    } catch (error) {
      if (!(error instanceof BrokerFailure)) throw error;
      await this.#lose(error);
    }
  }

  /** Publishes new alert events only. */
  async publishAlerts(): Promise<void> {
    if (!this.isConnected || !this.hasLease) return;
    try {
      await this.#publishAlerts();
    } catch (error) {
      if (!(error instanceof BrokerFailure)) throw error;
      await this.#lose(error);
    }
  }

  async stop(): Promise<void> {
    const { db } = this.#parts;
    const hadLease = this.#lease !== null;
    await this.#leave();
    if (hadLease) await giveLease(db, this.#holder);
  }

  async #connect(): Promise<void> {
    if (!this.#lease || this.isConnected || this.#nowMs() < this.#nextTryMs) return;
    const { bridgeId } = this.#lease;
    const { config, logger, db } = this.#parts;
    const hasDiscovery = this.#topics.birth !== null;
    const published = new Published({
      topics: this.#topics,
      bridgeId,
      hasDiscovery,
      pageAddressOf: ({ deviceId }: SceneNow) =>
        pageUrl({ config }, { kind: 'device_offline', deviceId, alertEventId: null }),
    });
    const connection = await BrokerConnection.open({
      broker: this.#broker,
      secureContext: this.#secureContext,
      clientId: `vas-${bridgeId}`,
      statusTopic: this.#topics.status,
      confirmMs: this.#options.confirmMs,
      onMessage: ({ topic, text, isRetained }) => {
        if (topic !== this.#topics.birth) {
          if (isRetained) published.find(topic, text);
        } else if (text === 'online' && !isRetained) {
          published.forgetDiscovery();
          this.#options.onWish?.();
        }
      },
      onLost: (error) => void this.#lose(error),
    });
    this.#session = { connection, published, isLooking: true };
    const { allStates, birth } = this.#topics;
    const mayRead = [
      await connection.subscribe([allStates]),
      birth === null || (await connection.subscribe([birth])),
    ];
    if (mayRead.includes(false))
      logger.warn(
        `The MQTT broker does not let the bridge read ${allStates}${birth === null ? '' : ` and ${birth}`}: what is deleted while nobody publishes stays on the broker.`,
      );
    await connection.publish([{ topic: this.#topics.status, text: 'online', retain: true }]);
    this.#pauseMs = MIN_PAUSE_MS;
    this.#awaySinceMs = null;
    this.#said = null;
    const old = await positionBefore(db, MOST_ALERT_AGE_SECONDS);
    if (old !== null && this.#lease && old > this.#lease.after) await this.#moveTo(old);
    logger.info(
      { broker: `${this.#broker.host}:${this.#broker.port}`, topics: `${config.mqttPrefix}/#` },
      'The MQTT bridge publishes',
    );
  }

  /** In order. The position moves when the broker has them: an alert event may be published twice, with the same id. */
  async #publishAlerts(): Promise<void> {
    const { db, config } = this.#parts;
    while (this.#lease) {
      const { after } = this.#lease;
      const events = await findNextEvents(db, { after, userIds: config.mqttUserIds, atMost: BATCH });
      const last = events.at(-1);
      if (!last) return;
      const messages = events.flatMap((event) => {
        const { userId, sceneId, isTold } = event;
        if (!isTold || sceneId === null) return [];
        const place = { userId, sceneId };
        if (event.type === 'alert_triggered')
          return { topic: this.#topics.alert(place), text: presentAlert(config, event), retain: false };
        const kind = event.type === 'staffing_advice' ? 'advice' : 'unusual';
        return { topic: this.#topics[kind](place), text: presentNotice(event), retain: false };
      });
      if (!(await this.#publish(messages))) return;
      this.counts.alert += messages.length;
      if (!(await this.#moveTo(last.sequence)) || events.length < BATCH) return;
    }
  }

  async #publishScenes(): Promise<void> {
    const { db, config } = this.#parts;
    const session = this.#session;
    if (!session) return;
    const sceneIds = new Set<string>();
    let after = FIRST_ID;
    for (;;) {
      const scenes = await findScenesNow(db, { after, userIds: config.mqttUserIds, atMost: PAGE });
      for (const { sceneId } of scenes) sceneIds.add(sceneId);
      if (!(await this.#publishChanges(session.published.change(scenes)))) return;
      const last = scenes.at(-1);
      if (!last || scenes.length < PAGE) break;
      after = last.sceneId;
    }
    if (!(await this.#publishChanges(session.published.removeOthers(sceneIds)))) return;
    if (!session.isLooking) return;
    session.isLooking = false;
    // The broker sends retained states before it answers this.
    await session.connection.unsubscribe([this.#topics.allStates]);
    this.#options.onWish?.();
  }

  async #publishChanges({ messages, counts }: Changes): Promise<boolean> {
    if (!(await this.#publish(messages))) return false;
    for (const kind of ['state', 'discovery', 'removal'] as const) this.counts[kind] += counts[kind];
    return true;
  }

  /** @returns false when the lease is over: another process may publish already, and this one begins anew with a next lease */
  async #publish(messages: readonly Message[]): Promise<boolean> {
    if (!this.hasLease || !this.#session) {
      await this.#leave();
      return false;
    }
    await this.#session.connection.publish(messages);
    return true;
  }

  async #moveTo(after: bigint): Promise<boolean> {
    const moved = await movePosition(this.#parts.db, { holder: this.#holder, after });
    if (moved && this.#lease) this.#lease = { ...this.#lease, after };
    return moved;
  }

  /** The broker is gone: the next try comes after a pause that grows. */
  async #lose(error: BrokerFailure): Promise<void> {
    await this.#end();
    const nowMs = this.#nowMs();
    this.#awaySinceMs ??= nowMs;
    this.#nextTryMs = nowMs + this.#pauseMs * (0.8 + 0.4 * Math.random());
    this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
    // Without the lease the end of the connection is no news.
    if (this.#lease && error.message !== this.#said) {
      this.#said = error.message;
      this.#parts.logger.warn(
        `${error.message} Nothing is published by MQTT until it is back; the bridge tries again.`,
      );
    }
    if (nowMs - this.#awaySinceMs < REST_MS || !this.#lease) return;
    // Another process may be nearer to the broker.
    this.#restsUntilMs = nowMs + REST_MS;
    this.#lease = null;
    await giveLease(this.#parts.db, this.#holder);
  }

  async #leave(): Promise<void> {
    this.#lease = null;
    await this.#end();
  }

  async #end(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    await session?.connection.close();
  }
}
