import type { test } from '@jest/globals';
import { testWhere } from '../installed.ts';
import { swiftshader } from './swiftshader.ts';

/** Tests on a graphics card that the CPU emulates: they are skipped, with the reason on the output, where there is none. */
export async function testsOnCard(): Promise<{ onCard: typeof test; env: NodeJS.ProcessEnv }> {
  const emulated = await swiftshader();
  if ('env' in emulated) return { onCard: testWhere(true), env: emulated.env };
  process.stdout.write(`Tests on a graphics card are skipped: ${emulated.reason}\n`);
  return { onCard: testWhere(false), env: {} };
}
