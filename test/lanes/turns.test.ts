import { describe, expect, test } from '@jest/globals';
import { Turns } from '../../src/lanes/turns.ts';

describe('turns', () => {
  test('are taken one at a time, in the order they were asked for', async () => {
    const turns = new Turns();
    const told: string[] = [];
    const work = (name: string) => async () => {
      told.push(`${name} begins`);
      await Promise.resolve();
      told.push(`${name} ends`);
    };
    await Promise.all(['a', 'b', 'c'].map((name) => turns.take(work(name))));
    expect(told).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  test('a busy camera cannot push another aside', async () => {
    const turns = new Turns();
    const told: string[] = [];
    const camera = async (name: string, frames: number) => {
      for (let frame = 0; frame < frames; frame++) await turns.take(async () => void told.push(name));
    };
    await Promise.all([camera('busy', 6), camera('calm', 3)]);
    expect(told.slice(0, 6)).toEqual(['busy', 'calm', 'busy', 'calm', 'busy', 'calm']);
  });

  test('let the event loop run between two', async () => {
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

  test('count the time in which somebody has one or waits for one, also when it fails', async () => {
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

  test('an error is its own caller’s', async () => {
    const turns = new Turns();
    const failing = turns.take(() => Promise.reject(new Error('no')));
    const next = turns.take(async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});
