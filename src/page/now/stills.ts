// The newest still of each camera that is looked at. Without the DOM, so that its timing is tested directly.

export interface StillsOptions {
  /** Reads the newest picture of a device. Null: it gives none. @throws when nobody answers: the picture before stays */
  readonly read: (deviceId: string) => Promise<Blob | null>;
  readonly nowMs: () => number;
  /** Acts after this time. @returns what keeps it from acting */
  readonly after: (ms: number, act: () => void) => () => void;
}

export interface Stills {
  /**
   * Reads the picture of a device now and then, until the returned function is called. `listener` hears of new ones. Several
   * tiles of a device, and one that comes back, share what was read.
   */
  watch(deviceId: string, listener: () => void): () => void;
  /** The picture that was read last; null if there is none. */
  get(deviceId: string): Blob | null;
}

/** A device is read so rarely: a tile shows where the camera looks, not what happens. */
const EVERY_MS = 30_000;
/** Devices that are read at the same time. */
const AT_ONCE = 3;
/** The tiles are painted before anything is read, and nothing is read for tiles that only pass by. */
const FIRST_MS = 600;
/** Pictures of more devices are forgotten, those that were looked at first. */
const MOST_KEPT = 300;

interface Entry {
  readonly listeners: Set<() => void>;
  picture: Blob | null;
  dueAtMs: number;
  isReading: boolean;
}

export function createStills({ read, nowMs, after }: StillsOptions): Stills {
  const entries = new Map<string, Entry>();
  let reading = 0;
  let stopWaiting: (() => void) | undefined;

  const turn = () => {
    stopWaiting?.();
    stopWaiting = undefined;
    const waiting = [...entries]
      .filter(([, { listeners, isReading }]) => listeners.size > 0 && !isReading)
      .sort(([, one], [, other]) => one.dueAtMs - other.dueAtMs);
    for (const [deviceId, entry] of waiting) {
      if (reading >= AT_ONCE) return;
      const inMs = entry.dueAtMs - nowMs();
      if (inMs > 0) {
        stopWaiting = after(inMs, turn);
        return;
      }
      void readOne(deviceId, entry);
    }
  };

  const readOne = async (deviceId: string, entry: Entry) => {
    entry.isReading = true;
    reading += 1;
    try {
      entry.picture = await read(deviceId);
    } catch {
      // The page says so by itself when nobody answers.
    }
    entry.dueAtMs = nowMs() + EVERY_MS;
    entry.isReading = false;
    reading -= 1;
    for (const listener of entry.listeners) listener();
    turn();
  };

  const forgetOldest = () => {
    for (const [deviceId, { listeners, isReading }] of entries) {
      if (entries.size <= MOST_KEPT) return;
      if (listeners.size === 0 && !isReading) entries.delete(deviceId);
    }
  };

  return {
    watch(deviceId, listener) {
      const known = entries.get(deviceId);
      const entry = known ?? { listeners: new Set(), picture: null, dueAtMs: 0, isReading: false };
      entry.dueAtMs = Math.max(entry.dueAtMs, nowMs() + FIRST_MS);
      entry.listeners.add(listener);
      entries.set(deviceId, entry);
      forgetOldest();
      turn();
      return () => {
        entry.listeners.delete(listener);
        turn();
      };
    },
    get: (deviceId) => entries.get(deviceId)?.picture ?? null,
  };
}
