import { describe, expect, test } from '@jest/globals';
import {
  type LivePart,
  WatchedDevice,
  type Watcher,
} from '../../../../src/cameras/devices/images/watched-device.ts';
import { Part } from '../../../../src/http/part.ts';
import { fc } from '../../../support/property.ts';

const pictureAt = (capturedAtMs: number): LivePart => ({
  capturedAtMs,
  part: new Part('image/jpeg', Buffer.from([1])),
});
const settle = () => new Promise((resolve) => setImmediate(resolve));
const WISH = { width: 640, fps: 5 };

/** A device whose stored picture the test sets; reads finish at once, or when `finish` is called. */
function watchedDevice({ isSlow = false } = {}) {
  const state = { stored: null as LivePart | null, reads: 0, errors: 0, finish: () => {}, isBroken: false };
  const device = new WatchedDevice({
    async read() {
      state.reads += 1;
      const { stored } = state;
      if (state.isBroken) throw new Error('broken');
      if (isSlow) {
        await new Promise<void>((resolve) => {
          state.finish = resolve;
        });
      }
      return stored;
    },
    onError: () => {
      state.errors += 1;
    },
  });
  return {
    ...{ device, state },
    async announce(capturedAtMs: number) {
      state.stored = pictureAt(capturedAtMs);
      device.announce();
      await settle();
    },
  };
}

/** Takes pictures all the time. @returns the times of those it got */
function follow(watcher: Watcher): number[] {
  const times: number[] = [];
  void (async () => {
    for (let next = await watcher.next(); next; next = await watcher.next()) times.push(next.capturedAtMs);
  })();
  return times;
}

describe('the watchers of a device', () => {
  test('a picture that was removed, for example because masks have changed, is shown to nobody', async () => {
    const { device, state, announce } = watchedDevice();
    const early = device.add(WISH);
    const first = early.next();
    await announce(200);
    expect((await first)?.capturedAtMs).toBe(200);
    state.stored = null;
    device.announce();
    const late = device.add(WISH);
    const got = follow(late);
    await settle();
    expect([got, state.reads]).toEqual([[], 2]);
    await announce(400);
    expect(got).toEqual([400]);
  });

  test('a repeated announcement of the same picture gives it to a watcher that has not got it', async () => {
    const { device, announce } = watchedDevice();
    const early = follow(device.add(WISH));
    await announce(200);
    device.announce();
    const late = follow(device.add(WISH));
    await settle();
    expect([early, late]).toEqual([[200], [200]]);
  });

  test('one thousand watchers share one read and one buffer for each picture', async () => {
    const { device, state, announce } = watchedDevice();
    const watchers = Array.from({ length: 1000 }, () => device.add(WISH));
    const first = Promise.all(watchers.map((watcher) => watcher.next()));
    await announce(200);
    const pictures = await first;
    expect(new Set(pictures.map((picture) => picture!.part.bytes)).size).toBe(1);
    const second = Promise.all(watchers.map((watcher) => watcher.next()));
    await announce(400);
    expect(new Set((await second).map((picture) => picture!.capturedAtMs))).toEqual(new Set([400]));
    expect(state.reads).toBe(2);
  });

  test('a watcher that takes nothing skips pictures and then gets the newest', async () => {
    const { device, announce } = watchedDevice();
    const [slow, quick] = [device.add(WISH), device.add(WISH)];
    const times = follow(quick);
    const first = slow.next();
    for (const ms of [200, 400, 600, 800]) await announce(ms);
    expect(times).toEqual([200, 400, 600, 800]);
    expect((await first)!.capturedAtMs).toBe(200);
    expect((await slow.next())!.capturedAtMs).toBe(800);
  });

  test('nothing is read while no watcher can take a picture; then the newest is', async () => {
    const { device, state, announce } = watchedDevice();
    const watcher = device.add(WISH);
    for (const ms of [200, 400, 600]) await announce(ms);
    expect(state.reads).toBe(0);
    expect((await watcher.next())!.capturedAtMs).toBe(600);
    expect(state.reads).toBe(1);
  });

  test('pictures announced during a read cause one more read', async () => {
    const { device, state, announce } = watchedDevice({ isSlow: true });
    const times = follow(device.add(WISH));
    for (const ms of [200, 400, 600]) await announce(ms);
    expect(state.reads).toBe(1);
    state.finish();
    await settle();
    state.finish();
    await settle();
    expect([state.reads, times]).toEqual([2, [200, 600]]);
  });

  test('a watcher that asks for fewer pictures gets fewer, evenly', async () => {
    const { device, announce } = watchedDevice();
    const [all, two] = [
      follow(device.add({ width: 320, fps: 10 })),
      follow(device.add({ width: 640, fps: 2 })),
    ];
    for (let ms = 1_000; ms < 3_000; ms += 100) await announce(ms);
    expect([all.length, two]).toEqual([20, [1_000, 1_500, 2_000, 2_500]]);
    expect(device.wish).toEqual({ width: 640, fps: 10 });
  });

  test('a new watcher gets the picture that is there', async () => {
    const { device, state, announce } = watchedDevice();
    follow(device.add(WISH));
    await announce(200);
    expect((await device.add(WISH).next())!.capturedAtMs).toBe(200);
    expect(state.reads).toBe(1);
  });

  test('a failed read is told, and the next picture is read', async () => {
    const { device, state, announce } = watchedDevice();
    const times = follow(device.add(WISH));
    state.isBroken = true;
    await announce(200);
    state.isBroken = false;
    await announce(400);
    expect([state.errors, times]).toEqual([1, [400]]);
  });

  test('the end of the device, and the removal of a watcher, end what waits', async () => {
    const { device, announce } = watchedDevice();
    const [removed, ended] = [device.add(WISH), device.add(WISH)];
    const [one, two] = [removed.next(), ended.next()];
    device.remove(removed);
    expect(await one).toBeNull();
    expect(device.isEmpty).toBe(false);
    device.end();
    expect(await two).toBeNull();
    await announce(200);
    expect(await ended.next()).toBeNull();
  });

  test('whatever the order of pictures and clients, a client never goes back and ends with the newest picture', async () => {
    const step = fc.oneof(
      fc.constant('announce' as const),
      fc.constant('older' as const),
      fc.nat(2).map((client) => ({ client })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { device, announce } = watchedDevice();
        const clients = [0, 1, 2].map(() => ({
          watcher: device.add(WISH),
          got: [] as number[],
          isWaiting: false,
        }));
        const take = async (client: (typeof clients)[number]) => {
          if (client.isWaiting) return;
          client.isWaiting = true;
          void client.watcher.next().then((picture) => {
            client.isWaiting = false;
            client.got.push(picture!.capturedAtMs);
          });
          await settle();
        };
        let ms = 1_000;
        const announceNext = () => {
          ms += 200;
          return announce(ms);
        };
        for (const each of steps) {
          if (each === 'announce') await announceNext();
          else if (each === 'older') await announce(ms - 100);
          else await take(clients[each.client]!);
        }
        await announceNext();
        for (const client of clients) {
          await take(client);
          await settle();
          if (client.got.at(-1) !== ms) await take(client);
          expect(client.got).toEqual([...new Set(client.got)].sort((a, b) => a - b));
          expect(client.got.at(-1)).toBe(ms);
        }
      }),
    );
  });
});
