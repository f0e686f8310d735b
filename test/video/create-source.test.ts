import { describe, expect, test } from '@jest/globals';
import { createSource } from '../../src/video/create-source.ts';
import { FFMPEG_PATHS, frameReaders } from '../support/ffmpeg.ts';

const options = { fps: 5, inputWidth: 64, inputHeight: 64, ...FFMPEG_PATHS };

describe('the source of an address', () => {
  test.each([
    ...['ftp://host/a', 'concat:a|b', '', 'sim:street', 'sim:shop?seed=x', 'sim:shop?seed=-1'],
    ...['sim:shop?start=3601', 'sim:shop?speed=2', 'sim:shop?seed=1e3', 'sim:shop?scenario=market'],
  ])('%p is refused', (url) => {
    expect(() => createSource(url, { ...options, pace: 'fast' })).toThrow(/sim:/);
  });

  test('at pace `fast` the simulated shop is drawn as fast as frames are taken, by its own clock', async () => {
    const source = createSource('sim:shop?seed=3', { ...options, pace: 'fast' });
    expect(await source.open()).toMatchObject({ codec: 'rawvideo', live: false, fps: 5 });
    const times: number[] = [];
    const levels = new Set<number>();
    while (times.length < 12) {
      const frame = (await source.next())!;
      times.push(frame.timeMs);
      levels.add(frame.model.reduce((sum, value) => sum + value, 0));
    }
    expect(times).toEqual(times.map((_, at) => at * 200));
    expect(levels.size).toBeGreaterThanOrEqual(1);
    await source.close();
    expect(frameReaders()).toEqual([]);
  });

  test('at pace `realtime` the simulated shop is a camera: at 1×, with the time of arrival', async () => {
    const openedMs = Date.now();
    const source = createSource('sim:shop', { ...options, pace: 'realtime' });
    expect(await source.open()).toMatchObject({ live: true });
    const times: number[] = [];
    while (times.length < 8) times.push((await source.next())!.timeMs);
    // On a busy machine frames come late, and then several at once; none comes early.
    for (const [n, timeMs] of times.entries()) expect(timeMs - openedMs).toBeGreaterThanOrEqual(n * 200 - 10);
    expect(times[0]).toBeGreaterThanOrEqual(openedMs);
    expect(times.at(-1)).toBeLessThanOrEqual(Date.now() + 10);
    await source.close();
  });
});
