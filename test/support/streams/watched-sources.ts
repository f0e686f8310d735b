import { expect } from '@jest/globals';
import { FfmpegSource, type FfmpegSourceOptions } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import type { StreamEvent } from '../../../src/video/frame-source.ts';
import { FFMPEG_PATHS, frameReaders } from '../ffmpeg.ts';
import type { StreamServer } from '../servers/stream-server.ts';

const cleanUps: (() => Promise<unknown>)[] = [];

/** For the end of a test file: ends its servers and sources, the newest first. @throws Error where an ffmpeg is left */
export async function endSources(): Promise<void> {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  expect(frameReaders()).toEqual([]);
}

/** Closes the server at the end of the tests. */
export async function running<S extends StreamServer>(started: Promise<S>): Promise<S> {
  const server = await started;
  cleanUps.push(() => server.close());
  return server;
}

/** A source with short time limits, and its events. */
export function watch(url: string, options: Partial<FfmpegSourceOptions> = {}) {
  const events: StreamEvent[] = [];
  const source = new FfmpegSource({
    ...{ url, fps: 5, inputWidth: 64, inputHeight: 64, pace: 'realtime', ...FFMPEG_PATHS },
    ...{ backoffMinMs: 20, backoffMaxMs: 100, probeTimeoutMs: 15_000, watchdogMs: 15_000, killAfterMs: 300 },
    ...options,
    onEvent: (event) => events.push(event),
  });
  cleanUps.push(() => source.close());
  const happened = async (type: StreamEvent['type'], times = 1): Promise<StreamEvent> => {
    for (;;) {
      const found = events.filter((event) => event.type === type);
      if (found.length >= times) return found[times - 1]!;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return { source, events, happened };
}

/** Whatever their size. */
export async function takeAll(source: FfmpegSource): Promise<void> {
  while (await source.next());
}
