import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { childEnvironment } from '../../platform/processes/child-environment.ts';
import { nodeArguments } from '../../platform/processes/program-file.ts';
import type { MeasuredProvider, MeasureRequest } from './measurement.ts';

/** A GPU needs a second for each network; a driver that emulates one needs minutes. */
const LIMIT_MS = 60_000;
/** Adapters that emulate a GPU on the CPU. */
const EMULATED = /llvmpipe|lavapipe|swiftshader|basic render|\bwarp\b/i;

const Batch = z.object({ size: z.int().min(2), ms: z.number() });
const Times = z.record(
  z.string(),
  z.union([z.object({ ms: z.number(), batch: Batch.optional() }), z.object({ reason: z.string() })]),
);
const Result = z.union([
  z.object({ reason: z.string() }),
  z.object({
    networks: z.object({ detectors: Times, cropNetworks: Times }),
  }),
]);

export interface MeasuringOptions {
  readonly limitMs?: number;
  /** Whether an adapter that emulates a GPU is measured too. */
  readonly allowEmulated?: boolean;
  readonly env?: NodeJS.ProcessEnv;
}

/** Measures in a process of its own. Whatever happens to it becomes a reason: it never throws. */
export function measureInProcess(
  request: MeasureRequest,
  { limitMs = LIMIT_MS, allowEmulated = false, env = childEnvironment() }: MeasuringOptions = {},
): Promise<MeasuredProvider> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...nodeArguments('src/measure.ts'), JSON.stringify(request)], {
      // The Vulkan loader then writes the name of each adapter that is opened.
      env: { ...env, VK_LOADER_DEBUG: 'driver' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    let adapter: string | null = null;
    let ended: string | null = null;
    const end = (reason: string) => {
      ended ??= reason;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => end(`it took longer than ${limitMs / 1000} s to measure it`), limitMs);
    let result: z.output<typeof Result> | undefined;
    createInterface({ input: child.stdout }).on('line', (line) => {
      result = Result.safeParse(parsed(line)).data;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000);
      adapter ??= adapterIn(said);
      if (adapter && !allowEmulated && EMULATED.test(adapter))
        end(`the only adapter, ${adapter}, is emulated by the CPU`);
    });
    child.once('error', (error) => end(error.message));
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (ended !== null) return resolve({ reason: ended });
      if (!result)
        return resolve({ reason: `the measuring process ended (${signal ?? `exit code ${code}`})` });
      if ('networks' in result) return resolve({ adapter, networks: result.networks });
      resolve({ reason: result.reason + driverHint(result.reason, said), isUnopened: true });
    });
  });
}

/** The adapter that the Vulkan loader names when a device is created; null before. */
export const adapterIn = (said: string): string | null =>
  /Using "([^"]+)" with driver/.exec(said)?.[1] ?? null;

/**
 * What is missing where there is no adapter; ONNX Runtime does not tell. The loader names a driver that it cannot start, and says
 * nothing where it is not installed.
 */
export function driverHint(reason: string, said: string): string {
  if (process.platform !== 'linux' || !/WebGPU adapter/.test(reason)) return '';
  const [, driver] = /Could not get 'vkCreateInstance' .* ICD (\S+)/.exec(said) ?? [];
  if (driver) return `; the driver ${driver} does not start, and that of NVIDIA needs libegl1`;
  return said.includes('DRIVER') ? '' : '; is the Vulkan loader installed (libvulkan1)';
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
