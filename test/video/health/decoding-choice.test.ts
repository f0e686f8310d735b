import { describe, expect, test } from '@jest/globals';
import type { Decoding } from '../../../src/video/frame-source.ts';
import { DecodingChoice } from '../../../src/video/health/decoding-choice.ts';

/** A stream, and how many frames a second of it the decoder manages, now. */
interface World {
  fps: number;
  /** Shares of frames that others need, and of key frames. */
  readonly needed: number;
  readonly key: number;
  capacityFps: number;
  /** It cannot be opened a second time. */
  readonly isSingle?: boolean;
}

/** Seconds of a decoder, which is behind when it has to decode more than it manages. */
class Played {
  readonly choice = new DecodingChoice();
  readonly changes: [second: number, Decoding][] = [];
  decoding: Decoding = 'all';
  #second = 0;
  #runSince = 0;
  readonly world: World;

  constructor(world: World) {
    this.world = { ...world };
  }

  play(seconds: number): this {
    for (const end = this.#second + seconds; this.#second < end; this.#second++) {
      const { fps, needed, key, capacityFps, isSingle = false } = this.world;
      const share = { all: 1, needed, key }[this.decoding];
      const received = (this.#second - this.#runSince) * fps;
      const next = this.choice.next({
        nowMs: this.#second * 1000,
        // It takes five seconds until that is noticed.
        isBehind: this.#second - this.#runSince >= 5 && share * fps > capacityFps,
        decoding: this.decoding,
        counts: { received, decoded: received * share, keyFrames: received * key },
        cameraFps: fps,
        minFps: 2,
      });
      if (next === this.decoding || isSingle) continue;
      this.changes.push([this.#second, next]);
      this.decoding = next;
      this.#runSince = this.#second;
    }
    return this;
  }

  get order(): Decoding[] {
    return this.changes.map(([, decoding]) => decoding);
  }
}

const STREAM: World = { fps: 25, needed: 1 / 3, key: 1 / 50, capacityFps: 15 };
const HOUR = 3_600;

describe('what is decoded', () => {
  test('everything, while the decoder keeps up', () => {
    expect(new Played({ ...STREAM, capacityFps: 25 }).play(HOUR).order).toEqual([]);
  });

  test('needed frames when it is behind, and everything again after a calm minute', () => {
    const played = new Played(STREAM).play(30);
    expect(played.changes).toEqual([[5, 'needed']]);
    expect(played.choice.isExhausted).toBe(false);
    played.world.capacityFps = 25;
    expect(played.play(HOUR).order).toEqual(['needed', 'all']);
    expect(played.changes[1]![0]).toBeGreaterThanOrEqual(65);
    expect(played.changes[1]![0]).toBeLessThan(70);
  });

  test('on a machine that stays busy the returns become rare', () => {
    const returns = new Played(STREAM).play(6 * HOUR).changes.filter(([, decoding]) => decoding === 'all');
    const pauses = returns.slice(1).map(([second], at) => second - returns[at]![0]);
    for (const [at, pause] of pauses.entries())
      expect(pause).toBeGreaterThan(Math.min(1.8 * (pauses[at - 1] ?? 60), 1_800));
    expect(returns.length).toBeLessThan(17);
  });

  test('key frames when needed ones are too many, if enough of them come', () => {
    const played = new Played({ ...STREAM, key: 0.1, capacityFps: 5 }).play(60);
    expect(played.order).toEqual(['needed', 'key']);
    expect(played.choice.isExhausted).toBe(false);
  });

  test('no key frames alone when fewer than the lowest rate come: that is all', () => {
    const played = new Played({ ...STREAM, needed: 1 }).play(300);
    expect(played.order).toEqual(['needed']);
    expect(played.choice.isExhausted).toBe(true);
  });

  test('nothing but key frames: there is nothing to skip', () => {
    const played = new Played({ ...STREAM, needed: 1, key: 1 }).play(300);
    expect(played.order).toEqual(['needed']);
    expect(played.choice.isExhausted).toBe(true);
  });

  test('a stream whose needed frames are too few is decoded whole, once that is known', () => {
    const played = new Played({ ...STREAM, fps: 5, capacityFps: 3 }).play(HOUR);
    expect(played.order).toEqual(['needed', 'all']);
    expect(played.choice.isExhausted).toBe(true);
  });

  test('a camera that cannot be opened a second time is asked for that seldom', () => {
    const played = new Played({ ...STREAM, isSingle: true });
    let asked = 0;
    for (let second = 0; second < HOUR; second++) {
      played.play(1);
      if (!played.choice.isExhausted) asked++;
    }
    expect(played.choice.isExhausted).toBe(true);
    expect(asked).toBeLessThan(6 * 15 + 10);
  });
});
