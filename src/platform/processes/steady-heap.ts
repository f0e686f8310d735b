import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import koffi from 'koffi';

/**
 * How much a heap may grow, relative to its live objects, before garbage is collected. The heap of a lane is small, but each
 * frame leaves 0.2 MB: at 10 % garbage collection would take 1 % of its time.
 */
const GROWTH_PERCENT = { worker: 10, lane: 100 } as const;
const COMPACT_EVERY_MS = 60_000;

/**
 * Bounds the memory of a process that runs for months. By default V8 lets its heap grow fourfold before it collects garbage
 * and then keeps half-empty pages for hours, which looks like a leak on a node with many lanes; the C library keeps freed
 * memory too. So the growth of the heap is limited, and both return unused memory once a minute.
 * @param program to be called once, when it starts
 */
export function keepHeapSteady(program: keyof typeof GROWTH_PERCENT): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT[program]}`);
  setInterval(compactHeap, COMPACT_EVERY_MS).unref();
}

/** Returns the unused memory of V8 and the C library. Stops the process for about 0.1 s. */
export function compactHeap(): void {
  setFlagsFromString('--compact-on-every-full-gc');
  collect();
  setFlagsFromString('--no-compact-on-every-full-gc');
  trim?.(0);
}

/** The function that `node --expose-gc` provides. */
const collect = garbageCollector();
/** `malloc_trim(3)`; null if the C library is not glibc. */
const trim = mallocTrim();

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

function mallocTrim(): ((pad: number) => number) | null {
  if (process.platform !== 'linux') return null;
  try {
    return koffi.load(null).func('int malloc_trim(size_t pad)');
  } catch {
    return null;
  }
}
