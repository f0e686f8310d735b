import { describe, expect, test } from '@jest/globals';
import { Turns } from '../../src/lanes/turns.ts';

describe('turns', () => {
  test('run one at a time, in the order of the calls', async () => {
    const turns = new Turns();
    const done: string[] = [];
    const work = (name: string) => async () => {
      done.push(`${name} begins`);
      await Promise.resolve();
      done.push(`${name} ends`);
    };
    await Promise.all(['a', 'b', 'c'].map((name) => turns.take(work(name))));
    expect(done).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  test('alternate between a busy and a calm camera', async () => {
    const turns = new Turns();
    const done: string[] = [];
    const camera = async (name: string, frames: number) => {
      for (let frame = 0; frame < frames; frame++) await turns.take(async () => void done.push(name));
    };
    await Promise.all([camera('busy', 6), camera('calm', 3)]);
    expect(done.slice(0, 6)).toEqual(['busy', 'calm', 'busy', 'calm', 'busy', 'calm']);
  });

  test('let the event loop run between two turns', async () => {
    const turns = new Turns();
    let immediates = 0;
    let looking = true;
    const look = () => {
      immediates++;
      if (looking) setImmediate(look);
    };
    setImmediate(look);
    for (let turn = 0; turn < 5; turn++) await turns.take(async () => undefined);
    looking = false;
    expect(immediates).toBeGreaterThanOrEqual(4);
  });

  test('count the time in which a caller has a turn or waits for one, also when the work fails', async () => {
    let nowMs = 0;
    const turns = new Turns(() => nowMs);
    const work = (ms: number, fails = false) =>
      turns.take(async () => {
        nowMs += ms;
        if (fails) throw new Error('no');
      });
    await Promise.all([work(30), work(20)]);
    nowMs += 100;
    expect(turns.busyMs).toBe(50);
    await expect(work(5, true)).rejects.toThrow('no');
    nowMs += 100;
    expect(turns.busyMs).toBe(55);
    const last = work(0);
    nowMs += 7;
    expect(turns.busyMs).toBe(62);
    await last;
    nowMs += 100;
    expect(turns.busyMs).toBe(62);
  });

  test('pass an error only to its own caller', async () => {
    const turns = new Turns();
    const failing = turns.take(() => Promise.reject(new Error('no')));
    const next = turns.take(async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  test('are for recordings only while no camera waits, also when the camera asks later', async () => {
    const turns = new Turns();
    const done: string[] = [];
    const work = (name: string) => async () => void done.push(name);
    const first = turns.take(work('camera 1'));
    const spare = ['recording 1', 'recording 2'].map((name) => turns.takeSpare(work(name)));
    const second = first.then(() => turns.take(work('camera 2')));
    await Promise.all([first, second, ...spare]);
    expect(done).toEqual(['camera 1', 'camera 2', 'recording 1', 'recording 2']);
  });

  test('of recordings do not count as busy time, also while a camera waits for them', async () => {
    let nowMs = 0;
    const turns = new Turns(() => nowMs);
    let camera: Promise<void> | undefined;
    await turns.takeSpare(async () => {
      nowMs += 20;
      camera = turns.take(async () => {
        nowMs += 7;
      });
      nowMs += 30;
    });
    await camera;
    expect(turns.busyMs).toBe(7);
  });

  test('of recordings that fail end as others do', async () => {
    const turns = new Turns();
    await expect(turns.takeSpare(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.take(async () => 'yes')).toBe('yes');
  });
});
