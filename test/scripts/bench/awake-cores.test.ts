import { closeSync, openSync, readSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { keepCoresAwake } from '../../../scripts/bench/awake-cores.ts';

/** The longest wakeup that is allowed now, in microseconds. @throws Error where the device cannot be opened */
function acceptedLatency(): number {
  const fd = openSync('/dev/cpu_dma_latency', 'r+');
  try {
    const answer = Buffer.alloc(4);
    readSync(fd, answer);
    return answer.readInt32LE();
  } finally {
    closeSync(fd);
  }
}

test('cores stay awake until the returned function is called; without the right to do this the result is null', () => {
  const letCoresSleep = keepCoresAwake();
  if (letCoresSleep === null) {
    expect(acceptedLatency).toThrow();
    return;
  }
  expect(acceptedLatency()).toBe(0);
  letCoresSleep();
  expect(acceptedLatency()).toBeGreaterThan(0);
});
