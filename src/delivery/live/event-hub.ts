import { ApiError } from '../../http/errors.ts';
import { requireDirectDatabaseUrl } from '../../platform/config.ts';
import type { Context } from '../../platform/context.ts';
import { CHANNELS, type Channel, type Listener, listen } from '../../platform/database/notify.ts';
import type { CommonParts } from '../../platform/made-once.ts';
import { PendingReads } from './pending-reads.ts';

/**
 * The shortest time between two reads of metrics. The first notification causes a read at once, those within this time after it
 * one more. Every node notifies up to four times a second of the cameras of a user, each of which it stores once a second.
 */
const METRICS_PAUSE_MS = 50;
/** Limit per process, because each stream holds a connection and reads the database. */
const MAX_STREAMS_PER_CREDENTIAL = 50;

/** The user of an event stream, and the API key or session that opened it. */
interface Subscriber {
  readonly userId: string;
  readonly credentialId: string;
}

/**
 * Tells the event streams of this process what they have to read, over one listening connection that is open while there are
 * streams. A notification only says "read again", so any number of API processes may listen.
 */
class EventHub {
  readonly #parts: CommonParts;
  readonly #byUser = new Map<string, Set<PendingReads>>();
  readonly #openByCredential = new Map<string, number>();
  readonly #usersWithMetrics = new Set<string>();
  #metricsTimer: NodeJS.Timeout | undefined;
  #listening: { readonly listener: Listener; readonly connected: Promise<void> } | null = null;

  constructor(parts: CommonParts) {
    this.#parts = parts;
  }

  /**
   * @returns what the stream has to read, from now on until `signal`
   * @throws ApiError RATE_LIMITED when the user, or the key or session, has too many streams open
   */
  async subscribe(subscriber: Subscriber, signal: AbortSignal): Promise<PendingReads> {
    const { userId, credentialId } = subscriber;
    // A client that has left never ends its subscription.
    if (signal.aborted) return new PendingReads();
    const mostOfUser = this.#parts.config.maxEventStreamsPerUser;
    if ((this.#byUser.get(userId)?.size ?? 0) >= mostOfUser) {
      const message = `You have ${mostOfUser} event streams open (MAX_EVENT_STREAMS_PER_USER): close one first`;
      throw new ApiError('RATE_LIMITED', message);
    }
    const open = this.#openByCredential.get(credentialId) ?? 0;
    if (open >= MAX_STREAMS_PER_CREDENTIAL) {
      const message = `This API key or session has ${MAX_STREAMS_PER_CREDENTIAL} streams open: close one first`;
      throw new ApiError('RATE_LIMITED', message);
    }
    const pending = new PendingReads();
    this.#openByCredential.set(credentialId, open + 1);
    this.#byUser.set(userId, (this.#byUser.get(userId) ?? new Set()).add(pending));
    signal.addEventListener('abort', () => this.#unsubscribe(subscriber, pending), { once: true });
    this.#listening ??= this.#listen();
    await this.#listening.connected;
    return pending;
  }

  #unsubscribe({ userId, credentialId }: Subscriber, pending: PendingReads): void {
    const open = (this.#openByCredential.get(credentialId) ?? 0) - 1;
    if (open > 0) this.#openByCredential.set(credentialId, open);
    else this.#openByCredential.delete(credentialId);
    const same = this.#byUser.get(userId);
    same?.delete(pending);
    if (same?.size === 0) this.#byUser.delete(userId);
    if (this.#byUser.size > 0) return;
    clearTimeout(this.#metricsTimer);
    this.#metricsTimer = undefined;
    void this.#listening?.listener.close();
    this.#listening = null;
  }

  #listen() {
    const { config, logger } = this.#parts;
    let connect: () => void;
    const connected = new Promise<void>((resolve) => {
      connect = resolve;
    });
    const listener = listen({
      databaseUrl: requireDirectDatabaseUrl(config),
      channels: [CHANNELS.events, CHANNELS.metrics, CHANNELS.insights],
      onConnect: () => {
        connect();
        for (const same of this.#byUser.values()) for (const pending of same) pending.addAll();
      },
      onLost: (error) =>
        logger.warn({ err: error }, 'lost the connection for notifications; connecting again'),
      onNotify: (channel, payload) => this.#notice(channel, payload.split(',')),
    });
    return { listener, connected };
  }

  #notice(channel: Channel, ids: readonly string[]): void {
    const [userId = '', insightId = ''] = ids;
    if (channel === CHANNELS.events) this.#tell(userId, (pending) => pending.addEvents());
    else if (channel === CHANNELS.insights) this.#tell(userId, (pending) => pending.addInsight(insightId));
    else {
      for (const id of ids) if (this.#byUser.has(id)) this.#usersWithMetrics.add(id);
      if (this.#metricsTimer === undefined) this.#flushMetrics();
    }
  }

  #flushMetrics(): void {
    this.#metricsTimer = undefined;
    if (this.#usersWithMetrics.size === 0) return;
    this.#metricsTimer = setTimeout(() => this.#flushMetrics(), METRICS_PAUSE_MS);
    for (const userId of this.#usersWithMetrics) this.#tell(userId, (pending) => pending.addMetrics());
    this.#usersWithMetrics.clear();
  }

  #tell(userId: string, say: (pending: PendingReads) => void): void {
    for (const pending of this.#byUser.get(userId) ?? []) say(pending);
  }
}

const makeEventHub = (parts: CommonParts) => new EventHub(parts);

/** The hub of this program. */
export const eventHub = ({ shared }: Pick<Context, 'shared'>): EventHub => shared.get(makeEventHub);
