import { setTimeout as pause } from 'node:timers/promises';
import type { StoredPicture } from '../alerts/firing.store.ts';
import { alertMessage } from '../alerts/message.ts';
import { isDatabaseAway } from '../platform/database-away.ts';
import type { QueueZones } from '../vision/types.ts';
import { storePictures } from './alert-pictures.ts';
import type { LanePicture } from './lane-pool.ts';
import type { ClaimedRun } from './lease.store.ts';
import { type AlertContext, type Firing, recordAlert } from './record-alert.ts';

/** A picture that takes longer to be had and stored is done without. */
const PICTURES_MS = 1_000;

/** The frame of which rules fired. */
export interface FiredFrame {
  readonly run: ClaimedRun & { readonly nodeId: string };
  readonly sceneName: string;
  readonly zones: QueueZones;
  readonly frameIndex: number;
  readonly firings: readonly Firing[];
}

export interface AlertDeskParts {
  readonly context: AlertContext;
  readonly picture: (deviceId: string, frameIndex: number) => Promise<LanePicture>;
  /** The rule is not as it was evaluated, or fired elsewhere: what is known of it here is wrong. */
  readonly onRefused: (runId: string, ruleId: string) => void;
  /** Recorded: `tookMs` after the firing came to the desk. */
  readonly onRecorded?: (tookMs: number) => void;
}

interface Waiting {
  readonly frame: FiredFrame;
  readonly firing: Firing;
  readonly pictures: Promise<readonly StoredPicture[]>;
  readonly sinceMs: number;
}

/** Turns firings into stored alerts: at once, or as soon as the database answers again. A run's go one after the other. */
export class AlertDesk {
  readonly #parts: AlertDeskParts;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #working = new Map<string, Promise<void>>();

  constructor(parts: AlertDeskParts) {
    this.#parts = parts;
  }

  take(frame: FiredFrame): void {
    if (frame.firings.length === 0) return;
    const { run } = frame;
    const picture = this.#parts.picture(run.deviceId, frame.frameIndex);
    const waiting = frame.firings.map((firing) => ({
      frame,
      firing,
      pictures: this.#pictures(frame, firing, picture),
      sinceMs: performance.now(),
    }));
    this.#waiting.set(run.id, [...(this.#waiting.get(run.id) ?? []), ...waiting]);
    void this.#work(run.id);
  }

  /** Tries what is still waiting. @param runIds only these are waited for: they are about to end */
  async retry(runIds: readonly string[]): Promise<void> {
    for (const runId of this.#waiting.keys()) void this.#work(runId);
    await Promise.all(runIds.flatMap((runId) => this.#working.get(runId) ?? []));
  }

  /** The run is another's: it will see for itself what fires. */
  forget(runId: string): void {
    this.#waiting.delete(runId);
  }

  #work(runId: string): Promise<void> {
    const working =
      this.#working.get(runId) ?? this.#workOff(runId).finally(() => this.#working.delete(runId));
    this.#working.set(runId, working);
    return working;
  }

  async #workOff(runId: string): Promise<void> {
    for (;;) {
      const [next] = this.#waiting.get(runId) ?? [];
      if (!next) {
        this.#waiting.delete(runId);
        return;
      }
      if (!(await this.#record(next))) return;
      const rest = this.#waiting.get(runId)?.filter((waiting) => waiting !== next);
      if (rest) this.#waiting.set(runId, rest);
    }
  }

  /** @returns false when the database is away: it stays first in line */
  async #record({ frame, firing, pictures, sinceMs }: Waiting): Promise<boolean> {
    const { context, onRefused, onRecorded } = this.#parts;
    const { run } = frame;
    const ruleId = firing.rule.id;
    try {
      const outcome = await recordAlert(context, run, { firing, pictures });
      if (outcome === 'recorded') onRecorded?.(performance.now() - sinceMs);
      else context.logger.info({ taskId: run.id, ruleId, outcome }, 'an alert was not recorded');
      if (outcome === 'refused') onRefused(run.id, ruleId);
    } catch (error) {
      if (isDatabaseAway(error)) return false;
      context.logger.error({ err: error, taskId: run.id, ruleId }, 'an alert could not be recorded');
      // It is evaluated anew from what is stored, and fires again if it still holds.
      onRefused(run.id, ruleId);
    }
    return true;
  }

  /** Never throws and never takes long: an alert goes without its pictures rather than not at all. */
  async #pictures(
    { zones, sceneName, run }: FiredFrame,
    { facts, held }: Firing,
    picture: Promise<LanePicture>,
  ): Promise<readonly StoredPicture[]> {
    const { clock, images, logger } = this.#parts.context;
    const abort = new AbortController();
    const stored = async () => {
      const { jpeg, fault } = await picture;
      if (!jpeg) throw new Error(fault ?? 'the frame is not kept any more');
      const annotation = { zones, tracks: facts.tracks, caption: alertMessage(held, sceneName) };
      return storePictures(images, jpeg, { annotation, now: clock.now() });
    };
    const late = pause(PICTURES_MS, undefined, { signal: abort.signal }).then(() => {
      throw new Error('it took too long');
    });
    try {
      return await Promise.race([stored(), late]);
    } catch (error) {
      logger.warn({ err: error, taskId: run.id }, 'an alert goes without its pictures');
      return [];
    } finally {
      abort.abort();
      late.catch(() => undefined);
    }
  }
}
