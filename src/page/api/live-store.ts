import { useSyncExternalStore } from 'react';
import { answerOf } from '../../client/client.ts';
import { backoffMs } from './backoff.ts';
import { ApiFailure, api, type Resource } from './client.ts';
import { connection, noteEnded, noteNoAnswer } from './connection.ts';
import { type LiveScene, type LiveScenes, type MetricsEvent, scenesOf, withMetrics } from './live-scenes.ts';
import { createStore, useStore } from './store.ts';

export interface Live {
  /** Null until the overview was read for the first time. */
  readonly scenes: LiveScenes | null;
  /** Number of devices, also of those without scenes. */
  readonly deviceCount: number;
  /** Why the overview could not be read; the scenes stay. */
  readonly error: Error | null;
  /** Whether the event stream is open. */
  readonly isOpen: boolean;
}

export const live = createStore<Live>({ scenes: null, deviceCount: 0, error: null, isOpen: false });

/** Events that are stored, besides the metrics. */
export type StoredTopic = 'alerts' | 'insights' | 'analysis' | 'device' | 'system';
const STORED: readonly StoredTopic[] = ['alerts', 'insights', 'analysis', 'device', 'system'];
/** The state of rules has no event of its own, and the curve of the last hour grows. */
const OVERVIEW_EVERY_MS = 30_000;
/** Events come in groups: one overview for all of them. */
const OVERVIEW_AFTER_EVENT_MS = 300;
/** An open stream that says nothing for so long may be dead: a phone was asleep, a network changed. */
const SILENT_MS = 12_000;
const CHECK_EVERY_MS = 4_000;
const ANSWER_MS = 4_000;

type Listener = (event: { readonly topic: StoredTopic; readonly data: unknown }) => void;
const listeners = new Set<Listener>();
const gapListeners = new Set<() => void>();

/** Hears the stored events. @returns what ends it */
export function onStoredEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Called when the stream opens again: events may have been missed, so lists are to be read again. */
export function onGap(listener: () => void): () => void {
  gapListeners.add(listener);
  return () => gapListeners.delete(listener);
}

let ahead: Promise<void> | undefined;
/** Reads the first overview before the screens are there. */
export function readAhead(): Promise<void> {
  ahead = readNow();
  return ahead;
}

/** Numbers of overviews in the order in which they were asked for: a late answer must not replace a newer one. */
let [asked, shown] = [0, 0];
async function readNow(hasEnded = () => false): Promise<void> {
  asked += 1;
  const number = asked;
  const devices = await everyDevice();
  if (number < shown || hasEnded()) return;
  shown = number;
  const scenes = scenesOf(devices, live.get().scenes ?? new Map());
  live.set({ ...live.get(), scenes, deviceCount: devices.length, error: null });
}

/** Keeps the event stream open while the page is visible. @returns what ends it */
export function startLive(): () => void {
  let source: EventSource | undefined;
  let tries = 0;
  let heardAtMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let overviewTimer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;
  let hasEnded = false;
  let hasOpened = false;
  const waiting = new Map<string, MetricsEvent>();

  const paint = () => {
    frame = 0;
    const { scenes } = live.get();
    // Before the first overview they wait for it.
    if (!scenes) return;
    live.set({ ...live.get(), scenes: withMetrics(scenes, waiting.values()) });
    waiting.clear();
  };

  const readOverview = async () => {
    clearTimeout(overviewTimer);
    try {
      const reading = ahead ?? readNow(() => hasEnded);
      ahead = undefined;
      await reading;
      if (hasEnded) return;
      if (waiting.size > 0) frame ||= requestAnimationFrame(paint);
    } catch (error) {
      if (!hasEnded) live.set({ ...live.get(), error: error as Error });
    }
    clearTimeout(overviewTimer);
    // Also while the stream cannot be opened, for example by a proxy that holds answers back.
    if (!hasEnded && document.visibilityState === 'visible')
      overviewTimer = setTimeout(readOverview, OVERVIEW_EVERY_MS);
  };
  const readOverviewSoon = () => {
    clearTimeout(overviewTimer);
    overviewTimer = setTimeout(readOverview, OVERVIEW_AFTER_EVENT_MS);
  };

  const close = () => {
    source?.close();
    source = undefined;
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    frame = 0;
    waiting.clear();
    if (live.get().isOpen) live.set({ ...live.get(), isOpen: false });
  };

  /** The browser ends an EventSource for good at any answer but 200, so each new try is our own. */
  const again = (delayMs: number) => {
    close();
    if (!hasEnded && document.visibilityState === 'visible') timer = setTimeout(open, delayMs);
  };

  const open = async () => {
    close();
    try {
      // Says whether the session still holds, and whether anybody answers at all.
      await answerOf(api.GET('/session', { signal: AbortSignal.timeout(ANSWER_MS) }));
    } catch (error) {
      if (hasEnded) return;
      if (isTimeout(error)) noteNoAnswer();
      // A new login opens the stream again, by `connection`.
      if (error instanceof ApiFailure && error.status === 401) noteEnded(true);
      else again(backoffMs(tries++, Math.random()));
      return;
    }
    if (!hasEnded && !source && document.visibilityState === 'visible') listen();
  };

  const listen = () => {
    const opened = new EventSource('api/v1/stream');
    source = opened;
    heardAtMs = performance.now();
    opened.onopen = () => {
      tries = 0;
      heardAtMs = performance.now();
      live.set({ ...live.get(), isOpen: true });
      if (hasOpened) void readOverview();
      else readOverviewSoon();
      if (hasOpened) for (const listener of gapListeners) listener();
      hasOpened = true;
    };
    opened.onerror = () => {
      if (source !== opened) return;
      noteNoAnswer();
      again(backoffMs(tries++, Math.random()));
    };
    opened.addEventListener('metrics', ({ data }) => {
      heardAtMs = performance.now();
      const event = JSON.parse(data) as MetricsEvent;
      waiting.set(event.sceneId, event);
      frame ||= requestAnimationFrame(paint);
    });
    for (const topic of STORED) {
      opened.addEventListener(topic, ({ data }) => {
        heardAtMs = performance.now();
        readOverviewSoon();
        const event = { topic, data: JSON.parse(data) as unknown };
        for (const listener of listeners) listener(event);
      });
    }
    timer = setTimeout(check, CHECK_EVERY_MS);
  };

  /** Heartbeats are invisible to pages, so silence is answered by a question. */
  const check = async () => {
    if (performance.now() - heardAtMs > SILENT_MS) {
      const opened = source;
      try {
        await answerOf(api.GET('/session', { signal: AbortSignal.timeout(ANSWER_MS) }));
        heardAtMs = performance.now();
      } catch (error) {
        if (hasEnded || source !== opened) return;
        if (isTimeout(error)) noteNoAnswer();
        again(backoffMs(tries++, Math.random()));
        return;
      }
      if (source !== opened) return;
    }
    if (!hasEnded) timer = setTimeout(check, CHECK_EVERY_MS);
  };

  const atVisibility = () => {
    if (document.visibilityState === 'visible') void restart();
    else {
      close();
      clearTimeout(overviewTimer);
    }
  };
  const restart = () => {
    tries = 0;
    return open();
  };
  const atShow = (event: PageTransitionEvent) => event.persisted && void restart();
  const atOffline = () => {
    noteNoAnswer();
    again(backoffMs(tries++, Math.random()));
  };
  let wasEnded = connection.get().hasEnded;
  const unwatch = connection.subscribe(() => {
    const { hasEnded: isEnded } = connection.get();
    if (wasEnded && !isEnded) void restart();
    wasEnded = isEnded;
  });
  document.addEventListener('visibilitychange', atVisibility);
  addEventListener('pageshow', atShow);
  addEventListener('online', restart);
  addEventListener('offline', atOffline);
  // Both at once: the session was asked for just now.
  void readOverview();
  if (document.visibilityState === 'visible') listen();
  return () => {
    hasEnded = true;
    close();
    clearTimeout(overviewTimer);
    unwatch();
    document.removeEventListener('visibilitychange', atVisibility);
    removeEventListener('pageshow', atShow);
    removeEventListener('online', restart);
    removeEventListener('offline', atOffline);
  };
}

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

async function everyDevice(): Promise<Resource<'OverviewDevice'>[]> {
  const devices: Resource<'OverviewDevice'>[] = [];
  for (let page = 1; ; page += 1) {
    const { data, meta } = await answerOf(api.GET('/overview', { params: { query: { page, limit: 100 } } }));
    devices.push(...data);
    if (page >= meta.pagination.totalPages) return devices;
  }
}

export const useLive = (): Live => useStore(live);

/** One scene as it is now; undefined if there is none, or before the overview was read. */
export const useScene = (id: string): LiveScene | undefined =>
  useSyncExternalStore(live.subscribe, () => live.get().scenes?.get(id));
