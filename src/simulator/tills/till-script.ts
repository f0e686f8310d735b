import { createRandom } from '../random.ts';

/** How long a till is open, and closed, in seconds. */
const OPEN = [90, 330] as const;
const CLOSED = [50, 200] as const;
/** People come in waves, so that there is a line at times and tills idle at others. `gap`: seconds between two at one till. */
const WAVES = { rush: { gap: 17, from: 100, to: 220 }, calm: { gap: 60, from: 60, to: 160 } } as const;

/** Whether somebody is to serve at a till at a time; the same for the same seed. */
export function hoursOf(seed: number, till: number, untilSeconds: number): (seconds: number) => boolean {
  const random = createRandom(seed, 6, till);
  // The first till is open at the beginning, and one in three others is not.
  let isOpen = till === 0 || !random.chance(1 / 3);
  const edges = isOpen ? [0] : [];
  for (let at = 0; at < untilSeconds; isOpen = !isOpen) {
    const [least, most] = isOpen ? OPEN : CLOSED;
    at += random.between(least, most) * (at === 0 ? random.between(0.3, 1) : 1);
    edges.push(at);
  }
  return (seconds) => edges.filter((edge) => edge <= seconds).length % 2 === 1;
}

/** The times at which customers come, in seconds. */
export function* arrivalsOf(seed: number, tills: number): Generator<number, never> {
  const random = createRandom(seed, 7);
  let wave: keyof typeof WAVES = 'calm';
  let endsAt = 20;
  for (let at = 2; ; at += (WAVES[wave].gap / tills) * random.between(0.4, 1.6)) {
    if (at >= endsAt) {
      wave = wave === 'rush' ? 'calm' : 'rush';
      endsAt = at + random.between(WAVES[wave].from, WAVES[wave].to);
    }
    yield at;
  }
}
