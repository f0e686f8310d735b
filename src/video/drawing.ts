import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Something that draws its own frames instead of receiving them. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly pixelFormat: 'rgb24';
  /** Resolves when the frame at `timeMs` can be drawn at once. Times do not fall. */
  prepare(timeMs: number): Promise<void>;
  /** @param timeMs since the drawing's beginning; @param into `width * height * 3` bytes */
  frame(timeMs: number, into: Uint8Array): void;
}

export interface FeedOptions {
  readonly drawing: Drawing;
  readonly fps: number;
  /** Moment of the drawing to begin with. */
  readonly startMs: number;
  /** As a camera would send them; else as fast as they are taken. */
  readonly realtime: boolean;
}

/** Draws into ffmpeg's standard input until `signal`. One buffer: a frame is drawn once the last one is written. */
export async function feedDrawing(options: FeedOptions, stdin: Writable, signal: AbortSignal): Promise<void> {
  const { drawing, fps, startMs, realtime } = options;
  const buffer = new Uint8Array(drawing.width * drawing.height * 3);
  const beganAt = performance.now();
  for (let count = 0; !signal.aborted; count++) {
    if (realtime) {
      const elapsedMs = performance.now() - beganAt;
      // what could not be drawn in time is left out, as a busy camera does
      count = Math.max(count, Math.floor((elapsedMs * fps) / 1000));
      await sleep(Math.max(0, (count * 1000) / fps - elapsedMs), undefined, { signal });
    }
    const timeMs = startMs + (count * 1000) / fps;
    await drawing.prepare(timeMs);
    drawing.frame(timeMs, buffer);
    if (!stdin.write(buffer)) await once(stdin, 'drain', { signal });
  }
}
