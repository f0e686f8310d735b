import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import type { Scope } from '../../http/permission.ts';
import { seesTills } from '../../metrics/tills/live-tills.ts';
import type { Context } from '../../platform/context.ts';
import { mayPass } from '../../platform/database/database-away.ts';
import { eventsAfter } from '../events/event.store.ts';
import { eventHub } from './event-hub.ts';
import { findInsights, freshMetrics } from './live.store.ts';
import type { PendingReads } from './pending-reads.ts';
import { presentInsightChange, presentSceneMetrics, presentStoredEvent } from './present.ts';
import { mayHear, STORED, type streamEvent, type Topic } from './schema.ts';

type StreamEvent = z.input<typeof streamEvent>;

export interface StreamOptions {
  readonly userId: string;
  /** The API key or session that opened the stream. */
  readonly credentialId: string;
  readonly topics: ReadonlySet<Topic>;
  readonly scopes: ReadonlySet<Scope>;
  /** Stored events after this position are sent. */
  readonly after: bigint;
  readonly signal: AbortSignal;
}

/** Stored events that are read at once. */
const PAGE = 100;
const AWAY_PAUSE_MS = 1_000;

/**
 * The event stream of a user, from a position on and without end. Stored events come in their order and completely; of metrics
 * and insights a slow client gets the newest state.
 */
export async function followUser(
  context: Context,
  options: StreamOptions,
): Promise<AsyncGenerator<StreamEvent>> {
  // Subscribing before the answer begins ensures that a client misses nothing after the begin.
  const pending = await eventHub(context).subscribe(options, options.signal);
  return streamOf(pending, new StreamReader(context, options), options.signal);
}

async function* streamOf(
  pending: PendingReads,
  reader: StreamReader,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  while (!signal.aborted) {
    const { events, metrics, insightIds } = await pending.take(signal);
    try {
      if (events) yield* reader.events();
      if (metrics) yield* reader.metrics();
      if (insightIds.length > 0) yield* reader.insights(insightIds);
    } catch (error) {
      if (!mayPass(error)) throw error;
      await pause(AWAY_PAUSE_MS, undefined, { signal }).catch(() => undefined);
      pending.addAll();
    }
  }
}

/** Reads what one stream has to send, and remembers what it has sent. */
class StreamReader {
  readonly #context: Context;
  readonly #options: StreamOptions;
  #after: bigint;
  /** For each scene the time and the fault of the metrics that were sent last, and whether its tills were known. */
  readonly #sentMetrics = new Map<string, string>();

  constructor(context: Context, options: StreamOptions) {
    this.#context = context;
    this.#options = options;
    this.#after = options.after;
  }

  async *events(): AsyncGenerator<StreamEvent> {
    const { userId, topics, scopes, signal } = this.#options;
    const stored = [...topics].flatMap((topic) => STORED[topic] ?? []);
    const types = stored.filter((type) => mayHear(scopes, type));
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
    const { db, clock } = this.#context;
    const now = clock.now();
    for (const scene of await freshMetrics(db, userId, now)) {
      const state = JSON.stringify([scene.metricsUpdatedAt, scene.device.fault, seesTills(scene, now)]);
      if (this.#sentMetrics.get(scene.id) === state) continue;
      yield presentSceneMetrics(scene, now);
      this.#sentMetrics.set(scene.id, state);
    }
  }

  async *insights(ids: readonly string[]): AsyncGenerator<StreamEvent> {
    const { userId, topics } = this.#options;
    if (!topics.has('insights')) return;
    for (const row of await findInsights(this.#context.db, userId, ids)) yield presentInsightChange(row);
  }
}
