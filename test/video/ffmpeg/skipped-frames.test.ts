import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { runFfmpeg, scratchFolder, TWO_OF_THREE } from '../../support/ffmpeg.ts';
import { endSources, watch } from '../../support/streams/watched-sources.ts';

// Of cameras: skipped-frames.release.ts.

const folder = scratchFolder();
afterAll(async () => {
  await endSources();
  await rm(folder, { recursive: true });
});

describe('what is decoded changes', () => {
  test('of a file at 1×: it continues at the same position', async () => {
    const file = join(folder, 'steps.mp4');
    const steps = 'color=black:size=64x64:rate=25,geq=lum=16+2*N:cb=128:cr=128';
    await runFfmpeg('-f', 'lavfi', '-i', steps, '-frames:v', '100', ...TWO_OF_THREE, '-qp', '4', file);
    const { source, events } = watch(file);
    const seen: { timeMs: number; level: number; playedMs: number }[] = [];
    void source.open();
    await eventually('a frame waits', () => source.stats.lastFrameAtMs !== null);
    // The file begins to play when its first frame is taken.
    const beganMs = performance.now();
    for (let frame = await source.next(); frame; frame = await source.next()) {
      const playedMs = performance.now() - beganMs;
      seen.push({ timeMs: frame.timeMs, level: frame.model[0]!, playedMs });
      if (frame.timeMs === 800) source.decode('needed');
      if (frame.timeMs === 2400) source.decode('all');
    }
    expect(seen.map(({ timeMs }) => timeMs).slice(0, 20)).toEqual(
      Array.from({ length: 20 }, (_, n) => n * 200),
    );
    // Of the frames that are left, every third, it is the newest at its time; right after a change it may be the next one.
    for (const { timeMs, level } of seen) expect(Math.abs(level / 1.164 / 2 - timeMs / 40)).toBeLessThan(3.5);
    // No frame comes before its time, also none of the second and third ffmpeg.
    expect(seen.filter(({ timeMs, playedMs }) => playedMs < timeMs - 1)).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(['started', 'ended']);
  });

  test('never at full speed: a recording is decoded whole', async () => {
    const file = join(folder, 'recording.mp4');
    await runFfmpeg(
      '-f',
      'lavfi',
      '-i',
      'testsrc2=size=64x64:rate=25',
      '-frames:v',
      '50',
      ...TWO_OF_THREE,
      file,
    );
    const { source } = watch(file, { pace: 'fast', fps: 25, recordedAfterMs: null });
    await source.next();
    source.decode('needed');
    expect(source.decoding).toBe('all');
    let frames = 1;
    while (await source.next()) frames++;
    expect(frames).toBe(50);
  });
});
