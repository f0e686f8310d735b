import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import koffi from 'koffi';

/**
 * How much a heap may grow before its garbage is collected, of what is alive. A lane's is small, but each frame leaves
 * a fifth of a megabyte: at a tenth, collecting would take a hundredth of all its time.
 */
const GROWTH_PERCENT = { worker: 10, lane: 100 } as const;
const COMPACT_EVERY_MS = 60_000;

/**
 * Keeps the memory of a process that runs for months at what it needs. Left alone V8 lets its heap grow fourfold before
 * it collects garbage, and then leaves pages half empty for hours: on a node with many lanes that looks like a leak, and
 * takes memory that pictures could have. The C library keeps what was freed in the same way. So the heap's growth is
 * bounded, and now and then both give back what they do not need.
 * @param program whose heap it is; to be called once, as it starts
 */
export function keepHeapSteady(program: keyof typeof GROWTH_PERCENT): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT[program]}`);
  setInterval(compactHeap, COMPACT_EVERY_MS).unref();
}

/** Gives back pages that are half empty: V8's and the C library's. Stops the process, for a tenth of a second. */
export function compactHeap(): void {
  setFlagsFromString('--compact-on-every-full-gc');
  collect();
  setFlagsFromString('--no-compact-on-every-full-gc');
  trim?.(0);
}

/** As `node --expose-gc` hands it out. */
const collect = garbageCollector();
/** `malloc_trim(3)`; null where the C library is not glibc. */
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
