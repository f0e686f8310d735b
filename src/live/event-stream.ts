import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import { eventsAfter } from '../events/event.store.ts';
import type { Context } from '../platform/context.ts';
import { mayPass } from '../platform/database/database-away.ts';
import { streamHub } from './event-hub.ts';
import { findInsights, freshMetrics } from './live.store.ts';
import type { StreamNews } from './live-messages.ts';
import { presentInsightChange, presentSceneMetrics, presentStoredEvent } from './present.ts';
import { STORED, type streamEvent, type Topic } from './schema.ts';

type StreamEvent = z.input<typeof streamEvent>;

export interface StreamOptions {
  readonly userId: string;
  /** The key that opened it. */
  readonly keyId: string;
  readonly topics: ReadonlySet<Topic>;
  /** Place after which stored events begin. */
  readonly after: bigint;
  readonly signal: AbortSignal;
}

/** Rows read at once: a client that was away for long gets the rest as it takes these. */
const PAGE = 100;
const AWAY_PAUSE_MS = 1_000;

/**
 * What happens to a user, from a place on and for ever. Stored events come in their order and none is left out;
 * of metrics and insights a slow client gets the newest state.
 */
export async function followUser(
  context: Context,
  options: StreamOptions,
): Promise<AsyncGenerator<StreamEvent>> {
  // Before the answer begins: whoever sees it begin misses nothing from then on.
  const news = await streamHub(context).follow(options, options.signal);
  return streamOf(news, new FollowedUser(context, options), options.signal);
}

async function* streamOf(
  news: StreamNews,
  followed: FollowedUser,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  while (!signal.aborted) {
    const { events, metrics, insightIds } = await news.take(signal);
    try {
      if (events) yield* followed.events();
      if (metrics) yield* followed.metrics();
      if (insightIds.length > 0) yield* followed.insights(insightIds);
    } catch (error) {
      if (!mayPass(error)) throw error;
      await pause(AWAY_PAUSE_MS, undefined, { signal }).catch(() => undefined);
      news.mayHaveMissed();
    }
  }
}

/** How far one stream is. */
class FollowedUser {
  readonly #context: Context;
  readonly #options: StreamOptions;
  #after: bigint;
  /** Per scene the time of the numbers sent last, and what was wrong then. */
  readonly #sentMetrics = new Map<string, string>();

  constructor(context: Context, options: StreamOptions) {
    this.#context = context;
    this.#options = options;
    this.#after = options.after;
  }

  async *events(): AsyncGenerator<StreamEvent> {
    const { userId, topics, signal } = this.#options;
    const types = [...topics].flatMap((topic) => STORED[topic] ?? []);
    if (types.length === 0) return;
    for (;;) {
      const rows = await eventsAfter(this.#context.db, { userId, types, after: this.#after }, PAGE);
      for (const row of rows) {
        yield presentStoredEvent(row);
        this.#after = row.sequence;
      }
      if (rows.length < PAGE || signal.aborted) return;
    }
  }

  async *metrics(): AsyncGenerator<StreamEvent> {
    const { userId, topics } = this.#options;
    if (!topics.has('metrics')) return;
    for (const scene of await freshMetrics(this.#context.db, userId)) {
      const state = JSON.stringify([scene.metricsUpdatedAt, scene.device.fault]);
      if (this.#sentMetrics.get(scene.id) === state) continue;
      yield presentSceneMetrics(scene);
      this.#sentMetrics.set(scene.id, state);
    }
  }

  async *insights(ids: readonly string[]): AsyncGenerator<StreamEvent> {
    const { userId, topics } = this.#options;
    if (!topics.has('insights')) return;
    for (const row of await findInsights(this.#context.db, userId, ids)) yield presentInsightChange(row);
  }
}
