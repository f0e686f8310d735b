import { type Config, requireDatabaseUrl } from '../config.ts';
import { ApiError } from '../http/errors.ts';
import type { Context } from '../platform/context.ts';
import { CHANNELS, type Channel, type Listener, listen } from '../platform/database/notify.ts';
import { StreamNews } from './live-messages.ts';

/** Every node tells once a second: what comes close together is looked at once. */
const METRICS_PAUSE_MS = 250;
/** In one process: each holds a connection and reads the database when there is news. */
const MAX_STREAMS_PER_KEY = 50;

/** Whose stream it is, and which key opened it. */
interface Follower {
  readonly userId: string;
  readonly keyId: string;
}

/**
 * Tells the streams of this process that there is something new for their users, over one listening connection
 * that is open while anybody follows. A notice only says "look again", so that any number of API processes may do so.
 */
class StreamHub {
  readonly #context: Pick<Context, 'config' | 'logger'>;
  readonly #byUser = new Map<string, Set<StreamNews>>();
  readonly #openByKey = new Map<string, number>();
  readonly #usersWithMetrics = new Set<string>();
  #metricsTimer: NodeJS.Timeout | undefined;
  #listening: { readonly listener: Listener; readonly connected: Promise<void> } | null = null;

  constructor(context: Pick<Context, 'config' | 'logger'>) {
    this.#context = context;
  }

  /**
   * @returns the news of a user from now on, until `signal`
   * @throws ApiError RATE_LIMITED when the key follows enough already
   */
  async follow(follower: Follower, signal: AbortSignal): Promise<StreamNews> {
    const { userId, keyId } = follower;
    const open = this.#openByKey.get(keyId) ?? 0;
    if (open >= MAX_STREAMS_PER_KEY) {
      const message = `This API key has ${MAX_STREAMS_PER_KEY} streams open: close one first`;
      throw new ApiError('RATE_LIMITED', message);
    }
    const news = new StreamNews();
    this.#openByKey.set(keyId, open + 1);
    this.#byUser.set(userId, (this.#byUser.get(userId) ?? new Set()).add(news));
    if (signal.aborted) this.#unfollow(follower, news);
    else signal.addEventListener('abort', () => this.#unfollow(follower, news), { once: true });
    this.#listening ??= this.#listen();
    await this.#listening.connected;
    return news;
  }

  #unfollow({ userId, keyId }: Follower, news: StreamNews): void {
    const open = (this.#openByKey.get(keyId) ?? 0) - 1;
    if (open > 0) this.#openByKey.set(keyId, open);
    else this.#openByKey.delete(keyId);
    const same = this.#byUser.get(userId);
    same?.delete(news);
    if (same?.size === 0) this.#byUser.delete(userId);
    if (this.#byUser.size > 0) return;
    clearTimeout(this.#metricsTimer);
    this.#metricsTimer = undefined;
    void this.#listening?.listener.close();
    this.#listening = null;
  }

  #listen() {
    const { config, logger } = this.#context;
    let connect: () => void;
    const connected = new Promise<void>((resolve) => {
      connect = resolve;
    });
    const listener = listen({
      databaseUrl: config.directDatabaseUrl ?? requireDatabaseUrl(config),
      channels: [CHANNELS.events, CHANNELS.metrics, CHANNELS.insights],
      onConnect: () => {
        connect();
        for (const same of this.#byUser.values()) for (const news of same) news.mayHaveMissed();
      },
      onLost: (error) => logger.warn({ err: error }, 'notifications are cut off: connecting again'),
      onNotify: (channel, payload) => this.#notice(channel, payload.split(',')),
    });
    return { listener, connected };
  }

  #notice(channel: Channel, ids: readonly string[]): void {
    const [userId = '', insightId = ''] = ids;
    if (channel === CHANNELS.events) this.#tell(userId, (news) => news.hasEvents());
    else if (channel === CHANNELS.insights) this.#tell(userId, (news) => news.hasInsight(insightId));
    else {
      for (const id of ids) if (this.#byUser.has(id)) this.#usersWithMetrics.add(id);
      this.#metricsTimer ??= setTimeout(() => this.#flushMetrics(), METRICS_PAUSE_MS);
    }
  }

  #flushMetrics(): void {
    this.#metricsTimer = undefined;
    for (const userId of this.#usersWithMetrics) this.#tell(userId, (news) => news.hasMetrics());
    this.#usersWithMetrics.clear();
  }

  #tell(userId: string, say: (news: StreamNews) => void): void {
    for (const news of this.#byUser.get(userId) ?? []) say(news);
  }
}

const hubs = new WeakMap<Config, StreamHub>();

/** The one of this program. */
export function streamHub(context: Context): StreamHub {
  const hub = hubs.get(context.config) ?? new StreamHub(context);
  hubs.set(context.config, hub);
  return hub;
}
