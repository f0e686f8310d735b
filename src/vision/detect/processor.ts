import { readFile } from 'node:fs/promises';

/**
 * Whether this processor's 8-bit multiplication overflows: x64 without VNNI adds pairs of products in 16 bits,
 * which saturate. Unknown counts as yes: exact results come before speed.
 * @param cpuinfo where Linux describes the processor
 */
export async function overflowsInEightBits(
  arch: string = process.arch,
  cpuinfo = '/proc/cpuinfo',
): Promise<boolean> {
  if (arch !== 'x64') return false;
  const text = await readFile(cpuinfo, 'utf8').catch(() => '');
  return !/^flags\s*:.*\bavx(512)?_vnni\b/m.test(text);
}
