import { expect, test } from '@jest/globals';
import { RtpOrder } from '../../../../src/video/proxy/rtsp/rtp-order.ts';

/** The numbers in the order in which they are handed out. @param sent number and time of each */
function ordered(sent: readonly (readonly [sequence: number, atMs: number])[]): number[] {
  const out: number[] = [];
  let nowMs = 0;
  const order = new RtpOrder(
    (packet) => out.push(packet.readUInt16BE(2)),
    () => nowMs,
  );
  for (const [sequence, atMs] of sent) {
    nowMs = atMs;
    const packet = Buffer.alloc(12);
    packet.writeUInt16BE(sequence, 2);
    order.push(packet);
  }
  return out;
}
const at0 = (...sequences: number[]) => ordered(sequences.map((sequence) => [sequence, 0] as const));

test('packets come in the order in which they were sent, also when the sequence numbers wrap around', () => {
  expect(at0(7, 9, 8, 10)).toEqual([7, 8, 9, 10]);
  expect(at0(65_534, 0, 65_535, 1)).toEqual([65_534, 65_535, 0, 1]);
});

test('packets that come twice or too late are dropped', () => {
  expect(at0(7, 8, 8, 7, 9)).toEqual([7, 8, 9]);
});

test('the wait for a lost packet is limited in time and number of packets', () => {
  expect(ordered([1, 3, 4].map((sequence) => [sequence, 0]))).toEqual([1]);
  expect(
    ordered([
      [1, 0],
      [3, 0],
      [4, 150],
      [5, 201],
    ]),
  ).toEqual([1, 3, 4, 5]);
  const many = Array.from({ length: 65 }, (_, at) => 3 + at);
  expect(at0(1, ...many)).toEqual([1, ...many]);
});

test('packets pass when a camera restarts its sequence numbers', () => {
  const again = Array.from({ length: 40 }, (_, at) => 100 + at);
  expect(at0(5_000, ...again).slice(0, 3)).toEqual([5_000, 132, 133]);
});
