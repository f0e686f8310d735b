import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** A source whose frames this process draws itself. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly pixelFormat: 'rgb24';
  /** Resolves when the frame at `timeMs` can be drawn. `timeMs` never decreases. */
  prepare(timeMs: number): Promise<void>;
  /** @param timeMs since the start of the drawing @param into `width * height * 3` bytes */
  frame(timeMs: number, into: Uint8Array): void;
}

export interface FeedOptions {
  readonly drawing: Drawing;
  readonly fps: number;
  /** Time of the drawing at which to start. */
  readonly startMs: number;
  /** At the rate of a camera; else as fast as ffmpeg reads. */
  readonly realtime: boolean;
}

/** Writes frames to ffmpeg's standard input until `signal` aborts. Each frame is drawn after the last one was written. */
export async function feedDrawing(options: FeedOptions, stdin: Writable, signal: AbortSignal): Promise<void> {
  const { drawing, fps, startMs, realtime } = options;
  const buffer = new Uint8Array(drawing.width * drawing.height * 3);
  const startedAt = performance.now();
  for (let count = 0; !signal.aborted; count++) {
    if (realtime) {
      const elapsedMs = performance.now() - startedAt;
      // Frames that could not be drawn in time are left out, as a busy camera does.
      count = Math.max(count, Math.floor((elapsedMs * fps) / 1000));
      await sleep(Math.max(0, (count * 1000) / fps - elapsedMs), undefined, { signal });
    }
    const timeMs = startMs + (count * 1000) / fps;
    await drawing.prepare(timeMs);
    drawing.frame(timeMs, buffer);
    if (!stdin.write(buffer)) await once(stdin, 'drain', { signal });
  }
}
