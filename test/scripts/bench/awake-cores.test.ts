import { closeSync, openSync, readSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { keepCoresAwake } from '../../../scripts/bench/awake-cores.ts';

/** The longest wakeup in microseconds that anybody accepts now. @throws where it cannot be asked */
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

test('cores stay awake until they are let go, and who may not ask for it is told so', () => {
  const letCoresSleep = keepCoresAwake();
  if (letCoresSleep === null) {
    expect(acceptedLatency).toThrow();
    return;
  }
  expect(acceptedLatency()).toBe(0);
  letCoresSleep();
  expect(acceptedLatency()).toBeGreaterThan(0);
});
