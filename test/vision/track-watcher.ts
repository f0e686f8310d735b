import { type IdentityCheckpoint, IdentityStage } from '../../src/vision/identity/identity-stage.ts';
import { type Moment, momentOf } from '../../src/vision/moment.ts';
import type { Box, Track, Visit } from '../../src/vision/types.ts';
import {
  type ZoneCheckpoint,
  ZoneWatcher,
  type ZoneWatcherOptions,
} from '../../src/vision/zones/zone-watcher.ts';

interface Known {
  readonly lastFrame: Moment | null;
  readonly identity: IdentityCheckpoint;
  readonly zones: ZoneCheckpoint;
}

/** From tracks to visits: the identity stage and the zones as a scene joins them. */
export class TrackWatcher {
  readonly #identity: IdentityStage;
  readonly #zones: ZoneWatcher;
  #lastFrame: Moment | null;

  constructor(options: ZoneWatcherOptions, known: Known | null = null) {
    this.#identity = new IdentityStage(options.parameters.trackingMaxAgeSeconds * 1000, known?.identity);
    this.#zones = new ZoneWatcher(options, known?.zones);
    this.#lastFrame = known?.lastFrame ?? null;
  }

  update(
    tracks: readonly Track[],
    timeMs: number,
    { boxes = tracks.map(({ box }) => box), hasMoved = false }: { boxes?: Box[]; hasMoved?: boolean } = {},
  ): readonly Visit[] {
    const now = momentOf(timeMs, this.#lastFrame);
    this.#lastFrame = now;
    return this.#zones.update(this.#identity.update(tracks, now, { boxes, aspect: 16 / 9, hasMoved }), now);
  }

  get open(): readonly Visit[] {
    return this.#zones.open;
  }

  zoneOf(trackId: number) {
    return this.#zones.zoneOf(this.#identity.personOf(trackId));
  }

  personOf(trackId: number) {
    return this.#identity.personOf(trackId);
  }

  closeAll(timeMs: number): readonly Visit[] {
    return this.#zones.closeAll(timeMs);
  }

  /** As it is stored and read back. */
  checkpoint(): Known {
    const known = {
      lastFrame: this.#lastFrame,
      identity: this.#identity.checkpoint(),
      zones: this.#zones.checkpoint(),
    };
    return JSON.parse(JSON.stringify(known));
  }
}
