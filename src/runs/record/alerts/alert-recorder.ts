import { setTimeout as pause } from 'node:timers/promises';
import { alertMessage } from '../../../alerts/message.ts';
import { placeName } from '../../../catalogue/words/place-name.ts';
import { type FrameImages, NO_IMAGES } from '../../../images/image.store.ts';
import type { LaneImage } from '../../../lanes/lane-protocol.ts';
import { Turns } from '../../../lanes/turns.ts';
import { mayPass } from '../../../platform/database/database-away.ts';
import { placeOf, traced, tracePast } from '../../../platform/tracing/tracing.ts';
import type { UserWriteQueue } from '../user-write-queue.ts';
import { addLateImages } from './add-late-images.ts';
import { storeAlertImages } from './alert-images.ts';
import { decideFiring } from './decide-firing.ts';
import type { FiredFrame, FiredRun, Firing } from './fired-frame.ts';
import { type AlertContext, recordAlert } from './record-alert.ts';

/** The longest wait for an image. */
const MAX_IMAGE_MS = 60_000;
/** Alerts whose images are made at the same time, the oldest first. With more of them all images would be late. */
const IMAGE_MAKERS = 2;
/** The wait for images when the program ends. */
const CLOSING_WAIT_MS = 1_000;
const RETRY_MS = 1_000;

export interface AlertRecorderParts {
  readonly context: AlertContext;
  readonly userWrites: UserWriteQueue;
  /** The image of a frame, made for the present masks of its device. */
  readonly image: (deviceId: string, frameIndex: number, timeoutMs: number) => Promise<LaneImage>;
  /** The rule has changed or has fired on another node: this node has to load it again. */
  readonly onRefused: (runId: string, ruleId: string) => void;
}

interface WaitingFiring {
  readonly run: FiredRun;
  readonly firing: Firing;
  /** Never rejects; empty when there are no images. */
  readonly images: Promise<FrameImages>;
  readonly sinceMs: number;
}

/**
 * Records firings as alert events, in two steps. First it decides that a rule fires: the firings of one run one after the
 * other, at once or as soon as the database answers again. Then it records the alert with its images, each alert
 * independently. It waits for images outside any transaction and for a limited time, and adds late images afterwards.
 */
export class AlertRecorder {
  readonly #parts: AlertRecorderParts;
  readonly #undecided = new Map<string, WaitingFiring[]>();
  readonly #deciding = new Map<string, Promise<void>>();
  readonly #recording = new Set<Promise<void>>();
  readonly #imageMakers = Array.from({ length: IMAGE_MAKERS }, () => new Turns());
  #nextMaker = 0;
  readonly #closing = new AbortController();

  constructor(parts: AlertRecorderParts) {
    this.#parts = parts;
  }

  add(frame: FiredFrame): void {
    const { run } = frame;
    const image = this.#parts.image(run.deviceId, frame.frameIndex, MAX_IMAGE_MS);
    const waiting = frame.firings.map((firing) => ({
      run,
      firing,
      images: this.#storeImages(frame, firing, image),
      sinceMs: performance.now(),
    }));
    this.#undecided.set(run.id, [...(this.#undecided.get(run.id) ?? []), ...waiting]);
    void this.#decideAll(run.id);
  }

  /** Tries to decide all firings that are not decided yet. @param runs only their firings are waited for */
  async decide(runs: readonly { readonly id: string }[]): Promise<void> {
    for (const runId of this.#undecided.keys()) void this.#decideAll(runId);
    await Promise.all(runs.flatMap(({ id }) => this.#deciding.get(id) ?? []));
  }

  /** Another node has the run and evaluates its rules again. Decided firings are recorded all the same. */
  forget(runId: string): void {
    this.#undecided.delete(runId);
  }

  /** Records the decided firings without a long wait for images. What fails now is recorded by another worker. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#recording);
  }

  #decideAll(runId: string): Promise<void> {
    const deciding =
      this.#deciding.get(runId) ?? this.#decideInOrder(runId).finally(() => this.#deciding.delete(runId));
    this.#deciding.set(runId, deciding);
    return deciding;
  }

  async #decideInOrder(runId: string): Promise<void> {
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

  /** @returns false when the database does not answer or the rows are locked: the firing stays the first of its run */
  async #decide(waiting: WaitingFiring): Promise<boolean> {
    const { context, userWrites, onRefused } = this.#parts;
    const { run, firing } = waiting;
    const about = { taskId: run.id, ruleId: firing.rule.id };
    try {
      const decision = await userWrites.add(run.userId, () => decideFiring(context, run, firing));
      if (decision.outcome === 'decided') this.#startRecording(decision.id, waiting);
      else context.logger.info({ ...about, outcome: decision.outcome }, 'a rule did not fire after all');
      if (decision.outcome === 'refused') onRefused(run.id, firing.rule.id);
    } catch (error) {
      if (mayPass(error)) return false;
      context.logger.error({ err: error, ...about }, 'it could not be decided whether a rule fires');
      // The rule is loaded again, and fires again if its conditions still hold.
      onRefused(run.id, firing.rule.id);
    }
    return true;
  }

  #startRecording(firingId: string, waiting: WaitingFiring): void {
    const { logger } = this.#parts.context;
    const recording: Promise<void> = this.#record(firingId, waiting)
      .catch((error: unknown) =>
        logger.error({ err: error, alertEventId: firingId }, 'an alert or its images could not be recorded'),
      )
      .finally(() => this.#recording.delete(recording));
    this.#recording.add(recording);
  }

  /** The trace of the alert begins with the frame that made the rule fire. */
  #record(firingId: string, waiting: WaitingFiring): Promise<void> {
    const { run, firing, sinceMs } = waiting;
    const seenMs = Date.now() - (performance.now() - sinceMs);
    const attributes = {
      ...{ 'alert.event.id': firingId, 'alert.rule.id': firing.rule.id, 'analysis.run.id': run.id },
      ...{ 'user.id': run.userId, 'scene.id': run.sceneId, 'device.id': run.deviceId },
      'frame.time': new Date(firing.atMs).toISOString(),
    };
    // Frames of a recording may be of long ago.
    const startMs = seenMs - firing.atMs < MAX_IMAGE_MS ? Math.min(firing.atMs, seenMs) : seenMs;
    return traced({ name: 'alert', parent: null, place: placeOf(firingId), startMs, attributes }, () => {
      if (startMs < seenMs) tracePast('analysis', attributes, { startMs, endMs: seenMs });
      return this.#recordWithImages(firingId, waiting);
    });
  }

  async #recordWithImages(firingId: string, { run, images, sinceMs }: WaitingFiring): Promise<void> {
    const { context } = this.#parts;
    const { signal } = this.#closing;
    const waitMs = context.config.alertPictureWaitSeconds * 1000 - (performance.now() - sinceMs);
    const inTime =
      (await within(images, waitMs, signal)) ??
      (signal.aborted ? await within(images, Math.min(waitMs, CLOSING_WAIT_MS)) : null);
    if (inTime === null)
      context.logger.warn({ alertEventId: firingId }, 'an alert is recorded before its images are ready');
    const stored = inTime ?? (signal.aborted ? NO_IMAGES : 'awaited');
    const isRecorded = await this.#untilStored(run.userId, () => recordAlert(context, firingId, stored));
    // A worker that was faster has recorded the alert without images.
    if (stored !== 'awaited' && (isRecorded || stored.images.length === 0)) return;
    const late = inTime ?? (await within(images, MAX_IMAGE_MS, signal)) ?? NO_IMAGES;
    const isAdded = await this.#untilStored(run.userId, () => addLateImages(context, firingId, late));
    // The alert was deleted or its time erased: no row names these images.
    if (!isAdded) await context.images.remove(late.images.map(({ objectKey }) => objectKey));
  }

  /** Tries again while the database does not answer or the rows are locked, until this program ends. */
  async #untilStored<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    const { signal } = this.#closing;
    for (;;) {
      try {
        return await this.#parts.userWrites.add(userId, work);
      } catch (error) {
        if (!mayPass(error) || signal.aborted) throw error;
        await pause(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Never throws: without images the alert is recorded all the same. */
  async #storeImages(
    { zones, run }: FiredFrame,
    { facts, held }: Firing,
    image: Promise<LaneImage>,
  ): Promise<FrameImages> {
    const { clock, images, logger, faults } = this.#parts.context;
    const maker = this.#imageMakers[this.#nextMaker++ % IMAGE_MAKERS]!;
    try {
      const { jpeg, fault, privacyRevision } = await image;
      if (!jpeg) throw new Error(fault ?? 'the frame is no longer in memory');
      const caption = alertMessage(held, placeName(run.deviceName, run.sceneName));
      const annotation = { zones, tracks: facts.tracks, caption };
      const stored = await maker.take(() =>
        storeAlertImages(images, jpeg, { userId: run.userId, annotation, now: clock.now(), faults }),
      );
      return { images: stored, privacyRevision };
    } catch (error) {
      logger.warn({ err: error, taskId: run.id }, 'an alert has no images');
      return NO_IMAGES;
    }
  }
}

/** @returns null when the work takes longer than `ms`, or when `signal` aborts */
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
