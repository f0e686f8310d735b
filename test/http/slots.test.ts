import { describe, expect, test } from '@jest/globals';
import { ApiError } from '../../src/http/errors.ts';
import { Slots } from '../../src/http/request/slots.ts';

const LIMITS = { perUser: 2, perProgram: 8, message: 'Others are under way', retryAfterSeconds: 6 };

describe('calls at once', () => {
  const hold = (slots: Slots, user: string) => {
    let resolve!: () => void;
    let reject!: (error: Error) => void;
    const ended = new Promise<void>((end, fail) => {
      [resolve, reject] = [end, fail];
    });
    return { held: slots.hold(user, () => ended), resolve, reject };
  };

  test('a user has two; an end makes room, also an end by an error', async () => {
    const slots = new Slots(LIMITS);
    const [one, two] = [hold(slots, 'a'), hold(slots, 'a')];
    await expect(slots.hold('a', async () => 1)).rejects.toThrow(ApiError);
    one.resolve();
    await one.held;
    expect(await slots.hold('a', async () => 1)).toBe(1);
    two.reject(new Error('broken'));
    await expect(two.held).rejects.toThrow('broken');
    expect(await slots.hold('a', async () => 1)).toBe(1);
  });

  test('a program has eight of all users', async () => {
    const slots = new Slots(LIMITS);
    const held = ['a', 'b', 'c', 'd'].flatMap((user) => [hold(slots, user), hold(slots, user)]);
    await expect(slots.hold('e', async () => 1)).rejects.toThrow('Others are under way');
    for (const one of held) one.resolve();
    await Promise.all(held.map((one) => one.held));
    expect(await slots.hold('e', async () => 1)).toBe(1);
  });
});
