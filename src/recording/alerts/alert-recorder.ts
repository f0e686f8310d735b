import { setTimeout as pause } from 'node:timers/promises';
import type { AlertImage } from '../../alerts/firing.store.ts';
import { alertMessage } from '../../alerts/message.ts';
import type { LanePicture } from '../../lanes/lane-pool.ts';
import { Turns } from '../../lanes/turns.ts';
import { mayPass } from '../../platform/database/database-away.ts';
import type { ClaimedRun } from '../../runs/claim-runs.store.ts';
import type { QueueZones } from '../../vision/types.ts';
import type { UserWriteQueue } from '../user-write-queue.ts';
import { addLatePictures } from './add-late-images.ts';
import { storePictures } from './alert-images.ts';
import { decideFiring, type Firing } from './decide-firing.ts';
import { type AlertContext, recordAlert } from './record-alert.ts';

/** A picture that takes longer will not come any more. */
const LATEST_PICTURE_MS = 60_000;
/** Pictures are made so many at a time, the oldest first: all at once, all of them would be late. */
const MAKERS = 2;
/** A program that ends gives pictures so long. */
const LAST_WAIT_MS = 1_000;
const AGAIN_MS = 1_000;

/** The frame of which rules fired. */
export interface FiredFrame {
  readonly run: ClaimedRun & { readonly nodeId: string };
  readonly sceneName: string;
  readonly zones: QueueZones;
  readonly frameIndex: number;
  readonly firings: readonly Firing[];
}

export interface AlertRecorderParts {
  readonly context: AlertContext;
  readonly turns: UserWriteQueue;
  readonly picture: (deviceId: string, frameIndex: number, timeoutMs: number) => Promise<LanePicture>;
  /** The rule is not as it was evaluated, or fired elsewhere: what is known of it here is wrong. */
  readonly onRefused: (runId: string, ruleId: string) => void;
}

interface Waiting {
  readonly run: FiredFrame['run'];
  readonly firing: Firing;
  /** Never rejects; none where they cannot be had. */
  readonly pictures: Promise<readonly AlertImage[]>;
  readonly sinceMs: number;
}

/**
 * Turns firings into stored alerts, in two steps. First it is decided that a rule fires, of one run one after the other: at
 * once, or as soon as the database answers again. Then the alert is recorded with its pictures, each for itself: a picture is
 * waited for outside any transaction and for a bounded time, and one that comes later is added.
 */
export class AlertRecorder {
  readonly #parts: AlertRecorderParts;
  readonly #undecided = new Map<string, Waiting[]>();
  readonly #deciding = new Map<string, Promise<void>>();
  readonly #recording = new Set<Promise<void>>();
  readonly #makers = Array.from({ length: MAKERS }, () => new Turns());
  #nextMaker = 0;
  readonly #closing = new AbortController();

  constructor(parts: AlertRecorderParts) {
    this.#parts = parts;
  }

  take(frame: FiredFrame): void {
    if (frame.firings.length === 0) return;
    const { run } = frame;
    const picture = this.#parts.picture(run.deviceId, frame.frameIndex, LATEST_PICTURE_MS);
    const waiting = frame.firings.map((firing) => ({
      run,
      firing,
      pictures: this.#pictures(frame, firing, picture),
      sinceMs: performance.now(),
    }));
    this.#undecided.set(run.id, [...(this.#undecided.get(run.id) ?? []), ...waiting]);
    void this.#decideAll(run.id);
  }

  /** Tries what is not decided yet. @param runIds only these are waited for: they are about to end */
  async retry(runIds: readonly string[]): Promise<void> {
    for (const runId of this.#undecided.keys()) void this.#decideAll(runId);
    await Promise.all(runIds.flatMap((runId) => this.#deciding.get(runId) ?? []));
  }

  /** The run is another's: it will see for itself what fires. What is decided already is recorded all the same. */
  forget(runId: string): void {
    this.#undecided.delete(runId);
  }

  /** Records what is decided without waiting much longer; what cannot be recorded any more another worker records. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#recording);
  }

  #decideAll(runId: string): Promise<void> {
    const deciding =
      this.#deciding.get(runId) ?? this.#workOff(runId).finally(() => this.#deciding.delete(runId));
    this.#deciding.set(runId, deciding);
    return deciding;
  }

  async #workOff(runId: string): Promise<void> {
    for (;;) {
      const [next] = this.#undecided.get(runId) ?? [];
      if (!next) {
        this.#undecided.delete(runId);
        return;
      }
      if (!(await this.#decide(next))) return;
      const rest = this.#undecided.get(runId)?.filter((waiting) => waiting !== next);
      if (rest) this.#undecided.set(runId, rest);
    }
  }

  /** @returns false when the database is away or its rows are held: it stays first in line */
  async #decide(waiting: Waiting): Promise<boolean> {
    const { context, turns, onRefused } = this.#parts;
    const { run, firing } = waiting;
    const about = { taskId: run.id, ruleId: firing.rule.id };
    try {
      const decision = await turns.take(run.userId, () => decideFiring(context, run, firing));
      if (decision.outcome === 'decided') this.#begin(decision.id, waiting);
      else context.logger.info({ ...about, outcome: decision.outcome }, 'a rule did not fire after all');
      if (decision.outcome === 'refused') onRefused(run.id, firing.rule.id);
    } catch (error) {
      if (mayPass(error)) return false;
      context.logger.error({ err: error, ...about }, 'it could not be decided whether a rule fires');
      // It is evaluated anew from what is stored, and fires again if it still holds.
      onRefused(run.id, firing.rule.id);
    }
    return true;
  }

  #begin(firingId: string, waiting: Waiting): void {
    const recording: Promise<void> = this.#record(firingId, waiting)
      .catch((error: unknown) => {
        const { logger } = this.#parts.context;
        logger.error(
          { err: error, alertEventId: firingId },
          'an alert or its pictures could not be recorded',
        );
      })
      .finally(() => this.#recording.delete(recording));
    this.#recording.add(recording);
  }

  async #record(firingId: string, { run, pictures, sinceMs }: Waiting): Promise<void> {
    const { context } = this.#parts;
    const { signal } = this.#closing;
    const waitMs = context.config.alertPictureWaitSeconds * 1000 - (performance.now() - sinceMs);
    const inTime =
      (await within(pictures, waitMs, signal)) ??
      (signal.aborted ? await within(pictures, Math.min(waitMs, LAST_WAIT_MS)) : null);
    if (inTime === null)
      context.logger.warn(
        { alertEventId: firingId },
        'an alert goes without its pictures: they take too long',
      );
    const stored = inTime ?? (signal.aborted ? [] : 'awaited');
    const isRecorded = await this.#untilStored(run.userId, () => recordAlert(context, firingId, stored));
    // Where another worker was faster it had no pictures.
    if (stored !== 'awaited' && (isRecorded || stored.length === 0)) return;
    const late = inTime ?? (await within(pictures, LATEST_PICTURE_MS, signal)) ?? [];
    await this.#untilStored(run.userId, () => addLatePictures(context, firingId, late));
  }

  /** Tries again while the database is away or its rows are held, until this program ends. */
  async #untilStored<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    const { signal } = this.#closing;
    for (;;) {
      try {
        return await this.#parts.turns.take(userId, work);
      } catch (error) {
        if (!mayPass(error) || signal.aborted) throw error;
        await pause(AGAIN_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Never throws: an alert goes without its pictures rather than not at all. */
  async #pictures(
    { zones, sceneName, run }: FiredFrame,
    { facts, held }: Firing,
    picture: Promise<LanePicture>,
  ): Promise<readonly AlertImage[]> {
    const { clock, images, logger, faults } = this.#parts.context;
    const maker = this.#makers[this.#nextMaker++ % MAKERS]!;
    try {
      const { jpeg, fault } = await picture;
      if (!jpeg) throw new Error(fault ?? 'the frame is not kept any more');
      const annotation = { zones, tracks: facts.tracks, caption: alertMessage(held, sceneName) };
      return await maker.take(() =>
        storePictures(images, jpeg, { userId: run.userId, annotation, now: clock.now(), faults }),
      );
    } catch (error) {
      logger.warn({ err: error, taskId: run.id }, 'an alert has no pictures');
      return [];
    }
  }
}

/** @returns null when it is not there in time, or when `signal` says that nobody waits any longer */
async function within<Result>(
  work: Promise<Result>,
  ms: number,
  signal?: AbortSignal,
): Promise<Result | null> {
  const over = new AbortController();
  const either = signal ? AbortSignal.any([over.signal, signal]) : over.signal;
  const late = pause(Math.max(0, ms), null, { signal: either }).catch(() => null);
  return Promise.race([work, late]).finally(() => over.abort());
}
