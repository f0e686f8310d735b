import { ApiError } from '../../../http/errors.ts';
import { Part } from '../../../http/part.ts';
import { requireDirectDatabaseUrl } from '../../../platform/config.ts';
import type { Context } from '../../../platform/context.ts';
import { mayPass } from '../../../platform/database/database-away.ts';
import type { Db } from '../../../platform/database/db.ts';
import { CHANNELS, type Listener, listen } from '../../../platform/database/notify.ts';
import { PROCESS_ID } from '../../../platform/database/session-owner.ts';
import { AtMost } from '../../../platform/jobs/at-most.ts';
import { every, type Repeating } from '../../../platform/jobs/every.ts';
import type { CommonParts } from '../../../platform/made-once.ts';
import {
  findPicture,
  type LiveWish,
  RENEW_WISHES_MS,
  removeWish,
  renewWishes,
  type StoredPicture,
} from './live-picture.store.ts';
import { WatchedDevice, type Watcher } from './watched-device.ts';

export interface Watched extends LiveWish {
  readonly userId: string;
  readonly deviceId: string;
}

interface Watch {
  readonly device: WatchedDevice;
  /** Settles when the wish of its watchers is stored; rejects when the device is not analysed. */
  renewed: Promise<void>;
}

/** What runs while there are watchers. */
interface Running {
  readonly listener: Listener;
  readonly connected: Promise<void>;
  readonly renewing: Repeating;
}

/**
 * The watched devices of this process. While there are watchers it renews the wishes and listens for pictures; one
 * statement for each picture serves all watchers of its device.
 */
class LiveHub {
  readonly #parts: CommonParts;
  readonly #watches = new Map<string, Watch>();
  readonly #openByUser = new Map<string, number>();
  #open = 0;
  #running: Running | null = null;
  /** One statement about wishes after the other: an older wish must not replace a newer one. */
  readonly #statements = new AtMost(1);

  constructor(parts: CommonParts) {
    this.#parts = parts;
  }

  /**
   * @param signal ends the watcher
   * @throws ApiError RATE_LIMITED, SERVICE_UNAVAILABLE when too many watch, NOT_RUNNING when the device is not analysed
   */
  async watch(db: Db, watched: Watched, signal: AbortSignal): Promise<Watcher> {
    const { userId, deviceId, width, fps } = watched;
    signal.throwIfAborted();
    this.#requireRoom(userId);
    this.#open += 1;
    this.#openByUser.set(userId, (this.#openByUser.get(userId) ?? 0) + 1);
    const watch = this.#watches.get(deviceId) ?? this.#newWatch(db, deviceId);
    const isCovered = watch.device.covers(watched);
    const watcher = watch.device.add({ width, fps });
    const leave = () => this.#leave(db, watched, { watch, watcher });
    signal.addEventListener('abort', leave, { once: true });
    try {
      this.#running ??= this.#start(db);
      const { connected } = this.#running;
      if (!isCovered) watch.renewed = connected.then(() => this.#renew(db, [deviceId]));
      await watch.renewed;
    } catch (error) {
      // Other watchers of the device may go on; the next one with a larger wish tries again.
      watch.renewed = Promise.resolve();
      signal.removeEventListener('abort', leave);
      if (!signal.aborted) leave();
      throw error;
    }
    return watcher;
  }

  #requireRoom(userId: string): void {
    const { maxLiveWatchers, maxLiveWatchersPerUser } = this.#parts.config;
    if ((this.#openByUser.get(userId) ?? 0) >= maxLiveWatchersPerUser) {
      const message = `You watch live pictures ${maxLiveWatchersPerUser} times (MAX_LIVE_WATCHERS_PER_USER): close one first`;
      throw new ApiError('RATE_LIMITED', message);
    }
    if (this.#open < maxLiveWatchers) return;
    const message = `This API process sends live pictures to ${maxLiveWatchers} clients and takes no more (MAX_LIVE_WATCHERS): try again later, or read single images from GET /devices/{id}/frame`;
    throw new ApiError('SERVICE_UNAVAILABLE', message, [], { retryAfterSeconds: 30 });
  }

  #newWatch(db: Db, deviceId: string): Watch {
    const device = new WatchedDevice({
      read: async () => {
        const picture = await findPicture(db, deviceId);
        return picture && { capturedAtMs: picture.capturedAtMs, part: partOf(picture) };
      },
      onError: (error) => this.#onError(error),
    });
    const watch = { device, renewed: Promise.resolve() };
    this.#watches.set(deviceId, watch);
    return watch;
  }

  #leave(db: Db, { userId, deviceId }: Watched, left: { watch: Watch; watcher: Watcher }): void {
    const { watch, watcher } = left;
    this.#open -= 1;
    const open = (this.#openByUser.get(userId) ?? 0) - 1;
    if (open > 0) this.#openByUser.set(userId, open);
    else this.#openByUser.delete(userId);
    watch.device.remove(watcher);
    if (watch.device.isEmpty && this.#watches.get(deviceId) === watch) {
      this.#watches.delete(deviceId);
      const remove = async () => {
        // Somebody may watch it again.
        if (!this.#watches.has(deviceId)) await removeWish(db, PROCESS_ID, deviceId);
      };
      this.#statements.run(remove).catch((error: unknown) => this.#onError(error));
    }
    if (this.#open > 0) return;
    void this.#running?.renewing.stop();
    void this.#running?.listener.close();
    this.#running = null;
  }

  #start(db: Db): Running {
    const { config, logger } = this.#parts;
    let hasConnected = false;
    let connect: () => void;
    const connected = new Promise<void>((resolve) => {
      connect = resolve;
    });
    const renewing = every(
      RENEW_WISHES_MS,
      // Pictures that are asked for before the listener hears them would be missed.
      () => connected.then(() => this.#renew(db)),
      (error) => this.#onError(error),
    );
    const listener = listen({
      databaseUrl: requireDirectDatabaseUrl(config),
      channels: [CHANNELS.livePictures, CHANNELS.runs],
      onConnect: () => {
        connect();
        // Pictures may have been missed. At first there is only the last picture of former watchers.
        if (hasConnected) for (const { device } of this.#watches.values()) device.announce();
        hasConnected = true;
      },
      onLost: (error) => logger.warn({ err: error }, 'no live pictures arrive: connecting again'),
      onNotify: (channel, payload) => {
        const watch = this.#watches.get(payload);
        if (channel === CHANNELS.livePictures) watch?.device.announce();
        // Its run may have been stopped.
        else if (watch) renewing.now();
      },
    });
    return { listener, connected, renewing };
  }

  /**
   * Renews the wishes of devices, by default of all, and ends the watchers of those that are not analysed any more.
   * @throws ApiError NOT_RUNNING when `deviceIds` names one of these
   */
  #renew(db: Db, deviceIds?: readonly string[]): Promise<void> {
    return this.#statements.run(() => this.#storeWishes(db, deviceIds));
  }

  async #storeWishes(db: Db, deviceIds?: readonly string[]): Promise<void> {
    const watches = [...this.#watches].filter(
      ([deviceId, { device }]) => !device.isEmpty && (deviceIds?.includes(deviceId) ?? true),
    );
    const wishes = watches.map(([deviceId, { device }]) => ({ deviceId, ...device.wish }));
    const analysed = await renewWishes(db, PROCESS_ID, wishes);
    for (const [deviceId, watch] of watches) {
      if (analysed.has(deviceId)) continue;
      watch.device.end();
      if (this.#watches.get(deviceId) === watch) this.#watches.delete(deviceId);
    }
    if (deviceIds?.every((deviceId) => analysed.has(deviceId)) ?? true) return;
    const message =
      'No analysis of this device is running: start one, or read single images from GET /devices/{id}/frame';
    throw new ApiError('NOT_RUNNING', message);
  }

  #onError(error: unknown): void {
    if (!mayPass(error)) this.#parts.logger.error({ err: error }, 'live pictures could not be read');
  }
}

const partOf = ({ capturedAtMs, isStill, tracks, staff, jpeg }: StoredPicture): Part =>
  new Part('image/jpeg', jpeg, {
    'X-Captured-At': new Date(capturedAtMs).toISOString(),
    'X-Live': isStill ? 'stills' : 'frames',
    'X-Tracks': tracks,
    'X-Staff': staff ?? '{}',
  });

const makeLiveHub = (parts: CommonParts) => new LiveHub(parts);

/** The hub of this program. */
export const liveHub = ({ shared }: Pick<Context, 'shared'>): LiveHub => shared.get(makeLiveHub);
