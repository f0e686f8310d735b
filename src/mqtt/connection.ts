import type { SecureContext } from 'node:tls';
import { connect, type IClientOptions, type MqttClient } from 'mqtt';
import type { MqttBroker } from '../platform/mqtt-variables.ts';
import { trust } from '../platform/network/trust.ts';
import { BrokerFailure } from './failure.ts';

/** Time for TCP, TLS and the broker's answer together. */
const CONNECT_MS = 10_000;
const KEEPALIVE_SECONDS = 20;
/** Time for the broker to confirm a message. */
const CONFIRM_MS = 20_000;
const CLOSE_MS = 1_000;
/** The broker's answer to a topic that its access list forbids. */
const REFUSED = 128;
/** Messages that wait for the broker at the same time; the rest waits in the caller. */
const MOST_OPEN = 100;

/** The certificates that are trusted of a broker. @throws Error that names MQTT_CA_FILE */
export const trustedOf = (caFile: string | undefined): SecureContext =>
  trust({ path: caFile, variable: 'MQTT_CA_FILE' });

export interface ConnectOptions {
  readonly broker: MqttBroker;
  readonly secureContext: SecureContext;
  /** A broker ends the older one of two connections with the same name. */
  readonly clientId: string;
  /** Topic that says `offline` as soon as the connection ends in any way; a reader has none. */
  readonly statusTopic?: string;
  readonly onMessage: (message: { topic: string; text: string; isRetained: boolean }) => void;
  readonly onLost: (error: BrokerFailure) => void;
  readonly confirmMs?: number | undefined;
}

export interface Message {
  readonly topic: string;
  /** Empty: a retained message is removed. */
  readonly text: string;
  readonly retain: boolean;
}

/** One connection to a broker, from its begin to its end. It never connects again by itself. */
export class BrokerConnection {
  readonly #client: MqttClient;
  readonly #options: ConnectOptions;
  #isOpen = false;
  #isClosing = false;

  private constructor(options: ConnectOptions) {
    this.#options = options;
    this.#client = connect(settingsOf(options));
  }

  /** @throws BrokerFailure */
  static async open(options: ConnectOptions): Promise<BrokerConnection> {
    const connection = new BrokerConnection(options);
    await connection.#opened();
    return connection;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  #opened(): Promise<void> {
    const client = this.#client;
    const { broker, onMessage, onLost } = this.#options;
    return new Promise((resolve, reject) => {
      let cause: unknown;
      const lose = (error?: unknown) => {
        cause ??= error;
        const failure = new BrokerFailure(broker, cause);
        client.end(true);
        reject(failure);
        if (!this.#isOpen) return;
        this.#isOpen = false;
        if (!this.#isClosing) onLost(failure);
      };
      client.on('error', lose);
      client.on('close', () => lose());
      client.on('connect', () => {
        this.#isOpen = true;
        resolve();
      });
      client.on('message', (topic, payload, { retain }) =>
        onMessage({ topic, text: payload.toString(), isRetained: retain }),
      );
    });
  }

  /** Resolves when the broker has all messages. @throws BrokerFailure */
  async publish(messages: readonly Message[]): Promise<void> {
    for (let at = 0; at < messages.length; at += MOST_OPEN)
      await this.#confirmed(
        Promise.all(
          messages
            .slice(at, at + MOST_OPEN)
            .map(({ topic, text, retain }) => this.#client.publishAsync(topic, text, { qos: 1, retain })),
        ),
      );
  }

  /** @returns false when the broker refuses a topic; the connection stays */
  async subscribe(topics: readonly string[]): Promise<boolean> {
    let isGranted = true;
    const answer = this.#client.subscribeAsync([...topics], { qos: 0 }).then(
      () => undefined,
      (error: unknown) => {
        const { packet } = error as { packet?: { granted?: readonly unknown[] } };
        if (!packet?.granted?.includes(REFUSED)) throw error;
        isGranted = false;
      },
    );
    await this.#confirmed(answer);
    return isGranted;
  }

  async unsubscribe(topics: readonly string[]): Promise<void> {
    await this.#confirmed(this.#client.unsubscribeAsync([...topics]));
  }

  /** Says `offline` and ends the connection, in a bounded time. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#isOpen) {
      const { statusTopic } = this.#options;
      const bye = statusTopic && this.#client.publishAsync(statusTopic, 'offline', { qos: 1, retain: true });
      if (bye) await within(CLOSE_MS, bye).catch(() => undefined);
      await within(CLOSE_MS, this.#client.endAsync()).catch(() => undefined);
    }
    this.#isOpen = false;
    this.#client.end(true);
  }

  /** A broker that confirms nothing is treated like one that is gone. */
  async #confirmed(work: Promise<unknown>): Promise<void> {
    if (!this.#isOpen) throw new BrokerFailure(this.#options.broker, null);
    try {
      await within(this.#options.confirmMs ?? CONFIRM_MS, work);
    } catch (error) {
      this.#client.end(true);
      throw new BrokerFailure(this.#options.broker, error);
    }
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })), ms);
  });
  work.catch(() => undefined);
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function settingsOf({ broker, secureContext, clientId, statusTopic }: ConnectOptions): IClientOptions {
  return {
    protocol: broker.tls ? 'mqtts' : 'mqtt',
    host: broker.host,
    port: broker.port,
    clientId,
    ...(broker.login && { username: broker.login.user, password: broker.login.password }),
    ...(broker.tls && { secureContext }),
    protocolVersion: 4,
    clean: true,
    keepalive: KEEPALIVE_SECONDS,
    connectTimeout: CONNECT_MS,
    // The caller connects again, with a growing pause.
    reconnectPeriod: 0,
    queueQoSZero: false,
    ...(statusTopic && {
      will: { topic: statusTopic, payload: Buffer.from('offline'), qos: 1, retain: true },
    }),
  };
}
