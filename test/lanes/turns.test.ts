import { describe, expect, test } from '@jest/globals';
import { Turns } from '../../src/lanes/turns.ts';
import { fc } from '../support/property.ts';

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

  describe('together', () => {
    /** A camera whose frames are prepared alone, detected together and then used alone. */
    const cameraOf = (turns: Turns, done: string[]) => async (name: string) =>
      turns.take(async () => {
        done.push(`prepare ${name}`);
        const found = await turns.together(async () => {
          done.push(`detect ${name}`);
          await Promise.resolve();
          return `people of ${name}`;
        });
        done.push(`use ${name}`);
        await Promise.resolve();
        done.push(`end ${name}`);
        return found;
      });

    test('the work of cameras that wait begins at once; the rest of their turns stays apart', async () => {
      const turns = new Turns();
      turns.atOnce = 4;
      const done: string[] = [];
      const found = await Promise.all(['a', 'b', 'c'].map(cameraOf(turns, done)));
      expect(found).toEqual(['people of a', 'people of b', 'people of c']);
      expect(done).toEqual([
        ...['prepare a', 'prepare b', 'prepare c', 'detect a', 'detect b', 'detect c'],
        ...['use a', 'end a', 'use b', 'end b', 'use c', 'end c'],
      ]);
    });

    test('no more cameras are collected than may run at once', async () => {
      const turns = new Turns();
      turns.atOnce = 2;
      const done: string[] = [];
      await Promise.all(['a', 'b', 'c'].map(cameraOf(turns, done)));
      expect(done.filter((step) => /prepare|detect/.test(step))).toEqual([
        ...['prepare a', 'prepare b', 'detect a', 'detect b', 'prepare c', 'detect c'],
      ]);
    });

    test('without a batch each turn ends before the next one', async () => {
      const turns = new Turns();
      const done: string[] = [];
      await Promise.all(['a', 'b'].map(cameraOf(turns, done)));
      const steps = (name: string) => ['prepare', 'detect', 'use', 'end'].map((step) => `${step} ${name}`);
      expect(done).toEqual([...steps('a'), ...steps('b')]);
    });

    test('work that fails is told to its own camera, and the others go on', async () => {
      const turns = new Turns();
      turns.atOnce = 2;
      const failing = turns.take(() => turns.together(() => Promise.reject(new Error('no'))));
      const other = turns.take(() => turns.together(async () => 'yes'));
      await expect(failing).rejects.toThrow('no');
      expect(await other).toBe('yes');
      expect(await turns.take(async () => 'still')).toBe('still');
    });

    test('a turn may come together twice, and recordings wait meanwhile', async () => {
      const turns = new Turns();
      turns.atOnce = 2;
      const done: string[] = [];
      const twice = async (name: string) => {
        await turns.together(async () => void done.push(`${name} 1`));
        await turns.together(async () => void done.push(`${name} 2`));
      };
      const cameras = ['a', 'b'].map((name) => turns.take(() => twice(name)));
      const recording = turns.takeSpare(async () => void done.push('recording'));
      await Promise.all([...cameras, recording]);
      expect(done).toEqual(['a 1', 'b 1', 'a 2', 'b 2', 'recording']);
    });

    test('the time of a camera counts once while others run with it', async () => {
      let nowMs = 0;
      const turns = new Turns(() => nowMs);
      turns.atOnce = 2;
      const detect = async () => {
        nowMs += 10;
      };
      const camera = () => turns.take(() => turns.together(detect));
      await Promise.all([camera(), camera()]);
      expect(turns.busyMs).toBe(20);
    });

    test('any number of cameras, frames and failures: each result reaches its camera, and turns never overlap', async () => {
      const frame = fc.record({ fails: fc.boolean(), times: fc.nat(2) });
      const cameras = fc.array(fc.array(frame, { maxLength: 4 }), { maxLength: 6 });
      await fc.assert(
        fc.asyncProperty(cameras, fc.integer({ min: 1, max: 4 }), async (all, atOnce) => {
          const turns = new Turns();
          turns.atOnce = atOnce;
          let alone = 0;
          let together = 0;
          const exclusively = async () => {
            expect(++alone).toBe(1);
            await Promise.resolve();
            alone--;
          };
          const run = async (name: string, { fails, times }: { fails: boolean; times: number }) => {
            await exclusively();
            for (let time = 0; time < times; time++) {
              await turns.together(async () => {
                expect(++together).toBeLessThanOrEqual(atOnce);
                await Promise.resolve();
                together--;
              });
              await exclusively();
            }
            if (fails) throw new Error(name);
            return name;
          };
          const results = all.map(async (frames, camera) => {
            for (const [at, one] of frames.entries()) {
              const name = `${camera}.${at}`;
              const result = await turns
                .take(() => run(name, one))
                .catch(({ message }: Error) => `failed ${message}`);
              expect(result).toBe(one.fails ? `failed ${name}` : name);
            }
          });
          await Promise.all(results);
          expect(turns.busyMs).toBeGreaterThanOrEqual(0);
        }),
      );
    });
  });

  test('of recordings that fail end as others do', async () => {
    const turns = new Turns();
    await expect(turns.takeSpare(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.take(async () => 'yes')).toBe('yes');
  });
});
